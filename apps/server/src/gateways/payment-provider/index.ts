/**
 * The hosted payment provider: another company that takes USDT from members and notifies the platform. A notice is
 * never trusted; it only triggers a query.
 * - `PaymentProvider` is the port that the deposits module uses.
 * - `createPaymentProvider` is the HTTP client, for the real provider and the bundled sandbox.
 * - `signNotice` signs a notice on both sides.
 */
export type { PaymentProvider, PaymentStatus, ProviderInvoice, ProviderPayment } from './payment-provider.ts'
export { PAGE, ProviderFailure } from './payment-provider.ts'
export { createPaymentProvider, type PaymentProviderOptions } from './http-provider.ts'
export { sortedJson, signNotice } from './notice-signature.ts'
