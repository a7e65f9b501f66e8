import type { ReplyOf } from '@tizara/contract'
import type { staffQueueItem } from '@tizara/contract/staff-queues'
import { ApiError } from '../../../lib/http/api.ts'
import { randomHex } from '../../../lib/proofs/random-hex.ts'

export type QueueDetail = ReplyOf<typeof staffQueueItem>
/** A queue row: the item without fields of its detail call. */
export type QueueRow = Omit<QueueDetail, 'checks' | 'about' | 'effect' | 'payments' | 'returnable' | 'returns'>

/** Assignment filter: the reader's items, those of others, or decided ones. */
export type QueueFilter = 'me' | 'others' | 'decided'

/** Name and texts of a queue. */
export interface QueueWords {
  list: 'payouts' | 'deposits'
  path: string
  one: string
  /** Label of the tab with items that the reader cannot decide. */
  others: string
  /** Suggested reasons for approval. */
  reasons: readonly [string, string, string]
}

export const payouts: QueueWords = {
  list: 'payouts',
  path: '/staff/payouts',
  one: 'payout',
  others: 'For others',
  reasons: ['Confirmed with the member', 'Known address', 'Matches the history'],
}

export const deposits: QueueWords = {
  list: 'deposits',
  path: '/staff/deposits',
  one: 'deposit',
  others: 'Not paid yet',
  reasons: ['Seen at the provider', 'Confirmed with the member', 'Matches the invoice'],
}

export const rejections = ['The member asked for it', 'Address of another person', 'Could not be confirmed'] as const

export const nameOf = (kind: QueueRow['kind']): string => ({ withdrawals: 'USD payout', bridges: 'Bridge', deposits: 'Deposit' })[kind]

/** Returns the amount paid or credited on approval. */
export const amountToPay = (row: QueueRow): bigint => (row.kind === 'deposits' ? (row.credit ?? 0n) : (row.received ?? row.amount))

/** Returns true if approval needs a reason: the item is flagged, or it is the second approval. */
export const approvalNeedsReason = (row: QueueRow): boolean => (row.signs ?? []).length > 0 || (row.approvals ?? []).length > 0

/** Returns true if an approval can be undone for five seconds and batched: unflagged, within the limit, no second approval. */
export function isSimple(row: QueueRow): boolean {
  return (
    row.canDecide === true &&
    row.whyNot === undefined &&
    (row.signs ?? []).length === 0 &&
    (row.approvals ?? []).length === 0 &&
    row.approvalsNeeded !== 2
  )
}

const MAX_ATTEMPTS = 3

/**
 * Sends an idempotent money call with up to two retries on network errors and overload.
 * @throws ApiError when all attempts fail, or the server rejects the call
 */
export async function retryCall<T>(make: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await make()
    } catch (error) {
      const passing = error instanceof ApiError && (!error.fromServer || error.statusCode >= 500 || error.statusCode === 409)
      if (!passing || attempt === MAX_ATTEMPTS) throw error
      await new Promise((go) => setTimeout(go, 400 * attempt))
    }
  }
}

/** Returns the draft location of a person's reason for an item. */
export const draftOf = (personId: string, row: Pick<QueueRow, 'kind' | 'id'>): string => `${personId}:${row.kind}:${row.id}`

/** Creates an idempotency key for one decision: 128 random bits. */
export const newKey = (): string => randomHex(16)
