/** Request headers that the server reads and allows from another origin (CORS), except `Accept`, which needs no permission. */
export const requestHeaders = ['Authorization', 'Background-Read', 'Content-Type', 'Idempotency-Key', 'Quoted-Amount', 'Time-Zone'] as const
export type RequestHeader = (typeof requestHeaders)[number]

/** Headers of a refusal that an app of another origin may read (CORS): its code, and the values in its words. */
export const errorHeaders = ['Error-Code', 'Error-Values'] as const
