import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { endSessionsOf } from '../../auth/index.ts'
import { lockMember, type Member, memberByPublicId, setActive, setSpecialRcm, setStaffRank } from '../../members/index.ts'
import { rankMember } from '../../rewards/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import type { MoneyOutcome } from '../rewards/move-house-money.ts'
import { queueForApproval } from '../proposals/kinds/plan-changes.ts'
import { proposeChange } from '../proposals/propose-change.ts'
import type { StaffRight } from '../access/rights.ts'
import { shareTraces } from '../duties/shared-traces.ts'

/** Something that staff decide about a member. */
export interface MemberDecision {
  /** The member's id on the wire. */
  id: string
  reason: string
}

/** As `lockOther`, for what may be filed as a change: like an approval it takes its place in the queue before the member's row. */
async function lockToFile(tx: Tx, actor: StaffActor, right: StaffRight, publicId: string): Promise<Member> {
  await queueForApproval(tx)
  return lockOther(tx, actor, right, publicId)
}

/** The member, locked; nobody decides about an own account, or about one that looks like a second one of theirs. */
export async function lockOther(tx: Tx, actor: StaffActor, right: StaffRight, publicId: string): Promise<Member> {
  await assertStaff(tx, actor, right)
  const found = await memberByPublicId(tx, publicId)
  if (found === undefined) throw new AppError('NOT_FOUND')
  if (found.id === actor.memberId || (await shareTraces(tx, actor.memberId, found.id))) throw new AppError('FOUR_EYES')
  return lockMember(tx, found.id)
}

export const subjectOf = (member: Member) => ({ type: 'member', id: member.public_id })

/**
 * Blocks a member, which ends all sessions at once (RO-16, RO-17, invariant I14). Their access tokens still read the profile,
 * which says so, as long as they last and the block does. Letting in again, and either of somebody of the staff, is filed as a
 * change: one may stop what is there, two let it go on.
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for an own account, ALREADY_DECIDED for one who is not blocked
 */
export async function setMemberStatus(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  decision: MemberDecision & { status: boolean },
): Promise<MoneyOutcome> {
  const member = await lockToFile(tx, actor, 'setMemberStatus', decision.id)
  if (decision.status && member.is_active) throw new AppError('ALREADY_DECIDED')
  if (decision.status || member.role !== 'MEMBER') {
    const value = { memberId: member.public_id, email: member.email, status: decision.status }
    return { done: false, changeId: await proposeChange(tx, deps, actor, { subject: 'status', value, reason: decision.reason }) }
  }
  const at = deps.clock.now()
  await setActive(tx, { id: member.id, isActive: false, at })
  const ended = await endSessionsOf(tx, member.id, 'blocked', at)
  await auditStaff(tx, deps, actor, {
    action: 'member.block',
    subject: subjectOf(member),
    reason: decision.reason,
    detail: { before: member.is_active, after: false, sessionsEnded: ended },
  })
  return { done: true }
}

/**
 * Makes a member ordinary, or files that one becomes special (RO-17): only special members are given coin.
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for an own account, ALREADY_DECIDED for one who is special
 */
export async function flagSpecialRcm(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  decision: MemberDecision & { isSpecialRcm: boolean },
): Promise<MoneyOutcome> {
  const member = await lockToFile(tx, actor, 'setSpecialRcm', decision.id)
  if (decision.isSpecialRcm) {
    if (member.is_special_rcm) throw new AppError('ALREADY_DECIDED')
    const value = { memberId: member.public_id, email: member.email }
    return { done: false, changeId: await proposeChange(tx, deps, actor, { subject: 'special', value, reason: decision.reason }) }
  }
  await setSpecialRcm(tx, { id: member.id, isSpecialRcm: false, at: deps.clock.now() })
  await auditStaff(tx, deps, actor, {
    action: 'member.special-rcm',
    subject: subjectOf(member),
    reason: decision.reason,
    detail: { before: member.is_special_rcm, after: false },
  })
  return { done: true }
}

/**
 * Files that a member gets a rank which the programme leaves alone, or lets the programme rank again (RO-17).
 * @param decision about whom, the rank or null, and why
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for an own account, ALREADY_DECIDED for the rank that staff have given
 */
export async function giveRank(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  { id, rank, reason }: MemberDecision & { rank: string | null },
): Promise<MoneyOutcome> {
  const member = await lockToFile(tx, actor, 'setMemberRank', id)
  if (rank !== null) {
    if (member.rank_by_staff && member.rank === rank) throw new AppError('ALREADY_DECIDED')
    const value = { memberId: member.public_id, email: member.email, rank }
    return { done: false, changeId: await proposeChange(tx, deps, actor, { subject: 'rank', value, reason }) }
  }
  const at = deps.clock.now()
  await setStaffRank(tx, { id: member.id, rank: null, at })
  await rankMember(tx, member.id, at)
  await auditStaff(tx, deps, actor, {
    action: 'member.rank',
    subject: subjectOf(member),
    reason,
    detail: { before: member.rank, after: null },
  })
  return { done: true }
}

/**
 * Ends all sessions of a member (ASVS 7.4.5). About somebody of the staff it is filed as a change: that takes two.
 * @returns how many ended, or the change
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for an own account
 */
export async function endMemberSessions(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  decision: MemberDecision,
): Promise<{ ended: number } | { changeId: string }> {
  const member = await lockToFile(tx, actor, 'endMemberSessions', decision.id)
  if (member.role !== 'MEMBER') {
    const value = { memberId: member.public_id, email: member.email }
    return { changeId: await proposeChange(tx, deps, actor, { subject: 'sessions', value, reason: decision.reason }) }
  }
  const ended = await endSessionsOf(tx, member.id, 'ended-by-staff', deps.clock.now())
  await auditStaff(tx, deps, actor, {
    action: 'member.end-sessions',
    subject: subjectOf(member),
    reason: decision.reason,
    detail: { sessionsEnded: ended },
  })
  return { ended }
}
