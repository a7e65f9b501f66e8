import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { lockMembers, type Member, memberById, memberByPublicId, recordSuspender } from '../../members/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import type { StaffRight } from '../access/rights.ts'
import { assertMaySuspend, isRepeat, isSuspended } from '../access/suspension.rules.ts'
import { lockApprovals } from '../proposals/reschedule.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'
import type { ProposalOutcome } from '../access/bind-staff-actions.ts'
import { suspendRights } from '../access/suspend-rights.ts'

interface Suspension {
  /** The colleague's public id. */
  id: string
  reason: string
}

/** Locks both rows in id order, so that two people who suspend each other at once do not deadlock. */
async function lockBoth(tx: Tx, deps: Deps, actor: StaffActor, right: StaffRight, publicId: string): Promise<[Member, Member]> {
  await lockApprovals(tx)
  const found = await memberByPublicId(tx, publicId)
  await lockMembers(tx, [actor.memberId, found?.id ?? actor.memberId])
  await assertStaff(tx, deps, actor, right)
  const [self, holder] = [await memberById(tx, actor.memberId), found && (await memberById(tx, found.id))]
  if (self === undefined || holder === undefined || holder.role === 'MEMBER') throw new AppError('NOT_FOUND')
  if (holder.id === self.id) throw new AppError('FOUR_EYES')
  return [self, holder]
}

/**
 * Suspends a colleague's staff rights for an hour, without a second person. During this hour the suspender can neither propose nor decide.
 * A person can suspend one colleague within 24 hours. A second suspension of the same colleague within 7 days becomes a proposal.
 * @throws AppError STAFF_ONLY, NOT_FOUND for a person outside the staff, FOUR_EYES for the actor, SUSPENSION_LIMIT
 */
export async function suspendColleague(tx: Tx, deps: Deps, actor: StaffActor, { id, reason }: Suspension): Promise<ProposalOutcome> {
  const [self, holder] = await lockBoth(tx, deps, actor, 'suspendColleague', id)
  const now = deps.clock.now()
  if (isRepeat(holder, now)) {
    const value = { memberId: holder.public_id, email: holder.email, suspended: true }
    return { done: false, proposalId: await submitProposal(tx, deps, actor, { subject: 'suspension', value, reason }) }
  }
  assertMaySuspend(self, now)
  await suspendRights(tx, deps, holder, reason)
  await recordSuspender(tx, { id: self.id, at: now })
  await auditStaff(tx, deps, actor, { action: 'suspend', subject: { type: 'member', id: holder.public_id }, reason })
  return { done: true }
}

/**
 * Proposes to lift a suspension. Another admin must approve.
 * @returns the proposal's public id
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for the actor, ALREADY_DECIDED for a person who is not suspended
 */
export async function proposeSuspensionLift(tx: Tx, deps: Deps, actor: StaffActor, { id, reason }: Suspension): Promise<string> {
  const [, holder] = await lockBoth(tx, deps, actor, 'liftSuspension', id)
  if (!isSuspended(holder, deps.clock.now())) throw new AppError('ALREADY_DECIDED')
  const value = { memberId: holder.public_id, email: holder.email, suspended: false }
  return submitProposal(tx, deps, actor, { subject: 'suspension', value, reason })
}
