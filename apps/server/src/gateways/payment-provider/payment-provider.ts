import type { Units } from '@tizara/money'

interface InvoiceOrder {
  /** Our id of the order; every payment of the invoice carries it. */
  orderId: string
  /** USD units. */
  amount: Units
  /** Where the provider sends its notices. */
  noticeUrl: string
  /** Where it sends the payer's browser afterwards. */
  successUrl: string
  cancelUrl: string
}

export interface ProviderInvoice {
  providerInvoiceId: string
  /** The payment page; its host is on the allow-list. */
  invoiceUrl: string
}

/**
 * How far a payment is: nothing arrived yet, arriving, less than the price arrived, all of it arrived, or it ended
 * without money. `unknown` is an answer that nothing can be concluded from: it credits nothing.
 */
export type PaymentStatus = 'awaiting' | 'confirming' | 'partial' | 'settled' | 'failed' | 'refunded' | 'expired' | 'unknown'

/** A payment of an invoice, as the provider answers when we ask with our key. */
export interface ProviderPayment {
  paymentId: string
  /** Null where the answer names none that can be read. */
  orderId: string | null
  status: PaymentStatus
  /** Lower-case ticker of the payment's currency. */
  payCurrency: string
  /** Amount received, in units of payCurrency, rounded down, because the provider may use more decimals. */
  actuallyPaid: Units
  /** The same as the provider wrote it, cut at 80 characters. */
  paidText: string
  /** Why the status is unknown. */
  problem?: string
}

/** A notice whose signature is right: which payment to ask about, and of which order it claims to be. */
interface ProviderNotice {
  paymentId: string
  orderId: string
}

/** Payments of a full page of {@link PaymentProvider.listSince}. */
export const PAGE = 100

/** The provider did not answer, answered nonsense, or is being left alone after many failures. */
export class ProviderFailure extends Error {}

/** The provider as the deposits module sees it. Every call may throw {@link ProviderFailure}, within five seconds. */
export interface PaymentProvider {
  createInvoice(order: InvoiceOrder): Promise<ProviderInvoice>
  /** The state of one payment; null when the provider does not know it. */
  getPayment(paymentId: string): Promise<ProviderPayment | null>
  /** The payments of an invoice, those that can't be read as `unknown`; empty when it has none or is unknown. */
  listPayments(providerInvoiceId: string): Promise<ProviderPayment[]>
  /**
   * A page of all payments that were begun since a day of UTC, of whichever order, the oldest first; the last page is not full.
   * @param page from 0 on
   */
  listSince(since: Date, page: number): Promise<ProviderPayment[]>
  /**
   * Checks a notice.
   * @returns null when the signature or the form is wrong
   */
  verifyNotice(body: unknown, signature: string | undefined): ProviderNotice | null
}
