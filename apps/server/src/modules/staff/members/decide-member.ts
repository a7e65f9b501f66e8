import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { revokeSessionsOf } from '../../auth/index.ts'
import { lockMember, type Member, requireMember, setActive, setSpecialRcm, setStaffRank } from '../../members/index.ts'
import { rankMember } from '../../rewards/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import type { ProposalOutcome } from '../access/bind-staff-actions.ts'
import { lockApprovals } from '../proposals/reschedule.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'
import type { StaffRight } from '../access/rights.ts'
import { assertNoConflictOfInterest } from '../duties/conflict-of-interest.ts'

export interface MemberDecision {
  id: string
  reason: string
}

/** Locks a member's row like `lockOther`, for an action that may become a proposal. Takes the approval lock before the row. */
async function lockToFile(tx: Tx, deps: Pick<Deps, 'clock'>, actor: StaffActor, right: StaffRight, publicId: string): Promise<Member> {
  await lockApprovals(tx)
  return lockOther(tx, deps, actor, right, publicId)
}

/**
 * Locks the member for a staff action.
 * @throws AppError FOUR_EYES for the staff member's own or a linked account
 */
export async function lockOther(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  actor: StaffActor,
  right: StaffRight,
  publicId: string,
): Promise<Member> {
  await assertStaff(tx, deps, actor, right)
  const found = await requireMember(tx, publicId)
  await assertNoConflictOfInterest(tx, [actor.memberId], [found.id])
  return lockMember(tx, found.id)
}

export const subjectOf = (member: Member) => ({ type: 'member', id: member.public_id })

/**
 * Blocks a member and ends all the member's sessions at once [RO-16, RO-17, I14]. Until they expire, access tokens can still read the
 * profile, which shows the block. Unblocking a member, or blocking a staff member, becomes a proposal.
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for the actor's account, ALREADY_DECIDED to unblock an active member
 */
export async function setMemberStatus(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  decision: MemberDecision & { status: boolean },
): Promise<ProposalOutcome> {
  const member = await lockToFile(tx, deps, actor, 'setMemberStatus', decision.id)
  if (decision.status && member.is_active) throw new AppError('ALREADY_DECIDED')
  if (decision.status || member.role !== 'MEMBER') {
    const value = { memberId: member.public_id, email: member.email, status: decision.status }
    return { done: false, proposalId: await submitProposal(tx, deps, actor, { subject: 'status', value, reason: decision.reason }) }
  }
  const at = deps.clock.now()
  await setActive(tx, { id: member.id, isActive: false, at })
  const endedSessions = await revokeSessionsOf(tx, member.id, 'blocked', at)
  await auditStaff(tx, deps, actor, {
    action: 'member.block',
    subject: subjectOf(member),
    reason: decision.reason,
    detail: { before: member.is_active, after: false, sessionsEnded: endedSessions },
  })
  return { done: true }
}

/**
 * Proposes a member's special status, or ends it [RO-17]. Only special members receive credits to an RCM wallet.
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for the actor's account, ALREADY_DECIDED if the member is special already
 */
export async function setRcmWalletAccess(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  decision: MemberDecision & { isSpecialRcm: boolean },
): Promise<ProposalOutcome> {
  const member = await lockToFile(tx, deps, actor, 'setSpecialRcm', decision.id)
  if (decision.isSpecialRcm) {
    if (member.is_special_rcm) throw new AppError('ALREADY_DECIDED')
    const value = { memberId: member.public_id, email: member.email }
    return { done: false, proposalId: await submitProposal(tx, deps, actor, { subject: 'special', value, reason: decision.reason }) }
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
 * Proposes a manual rank, or returns the rank to the programme [RO-17]. The programme does not change a manual rank.
 * @param decision the member, the rank or null, and the reason
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for the actor's account, ALREADY_DECIDED if staff already set this rank
 */
export async function setMemberRank(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  { id, rank, reason }: MemberDecision & { rank: string | null },
): Promise<ProposalOutcome> {
  const member = await lockToFile(tx, deps, actor, 'setMemberRank', id)
  if (rank !== null) {
    if (member.rank_by_staff && member.rank === rank) throw new AppError('ALREADY_DECIDED')
    const value = { memberId: member.public_id, email: member.email, rank }
    return { done: false, proposalId: await submitProposal(tx, deps, actor, { subject: 'rank', value, reason }) }
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
 * Ends all sessions of a member [ASVS 7.4.5]. For a staff member this becomes a proposal.
 * @returns the number of ended sessions, or the proposal
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for the actor's account
 */
export async function endMemberSessions(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  decision: MemberDecision,
): Promise<{ ended: number } | { proposalId: string }> {
  const member = await lockToFile(tx, deps, actor, 'endMemberSessions', decision.id)
  if (member.role !== 'MEMBER') {
    const value = { memberId: member.public_id, email: member.email }
    return { proposalId: await submitProposal(tx, deps, actor, { subject: 'sessions', value, reason: decision.reason }) }
  }
  const endedSessions = await revokeSessionsOf(tx, member.id, 'ended-by-staff', deps.clock.now())
  await auditStaff(tx, deps, actor, {
    action: 'member.end-sessions',
    subject: subjectOf(member),
    reason: decision.reason,
    detail: { sessionsEnded: endedSessions },
  })
  return { ended: endedSessions }
}
