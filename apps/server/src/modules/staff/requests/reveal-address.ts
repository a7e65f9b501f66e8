import type { QueueKind } from '@tizara/contract/staff-queues'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { memberById } from '../../members/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { findRequest } from './queue-detail.queries.ts'

/**
 * Shows a payout's full address. The audit entry is written first, and the member reads it in the profile.
 * @throws AppError STAFF_ONLY, NOT_FOUND also for a deposit
 */
export async function revealAddress(tx: Tx, deps: Deps, actor: StaffActor, { kind, id }: { kind: QueueKind; id: string }): Promise<string> {
  await assertStaff(tx, deps, actor, 'revealRequestAddress')
  const payout = await findRequest(tx, kind, id)
  const member = await memberById(tx, payout.memberId)
  if (payout.queue === 'deposits' || member === undefined) throw new AppError('NOT_FOUND')
  const subject = { type: 'member', id: member.public_id }
  await auditStaff(tx, deps, actor, { action: 'member.reveal', subject, detail: { field: 'address', request: id } })
  return payout.address
}
