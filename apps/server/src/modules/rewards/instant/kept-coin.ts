import { coinPriceOf, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { executeDeferred, type Tx } from '../../../platform/db/database.ts'
import { currentSettings } from '../../settings/index.ts'
import { type TakenCoin, takeBackReferrals } from './take-back-referrals.ts'

/*
 * Why marks, and why they go with the money: docs/decisions/0009-no-free-money.md.
 * Everything that changes these rows holds the ledger account of the member's deposit wallet before (it posts first), then
 * the row here, then the rewards: one order, so that nobody waits in a circle, and no USD out of sold coin is sent on by
 * somebody who does not see yet that it came out of sold coin.
 */

export interface KeptCoin {
  kept: Units
  mark: Units
}

/**
 * Counts bought coin, and holds the buyers' rows until the transaction ends.
 * @param bought coin units by buyer
 * @returns by buyer the figures after it, in coin units, and the sponsor, if there is one who earns
 */
export async function countBought(
  tx: Tx,
  bought: ReadonlyMap<bigint, Units>,
): Promise<Map<bigint, KeptCoin & { sponsorId: bigint | null }>> {
  const found = await sql<KeptCoin & { id: bigint; sponsorId: bigint | null }>`
    select * from reward_count_bought(${[...bought.keys()]}, ${[...bought.values()]})`.execute(tx)
  return new Map(found.rows.map((row) => [row.id, row]))
}

/** Raises marks to where they were rewarded. */
export async function raiseMarks(tx: Tx, marks: ReadonlyMap<bigint, Units>): Promise<void> {
  if (marks.size === 0) return
  await executeDeferred(
    tx,
    `update reward_mark m set mark = n.mark from unnest($1::bigint[], $2::bigint[]) n (id, mark) where m.member_id = n.id and m.mark < n.mark`,
    [[...marks.keys()], [...marks.values()]],
  )
}

/** Coin that a member gave back: who, how many units, and when. */
export interface GivenBack {
  memberId: bigint
  coin: Units
  at: Date
}

/**
 * Counts coin that was sold for USD, in whichever wallet: held referral rewards are taken back pro rata, newest purchase
 * first, and the mark falls by what they stood on (RW-01).
 * @param sales those that arrived together, at one moment
 */
export async function onCoinSold(tx: Tx, sales: readonly GivenBack[]): Promise<void> {
  if (sales.length === 0) return
  const sold = new Map<bigint, Units>()
  for (const { memberId, coin } of sales) sold.set(memberId, (sold.get(memberId) ?? 0n) + coin)
  await sql`insert into reward_mark as m (member_id, kept, mark)
    select id, -coin, 0 from unnest(${[...sold.keys()]}::bigint[], ${[...sold.values()]}::bigint[]) s (id, coin) order by id
    on conflict (member_id) do update set kept = m.kept + excluded.kept`.execute(tx)
  const [first] = sales
  if (first !== undefined) await lowerMarks(tx, (await takeBackReferrals(tx, { coins: sold, at: first.at })).coinOf)
}

/**
 * Counts coin that left the house over the bridge: what is still within the hold of a referral reward was not kept. What
 * was kept through the hold may go wherever the member likes.
 */
export async function onCoinSentOut(tx: Tx, sent: GivenBack): Promise<TakenCoin> {
  await move(tx, sent.memberId, 0n)
  const { coinOf, ...taken } = await takeBackReferrals(tx, { coins: new Map([[sent.memberId, sent.coin]]), at: sent.at })
  if (taken.coin > 0n) await move(tx, sent.memberId, -taken.coin)
  await lowerMarks(tx, coinOf)
  return taken
}

/** What it means for rewards that a purchase of coin was undone: the referral reward falls away, and the buyer keeps less. */
export async function onCoinUndone(tx: Tx, undone: GivenBack & { purchaseId: bigint }): Promise<TakenCoin> {
  await move(tx, undone.memberId, -undone.coin)
  const { coinOf, ...taken } = await takeBackReferrals(tx, { ...undone, coins: new Map([[undone.memberId, undone.coin]]) })
  await lowerMarks(tx, coinOf)
  return taken
}

/** USD that one member has sent to another one. */
export interface UsdSent {
  senderId: bigint
  receiverId: bigint
  /** USD units. */
  amount: Units
}

/**
 * Lets USD out of sold coin take its part of the mark along: what the sender could buy without a reward is what the
 * receiver can buy without one. Money out of sold coin goes first.
 * @param tx the transaction that has posted the payments
 * @param sent payments in the order in which they were posted; a receiver may send on what an earlier one brought
 */
export async function onUsdSent(tx: Tx, at: Date, sent: readonly UsdSent[]): Promise<void> {
  const found = await sql<{ id: bigint; slack: Units }>`
    select member_id as id, mark - kept as slack from reward_mark
    where member_id = any (${sent.map((one) => one.senderId)}::bigint[])`.execute(tx)
  if (!found.rows.some((row) => row.slack > 0n)) return
  const { coinPrice } = await currentSettings(tx, at)
  const slack = new Map(found.rows.map((row) => [row.id, row.slack]))
  const change = new Map<bigint, Units>()
  const add = (id: bigint, coin: Units) => {
    slack.set(id, (slack.get(id) ?? 0n) + coin)
    change.set(id, (change.get(id) ?? 0n) + coin)
  }
  for (const { senderId, receiverId, amount } of sent) {
    const left = slack.get(senderId) ?? 0n
    if (left <= 0n) continue
    const worth = coinPriceOf(amount, coinPrice)
    const moved = worth < left ? worth : left
    add(senderId, -moved)
    add(receiverId, moved)
  }
  const ids = [...change.keys()].toSorted((a, b) => (a < b ? -1 : 1))
  await sql`insert into reward_mark (member_id, kept, mark) select id, 0, 0 from unnest(${ids}::bigint[]) id order by id
    on conflict do nothing`.execute(tx)
  await sql`select from reward_mark where member_id = any (${ids}::bigint[]) order by member_id for update`.execute(tx)
  await sql`update reward_mark m set mark = m.mark + c.moved
    from unnest(${ids}::bigint[], ${ids.map((id) => change.get(id) ?? 0n)}::bigint[]) c (id, moved) where m.member_id = c.id`.execute(tx)
}

async function move(tx: Tx, memberId: bigint, coin: Units): Promise<KeptCoin> {
  const found = await sql<KeptCoin>`
    insert into reward_mark as m (member_id, kept, mark) values (${memberId}, ${coin}, 0)
    on conflict (member_id) do update set kept = m.kept + excluded.kept returning kept, mark`.execute(tx)
  const row = found.rows[0]
  if (row === undefined) throw new Error('an upsert returns its row')
  return row
}

async function lowerMarks(tx: Tx, coins: ReadonlyMap<bigint, Units>): Promise<void> {
  if (coins.size === 0) return
  await executeDeferred(
    tx,
    `update reward_mark m set mark = m.mark - c.coin from unnest($1::bigint[], $2::bigint[]) c (id, coin) where m.member_id = c.id`,
    [[...coins.keys()], [...coins.values()]],
  )
}
