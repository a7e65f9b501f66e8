import type { Units } from '@tizara/money'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { memberByPublicId } from '../../members/index.ts'
import { assertStaff, type StaffActor } from '../access/actor.ts'
import { applyChange } from '../proposals/kinds/apply-change.ts'
import type { Change } from '../proposals/kinds/change-subjects.ts'
import { queueForDecision, takesTwo } from '../duties/decide-alone.ts'
import { proposeChange } from '../proposals/propose-change.ts'

/** What became of it: done at once, or filed as a change that waits for another person. */
export type MoneyOutcome = { done: true } | { done: false; changeId: string }

/**
 * Files that coin is credited to the RCM wallet of a special member (MF-25, RW-10). It always takes a second person: nothing else
 * of the house is given for nothing.
 * @returns the change's id on the wire
 * @throws AppError STAFF_ONLY, NOT_FOUND, SPECIAL_MEMBERS_ONLY, NOT_COVERED, FOUR_EYES for an own account
 */
export async function creditMember(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; amount: Units; reason: string },
): Promise<string> {
  await assertStaff(tx, actor, 'creditRcm')
  const member = await memberByPublicId(tx, input.id)
  if (member === undefined) throw new AppError('NOT_FOUND')
  const value = { memberId: member.public_id, email: member.email, amount: input.amount }
  return proposeChange(tx, deps, actor, { subject: 'credit', value, reason: input.reason })
}

/**
 * Moves money into the reward pool; above what one may decide alone, and the operator's own money from outside, another member
 * of staff has to approve it.
 * @throws AppError STAFF_ONLY, INSUFFICIENT_BALANCE, COIN_SOLD_OUT
 */
export async function fundPool(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { asset: 'usd' | 'coin'; amount: Units; source: 'stock' | 'operator'; reason: string },
): Promise<MoneyOutcome> {
  await queueForDecision(tx)
  await assertStaff(tx, actor, 'fundRewardPool')
  const { reason, ...value } = input
  const change: Change = { subject: 'fund', value, reason }
  const asset = input.asset === 'coin' ? 'COIN' : 'USD'
  const { amount, source } = input
  if (source === 'operator' || (await takesTwo(tx, deps, actor, { asset, amount, memberId: actor.memberId })))
    return { done: false, changeId: await proposeChange(tx, deps, actor, change) }
  await applyChange(tx, deps, change, { maker: actor })
  return { done: true }
}
