import { AppError } from '../../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { endSessionsOf } from '../../../auth/index.ts'
import { dropFirstDepositApprovals } from '../../../deposits/index.ts'
import { lockMember, type Member, memberByPublicId, setActive } from '../../../members/index.ts'
import { dropFirstPayoutApprovals } from '../../../withdrawals/index.ts'
import { dropChangesOf } from './drop-changes.ts'
import { auditStaff } from '../../access/actor.ts'
import type { Change } from './change-subjects.ts'
import { auditFallen } from '../../duties/last-word.ts'
import { mailTakenRole } from '../../access/mail-admins.ts'
import { assertNotOwn } from '../../duties/not-own.ts'
import type { ChangeMakers } from '../../access/decider.ts'

/**
 * Blocks somebody of the staff, or lets anybody in again, for two others.
 * @throws AppError NOT_FOUND, FOUR_EYES for an own account
 */
export async function setStaffStatus(
  tx: Tx,
  deps: Deps,
  { value: { memberId, status }, reason }: Extract<Change, { subject: 'status' }>,
  makers: ChangeMakers,
): Promise<void> {
  const found = await lockColleague(tx, memberId, makers)
  const at = deps.clock.now()
  await setActive(tx, { id: found.id, isActive: status, at })
  const { maker, checkerId } = makers
  if (found.role === 'MEMBER' && checkerId !== undefined)
    await auditStaff(tx, deps, maker, {
      action: status ? 'member.unblock' : 'member.block',
      subject: { type: 'member', id: memberId },
      reason,
      detail: { before: found.is_active, after: status, approvedBy: String(checkerId) },
    })
  if (status) return
  await endSessionsOf(tx, found.id, 'blocked', at)
  if (found.role !== 'MEMBER') await mailTakenRole(tx, deps, found, 'is blocked')
  await dropWorkOf(tx, deps, found.id)
}

/**
 * Ends the sessions of somebody of the staff, for two others: one alone could keep all others out while acting.
 * @throws AppError NOT_FOUND, FOUR_EYES for an own account
 */
export async function endStaffSessions(tx: Tx, deps: Deps, memberId: string, makers: ChangeMakers): Promise<void> {
  const found = await lockColleague(tx, memberId, makers)
  await endSessionsOf(tx, found.id, 'ended-by-staff', deps.clock.now())
}

async function lockColleague(tx: Tx, memberId: string, { maker, checkerId }: ChangeMakers): Promise<Member> {
  const found = await memberByPublicId(tx, memberId)
  if (found === undefined) throw new AppError('NOT_FOUND')
  await assertNotOwn(tx, found.id, { maker, checkerId })
  return lockMember(tx, found.id)
}

/**
 * Lets fall what somebody who is no longer staff began: changes that wait for another one or for their start, and first
 * approvals. Nobody is the second person to one who is gone.
 */
export async function dropWorkOf(tx: Tx, deps: Deps, staffId: bigint): Promise<void> {
  // Rows of the queues come before the trail, as in every decision about them.
  const [payouts, deposits] = [await dropFirstPayoutApprovals(tx, staffId), await dropFirstDepositApprovals(tx, staffId)]
  await dropChangesOf(tx, deps, staffId, 'MEMBER')
  const queued = payouts.map(({ id, kind }) => ({ type: kind === 'bridge' ? ('bridges' as const) : ('withdrawals' as const), id }))
  const fallen = [...queued, ...deposits.map((id) => ({ type: 'deposits' as const, id }))]
  await auditFallen(tx, deps, fallen, 'Who gave it is no longer on the staff')
}
