import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { memberByPublicId } from '../../members/index.ts'
import { sumPending } from '../../rewards/index.ts'
import { assertStaff, type StaffActor } from '../access/actor.ts'
import { sourceOf } from '../proposals/kinds/reward-cancellation.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'

/**
 * Proposes to revoke a member's pending rewards. It always requires a second person, because members lose money. Later earnings
 * are not affected.
 * @param input the member's public id, the buyer's or staker's email to limit the revocation, and the reason
 * @returns the proposal's public id
 * @throws AppError STAFF_ONLY, NOT_FOUND, USER_NOT_FOUND, FOUR_EYES for the actor's account, INVALID_INPUT if nothing is
 * pending
 */
export async function proposeRewardCancellation(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; from?: string | undefined; reason: string },
): Promise<string> {
  await assertStaff(tx, deps, actor, 'cancelRewards')
  const member = await memberByPublicId(tx, input.id)
  if (member === undefined) throw new AppError('NOT_FOUND')
  const { newest, ...sums } = await sumPending(tx, { memberId: member.id, sourceId: await sourceOf(tx, input.from ?? null) })
  if (sums.rewards === 0) throw new AppError('INVALID_INPUT', {}, [{ path: 'id', message: 'No rewards are pending' }])
  const value = { memberId: member.public_id, email: member.email, from: input.from ?? null, newest: String(newest), ...sums }
  return submitProposal(tx, deps, actor, { subject: 'cancel-rewards', value, reason: input.reason })
}
