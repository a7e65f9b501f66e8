/** Request headers that the server reads and allows from another origin (CORS), except `Accept`, which needs no permission. */
export const requestHeaders = ['Authorization', 'Background-Read', 'Content-Type', 'Idempotency-Key', 'Quoted-Amount', 'Time-Zone'] as const
export type RequestHeader = (typeof requestHeaders)[number]
