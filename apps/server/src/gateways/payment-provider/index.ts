/**
 * Hosted payment provider: an external company that receives USDT and sends webhooks to the platform. A webhook only triggers a query and
 * is never trusted.
 * - `PaymentProvider` is the port for the deposits module.
 * - `createPaymentProvider` is the HTTP client for the real provider and the sandbox.
 * - `signNotice` signs a webhook, in the sandbox and in the check.
 */
export type { PaymentProvider, PaymentStatus, ProviderInvoice, ProviderPayment } from './payment-provider.ts'
export { PAGE, ProviderFailure } from './payment-provider.ts'
export { createPaymentProvider, type PaymentProviderOptions } from './http-provider.ts'
export { sortedJson, signNotice } from './notice-signature.ts'
