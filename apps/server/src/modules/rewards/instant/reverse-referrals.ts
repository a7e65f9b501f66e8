import { mulDiv, type Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { moveTallies, takeFromWeeks } from './tally.ts'

/** Coin whose referral rewards are reversed: units by buyer, when, and of which purchase, if of one only. */
interface CoinToReverse {
  coins: ReadonlyMap<bigint, Units>
  at: Date
  purchaseId?: bigint
}

/** A pending referral reward that was reversed, whole or in part. */
export interface ReversedReferral {
  id: bigint
  /** The buyer. */
  memberId: bigint
  beneficiaryId: bigint
  /** Coin units of its base that were reversed now, and before. */
  coin: Units
  baseBefore: Units
  /** Coin units that the whole reward is a share of, and USD units of new money that had bought them. */
  base: Units
  newMoney: Units
  /** Coin units of reward that were reversed now. */
  back: Units
  amount: Units
  createdAt: Date
  tallied: boolean
  /** Whether nothing of it is left. */
  fell: boolean
}

/** The new money that had bought the next part of a reversed reward's base, in USD units, rounded down over all parts. */
export const newMoneyOfPart = ({ base, baseBefore, newMoney }: ReversedReferral, part: Units): Units =>
  mulDiv(newMoney, baseBefore + part, base, 'down') - mulDiv(newMoney, baseBefore, base, 'down')

/**
 * Reverses referral rewards that are within their hold period, in proportion to the coin, rounded up (invariant I19), newest
 * purchase first; or of one purchase all that is left (functions.sql). It locks only the rewards that it changes.
 * @param tx a transaction that holds the buyers' wallets, so that no other one reverses these rewards meanwhile
 * @returns what it reversed, newest first
 */
export async function reverseReferrals(tx: Tx, { coins, at, purchaseId }: CoinToReverse): Promise<ReversedReferral[]> {
  const found = await sql<ReversedReferral>`
    select * from reward_reverse_referrals(${[...coins.keys()]}, ${[...coins.values()]}, ${at}, ${purchaseId ?? null})`.execute(tx)
  await countOut(tx, found.rows)
  return found.rows
}

/** Takes reversed parts out of the figures of lists. */
async function countOut(
  tx: Tx,
  rows: readonly Pick<ReversedReferral, 'beneficiaryId' | 'createdAt' | 'back' | 'tallied' | 'fell' | 'amount'>[],
) {
  const counted = rows.filter((row) => row.tallied)
  await takeFromWeeks(
    tx,
    counted.map((row) => ({ memberId: row.beneficiaryId, kind: 'referral', createdAt: row.createdAt, back: row.back })),
  )
  const [from, to] = ['held', 'reversed']
  await moveTallies(
    tx,
    counted.filter((row) => row.fell).map(({ beneficiaryId: memberId, amount }) => ({ memberId, kind: 'referral', from, to, amount })),
  )
}

/** Whether a purchase of coin earned a referral reward, whatever became of it. */
export async function hasReferral(tx: Tx, purchaseId: bigint): Promise<boolean> {
  const found = await sql`select from reward_instant where cause_id = ${purchaseId} and kind = 'referral' limit 1`.execute(tx)
  return found.rows.length > 0
}

/** How many coin units of a member's pending referral rewards new money of an amount had bought, newest first. */
export async function heldCoinFor(tx: Tx, memberId: bigint, newMoney: Units, at: Date): Promise<Units> {
  const found = await sql<{ coin: Units }>`
    select coalesce(sum(case when taken <= ${newMoney} then rest
      else least(rest, ceil(rest::numeric * (${newMoney} - taken + usd) / usd)) end), 0)::bigint as coin
    from (select rest, usd, sum(usd) over (order by id desc) as taken from (
        select id, base - base_back as rest, new_money - div(new_money::numeric * base_back, base) as usd from reward_instant
        where source_member_id = ${memberId} and kind = 'referral' and status = 'held' and release_at > ${at}) held) summed
    where taken - usd < ${newMoney}`.execute(tx)
  return found.rows[0]?.coin ?? 0n
}

/** Records which rewards the coin of a bridge reversed, in case that it comes back. */
export async function recordSentCoin(tx: Tx, payoutId: bigint, reversed: readonly ReversedReferral[]): Promise<void> {
  if (reversed.length === 0) return
  await sql`insert into reward_sent_coin (payout_id, reward_id, coin)
    select ${payoutId}, id, coin from unnest(${reversed.map((one) => one.id)}::bigint[], ${reversed.map((one) => one.coin)}::bigint[]) r (id, coin)`.execute(
    tx,
  )
}

/** Deletes what bridges reversed of the reward of a purchase: it does not come back any more. */
export async function forgetSentCoin(tx: Tx, purchaseId: bigint): Promise<void> {
  await sql`delete from reward_sent_coin s using reward_instant i
    where i.cause_id = ${purchaseId} and i.kind = 'referral' and s.reward_id = i.id`.execute(tx)
}

/** Makes what a bridge reversed of referral rewards pending again. What was paid or cancelled since stays as it is. */
export async function restoreSentCoin(tx: Tx, payoutId: bigint): Promise<void> {
  const found = await sql<Omit<ReversedReferral, 'memberId'>>`select * from reward_restore_sent_coin(${payoutId})`.execute(tx)
  const counted = found.rows.filter((row) => row.tallied)
  await takeFromWeeks(
    tx,
    counted.map((row) => ({ memberId: row.beneficiaryId, kind: 'referral', createdAt: row.createdAt, back: -row.back })),
  )
  const [from, to] = ['reversed', 'held']
  await moveTallies(
    tx,
    counted.filter((row) => row.fell).map(({ beneficiaryId: memberId, amount }) => ({ memberId, kind: 'referral', from, to, amount })),
  )
}
