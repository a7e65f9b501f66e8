/**
 * The hosted payment provider: another company that takes USDT from members and tells us about it. Its notices are
 * never believed: they only make us ask.
 *
 * - `PaymentProvider` is the port that the deposits module uses.
 * - `createPaymentProvider` is the HTTP client; it talks to the real provider and to the bundled sandbox alike.
 * - `signNotice` is how both sides sign a notice.
 */
export type { PaymentProvider, PaymentStatus, ProviderInvoice, ProviderPayment } from './payment-provider.ts'
export { PAGE, ProviderFailure } from './payment-provider.ts'
export { createPaymentProvider, type PaymentProviderOptions } from './http-provider.ts'
export { sortedJson, signNotice } from './notice-signature.ts'
