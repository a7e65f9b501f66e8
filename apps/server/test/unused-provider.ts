import type { PaymentProvider } from '../src/gateways/payment-provider/index.ts'

const refuse = () => Promise.reject(new Error('not part of this test'))

/** A payment provider without payments, for tests of payments on the chain. */
export const unusedProvider: PaymentProvider = {
  createInvoice: refuse,
  getPayment: refuse,
  listPayments: () => Promise.resolve([]),
  listSince: () => Promise.resolve([]),
  verifyNotice: () => null,
}
