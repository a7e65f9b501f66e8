import type { Units } from '@tizara/money'

/** Input for the state of an in-app invoice. Sums over the transfers are in token units. */
export interface InvoiceFacts {
  /** Requested amount. */
  due: Units
  /** Sum of live transfers, confirmed or not. */
  seen: Units
  /** Sum of credited transfers. A deep reorg that removes a credited transfer does not change this sum. */
  credited: Units
  /** Sum of live transfers in blocks up to the expiry. */
  inTime: Units
  /** True if a live transfer waits for its credit. */
  unconfirmed: boolean
  /** Chain time up to which the scan is complete. The server's clock does not affect the state. */
  scannedTo: Date
  expiresAt: Date
  watchedUntil: Date
}

export type InvoiceState = 'awaiting' | 'partial' | 'confirming' | 'settled' | 'expired' | 'closed'
type InvoiceReason = 'none' | 'underpaid' | 'overpaid' | 'late'

/** Invoice state, and its difference from an exact, timely payment. */
export interface InvoiceStateAndReason {
  state: InvoiceState
  reason: InvoiceReason
}

/**
 * Computes the state of an invoice from its rows (ST-64, ST-70). The state is computed again after each change, so that lost or repeated
 * events have no effect. The first matching rule applies.
 */
export function invoiceState(facts: InvoiceFacts): InvoiceStateAndReason {
  if (facts.credited >= facts.due) return { state: 'settled', reason: fullReason(facts) }
  if (facts.seen >= facts.due) return { state: 'confirming', reason: fullReason(facts) }
  if (facts.scannedTo > facts.watchedUntil && !facts.unconfirmed) {
    return { state: 'closed', reason: facts.credited > 0n ? 'underpaid' : 'none' }
  }
  if (facts.scannedTo > facts.expiresAt) return { state: 'expired', reason: facts.seen > 0n ? 'underpaid' : 'none' }
  if (facts.seen > 0n) return { state: 'partial', reason: 'underpaid' }
  return { state: 'awaiting', reason: 'none' }
}

function fullReason(facts: InvoiceFacts): InvoiceReason {
  if (facts.inTime < facts.due) return 'late'
  return facts.seen > facts.due ? 'overpaid' : 'none'
}

/** Status fields on the invoice page (ST-66 to ST-69). */
export interface PageStatus {
  status: boolean
  payment_status: 'pending' | 'processing' | 'completed'
}

/** Maps the state to the invoice page: `completed` with status false is success, status true is processing, and all else is pending. */
export function pageStatus(state: InvoiceState): PageStatus {
  if (state === 'settled') return { status: false, payment_status: 'completed' }
  if (state === 'confirming') return { status: true, payment_status: 'processing' }
  return { status: false, payment_status: 'pending' }
}
