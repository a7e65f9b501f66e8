/**
 * Hosted payment provider: an external company that takes USDT and notifies the platform. A notice only triggers a query and is
 * never trusted.
 * - `PaymentProvider` is the port for the deposits module.
 * - `createPaymentProvider` is the HTTP client for the real provider and the sandbox.
 * - `signNotice` signs a notice on both sides.
 */
export type { PaymentProvider, PaymentStatus, ProviderInvoice, ProviderPayment } from './payment-provider.ts'
export { PAGE, ProviderFailure } from './payment-provider.ts'
export { createPaymentProvider, type PaymentProviderOptions } from './http-provider.ts'
export { sortedJson, signNotice } from './notice-signature.ts'
