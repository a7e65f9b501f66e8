import { mulDiv, type Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { moveCounters, subtractFromWeeks } from './reward-counters.ts'

/** Coin to reverse referral rewards for: units by buyer, the time, and optionally one purchase. */
interface CoinToReverse {
  coins: ReadonlyMap<bigint, Units>
  at: Date
  purchaseId?: bigint
}

/** A pending referral reward reversed in whole or in part. */
export interface ReversedReferral {
  id: bigint
  /** The buyer. */
  memberId: bigint
  beneficiaryId: bigint
  /** Base reversed now, and before, in coin units. */
  coin: Units
  baseBefore: Units
  /** The whole base in coin units, and the new money that bought it in USD units. */
  base: Units
  newMoney: Units
  /** Reward reversed now, in coin units. */
  back: Units
  amount: Units
  createdAt: Date
  in_counters: boolean
  /** True if the whole reward is reversed. */
  fell: boolean
}

/** Returns the new money that bought the next part of a reversed reward's base, in USD units. The sum over all parts is rounded down. */
export const newMoneyOfPart = ({ base, baseBefore, newMoney }: ReversedReferral, part: Units): Units =>
  mulDiv(newMoney, baseBefore + part, base, 'down') - mulDiv(newMoney, baseBefore, base, 'down')

/**
 * Reverses pending referral rewards in proportion to the coin, rounded up (invariant I19), newest purchase first. With a purchase id,
 * reverses only the rest of this purchase's reward (functions.sql). Locks only the changed rewards.
 * @param tx a transaction that locks the buyers' wallets, so that no other transaction reverses these rewards
 * @returns the reversed rewards, newest first
 */
export async function reverseReferrals(tx: Tx, { coins, at, purchaseId }: CoinToReverse): Promise<ReversedReferral[]> {
  const found = await sql<ReversedReferral>`
    select * from reward_reverse_referrals(${[...coins.keys()]}, ${[...coins.values()]}, ${at}, ${purchaseId ?? null})`.execute(tx)
  await countOut(tx, found.rows)
  return found.rows
}

/** Subtracts the reversed parts from the counters of the lists. */
async function countOut(
  tx: Tx,
  rows: readonly Pick<ReversedReferral, 'beneficiaryId' | 'createdAt' | 'back' | 'in_counters' | 'fell' | 'amount'>[],
) {
  const counted = rows.filter((row) => row.in_counters)
  await subtractFromWeeks(
    tx,
    counted.map((row) => ({ memberId: row.beneficiaryId, kind: 'referral', createdAt: row.createdAt, back: row.back })),
  )
  const [from, to] = ['held', 'reversed']
  await moveCounters(
    tx,
    counted.filter((row) => row.fell).map(({ beneficiaryId: memberId, amount }) => ({ memberId, kind: 'referral', from, to, amount })),
  )
}

/** Returns true if a coin purchase has a referral reward, reversed or not. */
export async function hasReferral(tx: Tx, purchaseId: bigint): Promise<boolean> {
  const found =
    await sql`select from reward_instant where cause_id = ${purchaseId} and kind = 'referral' and status <> 'unearned' limit 1`.execute(tx)
  return found.rows.length > 0
}

/** Returns the coin units in a member's pending referral rewards that some new money bought, newest first. */
export async function heldCoinFor(tx: Tx, memberId: bigint, newMoney: Units, at: Date): Promise<Units> {
  const found = await sql<{ coin: Units }>`
    select coalesce(sum(case when taken <= ${newMoney} then rest
      else least(rest, ceil(rest::numeric * (${newMoney} - taken + usd) / usd)) end), 0)::bigint as coin
    from (select rest, usd, sum(usd) over (order by id desc) as taken from (
        select id, base - base_returned as rest, new_money - div(new_money::numeric * base_returned, base) as usd from reward_instant
        where source_member_id = ${memberId} and kind = 'referral' and status = 'held' and release_at > ${at}) held) summed
    where taken - usd < ${newMoney}`.execute(tx)
  return found.rows[0]?.coin ?? 0n
}

/** Records the rewards reversed by a bridge, in case its coin returns. */
export async function recordSentCoin(tx: Tx, payoutId: bigint, reversed: readonly ReversedReferral[]): Promise<void> {
  if (reversed.length === 0) return
  await sql`insert into reward_sent_coin (payout_id, reward_id, coin)
    select ${payoutId}, id, coin from unnest(${reversed.map((one) => one.id)}::bigint[], ${reversed.map((one) => one.coin)}::bigint[]) r (id, coin)`.execute(
    tx,
  )
}

/** Deletes the bridged-coin records for a purchase: its reward is not restored any more. */
export async function deleteSentCoin(tx: Tx, purchaseId: bigint): Promise<void> {
  await sql`delete from reward_sent_coin s using reward_instant i
    where i.cause_id = ${purchaseId} and i.kind = 'referral' and s.reward_id = i.id`.execute(tx)
}

/** Makes referral rewards reversed by a bridge pending again. Rewards paid or cancelled since stay unchanged. */
export async function restoreSentCoin(tx: Tx, payoutId: bigint): Promise<void> {
  const found = await sql<Omit<ReversedReferral, 'memberId'>>`select * from reward_restore_sent_coin(${payoutId})`.execute(tx)
  const counted = found.rows.filter((row) => row.in_counters)
  await subtractFromWeeks(
    tx,
    counted.map((row) => ({ memberId: row.beneficiaryId, kind: 'referral', createdAt: row.createdAt, back: -row.back })),
  )
  const [from, to] = ['reversed', 'held']
  await moveCounters(
    tx,
    counted.filter((row) => row.fell).map(({ beneficiaryId: memberId, amount }) => ({ memberId, kind: 'referral', from, to, amount })),
  )
}
