import type { Units } from '@tizara/money'

/** What is known about an in-app invoice. Sums are over its transfers, in units of the token. */
export interface InvoiceFacts {
  /** Asked for. */
  due: Units
  /** Live transfers, confirmed or not. */
  seen: Units
  /** Transfers that were credited; kept when a deep reorganisation removes one later. */
  credited: Units
  /** Live transfers whose block is not younger than the expiry. */
  inTime: Units
  /** Whether a live transfer waits for its credit. */
  unconfirmed: boolean
  /** Chain time up to which everything has been seen; our own clock decides nothing. */
  scannedTo: Date
  expiresAt: Date
  watchedUntil: Date
}

export type InvoiceState = 'awaiting' | 'partial' | 'confirming' | 'settled' | 'expired' | 'closed'
type InvoiceReason = 'none' | 'underpaid' | 'overpaid' | 'late'

/** Where an invoice stands, and in what it differs from an exact payment in time. */
export interface InvoiceStanding {
  state: InvoiceState
  reason: InvoiceReason
}

/**
 * The state of an invoice: a pure function of facts, recomputed after each change, so that no event can be lost or
 * applied twice (ST-64, ST-70). The first rule that fits wins.
 */
export function invoiceState(facts: InvoiceFacts): InvoiceStanding {
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

/** What the invoice page reads (ST-66 to ST-69). */
export interface PageStatus {
  status: boolean
  payment_status: 'pending' | 'processing' | 'completed'
}

/**
 * The state in the words of the invoice page: `completed` with status false is success, status true is processing,
 * everything else waits.
 */
export function pageStatus(state: InvoiceState): PageStatus {
  if (state === 'settled') return { status: false, payment_status: 'completed' }
  if (state === 'confirming') return { status: true, payment_status: 'processing' }
  return { status: false, payment_status: 'pending' }
}
