import type { Units } from '@tizara/money'

interface InvoiceOrder {
  /** The platform's order id. Every payment of the invoice carries it. */
  orderId: string
  /** USD units. */
  amount: Units
  /** Address for the provider's notices. */
  noticeUrl: string
  /** Address to which the payer's browser returns. */
  successUrl: string
  cancelUrl: string
}

export interface ProviderInvoice {
  providerInvoiceId: string
  /** The payment page; its host is on the allow-list. */
  invoiceUrl: string
}

/**
 * Status of a payment: nothing received, in confirmation, partly paid, fully paid, or ended without money. `unknown` means that the
 * response could not be read; such a payment is not credited.
 */
export type PaymentStatus = 'awaiting' | 'confirming' | 'partial' | 'settled' | 'failed' | 'refunded' | 'expired' | 'unknown'

/** A payment of an invoice, from an authenticated query. */
export interface ProviderPayment {
  paymentId: string
  /** Null if the response has no readable order id. */
  orderId: string | null
  status: PaymentStatus
  /** Lower-case ticker of the payment's currency. */
  payCurrency: string
  /** Received amount in units of payCurrency, rounded down as the provider may use more decimals. */
  actuallyPaid: Units
  /** The amount as the provider wrote it, cut at 80 characters. */
  paidText: string
  /** Why the status is unknown. */
  problem?: string
}

/** A correctly signed notice: the payment to query and its claimed order. */
interface ProviderNotice {
  paymentId: string
  orderId: string
}

/** Rows of a full page of {@link PaymentProvider.listSince}. */
export const PAGE = 100

/** The provider did not answer, sent an invalid answer, or the breaker is open. */
export class ProviderFailure extends Error {}

/** Port of the payment provider. Every call may throw {@link ProviderFailure}, within five seconds. */
export interface PaymentProvider {
  createInvoice(order: InvoiceOrder): Promise<ProviderInvoice>
  /** Returns the state of a payment; null if the provider does not have the payment. */
  getPayment(paymentId: string): Promise<ProviderPayment | null>
  /** Returns the payments of an invoice; empty if there are none. A payment that cannot be read has status `unknown`. */
  listPayments(providerInvoiceId: string): Promise<ProviderPayment[]>
  /**
   * Returns a page of all payments since a UTC day, oldest first. The last page is not full.
   * @param page index from 0
   */
  listSince(since: Date, page: number): Promise<ProviderPayment[]>
  /**
   * Verifies a notice.
   * @returns null if the signature or form is wrong
   */
  verifyNotice(body: unknown, signature: string | undefined): ProviderNotice | null
}
