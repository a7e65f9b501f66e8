import type { QueueKind } from '@tizara/contract/staff-queues'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { newestOf, recordAudit } from '../../audit/index.ts'
import type { FirstApproval } from '../../../platform/db/first-approval.ts'

/** What gives a first word about a subject, and what takes it back or uses it up. */
export const WORDS = {
  change: ['staff.change.propose', 'staff.change.approve', 'staff.change.refuse', 'staff.change.cancel', 'staff.change.fall'],
  request: ['staff.request.first-approval', 'staff.request.take-back', 'staff.request.approve', 'staff.request.reject'],
} as const

/** The word that opens a change or a request for a second one. */
export const FIRST_WORD = { change: WORDS.change[0], request: WORDS.request[0] } as const

/** The word for what fell without a decision. */
const FALLEN = { change: 'staff.change.fall', request: 'staff.request.take-back' } as const

/** A change as the subject of what was done. */
export const asChange = (id: string) => ({ type: 'change' as const, id })

/**
 * Refuses a first of two whose word is not the last one that the trail has: a seal says what somebody said, not that it was
 * never taken back. Whoever puts a row back as it once was would have to shorten the trail too, which its kept heads tell.
 * @param first whom the row names, and when
 * @throws AppError APPROVAL_FORGED
 */
export async function assertLastWord(
  db: Db,
  words: keyof typeof WORDS,
  subject: { type: string; id: string },
  first: FirstApproval,
): Promise<void> {
  const last = await newestOf(db, subject, WORDS[words])
  const stands = last?.action === FIRST_WORD[words] && last.actor_id === first.by && last.at.getTime() === first.at.getTime()
  if (!stands) throw new AppError('APPROVAL_FORGED')
}

/**
 * Writes down what fell without anybody deciding about it, so that it stays fallen; call it last in the transaction.
 * @param fallen changes, or first approvals of requests in a queue, by their ids on the wire
 */
export async function auditFallen(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  fallen: readonly { type: 'change' | QueueKind; id: string }[],
  reason: string,
): Promise<void> {
  for (const subject of fallen) {
    const action = FALLEN[subject.type === 'change' ? 'change' : 'request']
    await recordAudit(tx, { at: deps.clock.now(), actorId: null, actorRole: 'SYSTEM', action, subject, reason, outcome: 'ok' })
  }
}
