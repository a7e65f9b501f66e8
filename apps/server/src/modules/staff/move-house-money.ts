import type { Units } from '@tizara/money'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { memberByPublicId } from '../members/index.ts'
import { assertStaff, type StaffActor } from './actor.ts'
import { applyChange } from './apply-change.ts'
import type { Change } from './change-subjects.ts'
import { queueForDecision, takesTwo } from './decide-alone.ts'
import { proposeChange } from './propose-change.ts'

type MoneyChange = Extract<Change, { subject: 'credit' | 'fund' }>

/** What became of it: done at once, or filed as a change that waits for another person. */
export type MoneyOutcome = { done: true } | { done: false; changeId: string }

/**
 * Credits coin to the RCM wallet of a special member (MF-25, RW-10). Above the limit another member of staff has to approve
 * it.
 * @throws AppError STAFF_ONLY, NOT_FOUND, SPECIAL_MEMBERS_ONLY, NOT_COVERED, FOUR_EYES for an own account
 */
export async function creditMember(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; amount: Units; reason: string },
): Promise<MoneyOutcome> {
  await queueForDecision(tx)
  await assertStaff(tx, actor, 'creditRcm')
  const member = await memberByPublicId(tx, input.id)
  if (member === undefined) throw new AppError('NOT_FOUND')
  const value = { memberId: member.public_id, email: member.email, amount: input.amount }
  return moveOrFile(tx, deps, actor, { subject: 'credit', value, reason: input.reason }, member.id)
}

/**
 * Moves money into the reward pool, with the same limit. The operator's own money from outside always takes two.
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
  return moveOrFile(tx, deps, actor, { subject: 'fund', value, reason }, actor.memberId)
}

/** @param memberId whom it is credited to; the actor where it stays the house's */
async function moveOrFile(tx: Tx, deps: Deps, actor: StaffActor, change: MoneyChange, memberId: bigint): Promise<MoneyOutcome> {
  if (await needsTwo(tx, deps, actor, change, memberId)) return { done: false, changeId: await proposeChange(tx, deps, actor, change) }
  await applyChange(tx, deps, change, { maker: actor })
  return { done: true }
}

async function needsTwo(tx: Tx, deps: Deps, actor: StaffActor, change: MoneyChange, memberId: bigint): Promise<boolean> {
  if (change.subject === 'fund' && change.value.source === 'operator') return true
  const asset = change.subject === 'credit' || change.value.asset === 'coin' ? 'COIN' : 'USD'
  return takesTwo(tx, deps, actor, { asset, amount: change.value.amount, memberId })
}
