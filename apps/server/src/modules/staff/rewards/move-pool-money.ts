import type { Units } from '@tizara/money'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { memberByPublicId } from '../../members/index.ts'
import { assertStaff, type StaffActor } from '../access/actor.ts'
import { applyProposal } from '../proposals/apply-proposal.ts'
import type { Proposal } from '../proposals/proposal.ts'
import { queueForDecision, requiresSecondApproval } from '../duties/approval-limits.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'

/** Outcome of an action: done at once, or a proposal that another person must approve. */
export type ProposalOutcome = { done: true } | { done: false; proposalId: string }

/**
 * Proposes a coin credit to a special member's RCM wallet [MF-25, RW-10]. It always requires a second person, because the
 * member pays nothing.
 * @returns the proposal's public id
 * @throws AppError STAFF_ONLY, NOT_FOUND, SPECIAL_MEMBERS_ONLY, NOT_COVERED, FOUR_EYES for the actor's account
 */
export async function creditMember(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; amount: Units; reason: string },
): Promise<string> {
  await assertStaff(tx, deps, actor, 'creditRcm')
  const member = await memberByPublicId(tx, input.id)
  if (member === undefined) throw new AppError('NOT_FOUND')
  const value = { memberId: member.public_id, email: member.email, amount: input.amount }
  return submitProposal(tx, deps, actor, { subject: 'credit', value, reason: input.reason })
}

/**
 * Moves money into the reward pool or the sales fund. Another staff member must approve external money, or amounts above the
 * solo limit.
 * @throws AppError STAFF_ONLY, INVALID_INPUT, SALES_FUND_SHORT, COIN_SOLD_OUT
 */
export async function fundPool(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { asset: 'usd' | 'coin'; amount: Units; source: 'stock' | 'operator'; into: 'rewards' | 'sales'; reason: string },
): Promise<ProposalOutcome> {
  await queueForDecision(tx)
  await assertStaff(tx, deps, actor, 'fundRewardPool')
  const { reason, ...value } = input
  const proposal: Proposal = { subject: 'fund', value, reason }
  const asset = input.asset === 'coin' ? 'COIN' : 'USD'
  const { amount, source } = input
  if (source === 'operator' || (await requiresSecondApproval(tx, deps, actor, { asset, amount, memberId: actor.memberId })))
    return { done: false, proposalId: await submitProposal(tx, deps, actor, proposal) }
  await applyProposal(tx, deps, proposal, { proposer: actor })
  return { done: true }
}

/**
 * Proposes to send money of the sales fund to an address of the operator. It always requires a second person.
 * @returns the proposal's public id
 * @throws AppError STAFF_ONLY, NOT_APPROVED, INVALID_ADDRESS, PROCEEDS_SHORT
 */
export async function proposeProceeds(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  { reason, amount, address }: { amount: Units; address: string; reason: string },
): Promise<string> {
  await assertStaff(tx, deps, actor, 'proposeProceeds')
  return submitProposal(tx, deps, actor, { subject: 'proceeds', value: { amount, address: address.toLowerCase() }, reason })
}
