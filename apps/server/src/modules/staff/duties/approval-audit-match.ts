import type { QueueKind } from '@tizara/contract/staff-queues'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { latestActionOn, recordAudit } from '../../audit/index.ts'
import type { FirstApproval } from '../../../platform/db/first-approval.ts'

/** Audit actions on a proposal or request: the first approval, and the actions that end it. */
export const APPROVAL_ACTIONS = {
  change: ['staff.change.propose', 'staff.change.approve', 'staff.change.reject', 'staff.change.cancel', 'staff.change.expire'],
  request: ['staff.request.first-approval', 'staff.request.revoke-approval', 'staff.request.approve', 'staff.request.reject'],
} as const

/** Audit action for a first approval. */
export const FIRST_APPROVAL = { change: APPROVAL_ACTIONS.change[0], request: APPROVAL_ACTIONS.request[0] } as const

/** Audit action for an automatic expiry. */
const EXPIRED = { change: 'staff.change.expire', request: 'staff.request.revoke-approval' } as const

/** A proposal's audit subject. */
export const proposalSubject = (id: string) => ({ type: 'change' as const, id })

/**
 * Rejects a first approval unless it is the latest audit entry for this subject. The MAC does not prove that the approval was never
 * revoked. An attacker who restores an old row would also have to truncate the audit log. Its stored heads reveal that.
 * @param first the person and time in the row
 * @throws AppError APPROVAL_FORGED
 */
export async function assertMatchesLatestAuditEntry(
  db: Db,
  actions: keyof typeof APPROVAL_ACTIONS,
  subject: { type: string; id: string },
  first: FirstApproval,
): Promise<void> {
  const last = await latestActionOn(db, subject, APPROVAL_ACTIONS[actions])
  const matches = last?.action === FIRST_APPROVAL[actions] && last.actor_id === first.by && last.at.getTime() === first.at.getTime()
  if (!matches) throw new AppError('APPROVAL_FORGED')
}

/**
 * Writes audit entries for expired work, so that it cannot be approved later. Call it last in the transaction.
 * @param expired proposals, or requests' first approvals, by public id
 */
export async function auditExpired(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  expired: readonly { type: 'change' | QueueKind; id: string }[],
  reason: string,
): Promise<void> {
  for (const subject of expired) {
    const action = EXPIRED[subject.type === 'change' ? 'change' : 'request']
    await recordAudit(tx, { at: deps.clock.now(), actorId: null, actorRole: 'SYSTEM', action, subject, reason, outcome: 'ok' })
  }
}
