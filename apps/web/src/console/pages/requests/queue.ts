import type { ReplyOf } from '@tizara/contract'
import type { staffQueueItem } from '@tizara/contract/staff-queues'
import { ApiError } from '../../../lib/api.ts'
import { randomHex } from '../../../lib/random-hex.ts'

export type QueueDetail = ReplyOf<typeof staffQueueItem>
/** A row of the list: the item without what only its own call reads. */
export type QueueRow = Omit<QueueDetail, 'checks' | 'about' | 'effect' | 'payments'>

/** Whose items: those of the reader, of somebody else, or decided ones. */
export type Whose = 'me' | 'others' | 'decided'

/** What a queue is called and how it speaks. */
export interface QueueWords {
  list: 'payouts' | 'deposits'
  path: string
  one: string
  /** Of the tab with what this person cannot decide. */
  others: string
  /** Ready reasons of an approval. */
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

export const rejections = ['The member asked for it', 'Address of somebody else', 'Could not be confirmed'] as const

export const nameOf = (kind: QueueRow['kind']): string => ({ withdrawals: 'USD payout', bridges: 'Bridge', deposits: 'Deposit' })[kind]

/** What arrives, or is credited, if it is approved. */
export const payoff = (row: QueueRow): bigint => (row.kind === 'deposits' ? (row.credit ?? 0n) : (row.received ?? row.amount))

/** Whether a reason is needed to approve: flagged, or the second of two. */
export const approvalNeedsReason = (row: QueueRow): boolean => (row.signs ?? []).length > 0 || (row.approvals ?? []).length > 0

/** Whether it may wait five seconds for an undo, and be done with others: unflagged, at or below the limit, its only approval. */
export function isSimple(row: QueueRow): boolean {
  return (
    row.canDecide === true &&
    row.whyNot === undefined &&
    (row.signs ?? []).length === 0 &&
    (row.approvals ?? []).length === 0 &&
    row.approvalsNeeded !== 2
  )
}

const TRIES = 3

/**
 * Makes a call of money that may be repeated under its key: a broken network and a busy server get two more tries.
 * @throws ApiError when all fail, or the server refuses
 */
export async function insist<T>(make: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await make()
    } catch (error) {
      const passing = error instanceof ApiError && (!error.fromServer || error.statusCode >= 500 || error.statusCode === 409)
      if (!passing || tried === TRIES) throw error
      await new Promise((go) => setTimeout(go, 400 * tried))
    }
  }
}

/** Where the reason for an item is kept until it is sent, for one person. */
export const draftOf = (personId: string, row: Pick<QueueRow, 'kind' | 'id'>): string => `${personId}:${row.kind}:${row.id}`

/** A key for one decision: 128 random bits. */
export const newKey = (): string => randomHex(16)
