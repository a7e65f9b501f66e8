import type { PaymentStatus } from '../../gateways/payment-provider/index.ts'
import type { InvoiceFacts, InvoiceState } from './invoices/invoice-state.rules.ts'

/** Status for a deposit request and its payment record (EN-26, EN-44). */
export type DepositStatus = 'PENDING' | 'REJECT' | 'APPROVE'

const RANK: Readonly<Record<DepositStatus, number>> = { PENDING: 0, REJECT: 1, APPROVE: 2 }

/**
 * Returns the later of two statuses, because a status only moves forward. APPROVE is the last one, because money after a refusal still
 * counts.
 */
export function forward(now: DepositStatus, next: DepositStatus): DepositStatus {
  return RANK[next] > RANK[now] ? next : now
}

/** Returns the record status of an in-app invoice: APPROVE after a credit, REJECT if it expired unpaid. */
export function recordStatus(state: InvoiceState, facts: InvoiceFacts): DepositStatus {
  if (facts.credited > 0n) return 'APPROVE'
  return (state === 'expired' || state === 'closed') && facts.seen === 0n ? 'REJECT' : 'PENDING'
}

const ENDED: ReadonlySet<PaymentStatus> = new Set(['failed', 'refunded', 'expired'])

/**
 * Returns a hosted order's record status.
 * @param payments status of each payment, and whether it was credited
 */
export function orderStatus(payments: readonly { status: string; credited: boolean }[]): DepositStatus {
  if (payments.some((payment) => payment.credited)) return 'APPROVE'
  const finalStates: ReadonlySet<string> = ENDED
  return payments.length > 0 && payments.every((payment) => finalStates.has(payment.status)) ? 'REJECT' : 'PENDING'
}
