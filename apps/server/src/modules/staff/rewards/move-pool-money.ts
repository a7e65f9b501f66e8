import type { Units } from '@tizara/money'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertStaff, type StaffActor } from '../access/actor.ts'
import type { ProposalOutcome } from '../access/bind-staff-actions.ts'
import { applyProposal } from '../proposals/apply-proposal.ts'
import type { Proposal } from '../proposals/proposal.ts'
import { queueForDecision, requiresSecondApproval } from '../duties/approval-limits.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'

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
