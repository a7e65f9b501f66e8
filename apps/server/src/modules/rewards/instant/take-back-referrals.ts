import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/database.ts'
import { moveTallies, takeFromWeeks } from './tally.ts'

/** What a return of coin took back of held referral rewards. */
export interface TakenCoin {
  /** Rewards that it touched. */
  rewards: number
  /** Coin units that they stood on. */
  coin: Units
  /** Coin units of reward. */
  released: Units
}

/** Coin units that were given back, by member; of one purchase, where it is named. */
export interface CoinGivenBack {
  coins: ReadonlyMap<bigint, Units>
  at: Date
  purchaseId?: bigint
}

interface ChangedReward {
  memberId: bigint
  beneficiaryId: bigint
  coin: Units
  back: Units
  amount: Units
  createdAt: Date
  tallied: boolean
  fell: boolean
}

/**
 * Takes referral rewards back that are within their hold, pro rata to the coin that was given back, rounded up (invariant
 * I19), newest purchase first; or of one purchase only, all that is left. Only the rewards that it touches are locked.
 * @param tx a transaction that holds the buyers' rows in `reward_mark`, so that nobody else takes any of these back
 * @returns with `coinOf`: on how many coin units of each member they stood
 */
export async function takeBackReferrals(
  tx: Tx,
  { coins, at, purchaseId }: CoinGivenBack,
): Promise<TakenCoin & { coinOf: ReadonlyMap<bigint, Units> }> {
  const found = await sql<ChangedReward>`
    with line as (
      select r.id, g.coin as given, sum(r.rest) over (partition by g.id order by r.id desc) - r.rest as before
      from unnest(${[...coins.keys()]}::bigint[], ${[...coins.values()]}::bigint[]) g (id, coin) cross join lateral (
        select id, base - base_back as rest from reward_instant
        where source_member_id = g.id and kind = 'referral' and status = 'held'
          and ${purchaseId === undefined ? sql`release_at > ${at}` : sql`cause_type = 'coin_purchase' and cause_id = ${purchaseId}`}
        order by id desc) r
    ), held as (
      select i.id, i.reversed, least(i.base - i.base_back, l.given - l.before)::bigint as coin
      from line l join reward_instant i on i.id = l.id
      where l.before < l.given and i.status = 'held' order by i.id desc for update of i
    ), changed as (
      update reward_instant i set base_back = i.base_back + t.coin,
        reversed = ceil(i.amount::numeric * (i.base_back + t.coin) / i.base)::bigint,
        status = case when ceil(i.amount::numeric * (i.base_back + t.coin) / i.base) >= i.amount then 'reversed' else 'held' end
      from held t where i.id = t.id and t.coin > 0
      returning i.id, i.source_member_id, i.beneficiary_id, t.coin, i.reversed - t.reversed as back, i.amount, i.created_at, i.tallied, i.release_at, i.promised,
        i.status = 'reversed' as fell
    ), forecast as (
      insert into reward_promise_pending (kind, step, starts_at, times, amount)
      select 'referral', 'day', min(release_at) - interval '1 day', 1, -sum(back)::bigint from changed where promised and back > 0
      group by (release_at at time zone 'UTC')::date
    )
    select source_member_id as "memberId", beneficiary_id as "beneficiaryId", coin, back, amount, created_at as "createdAt", tallied, fell from changed order by id`.execute(
    tx,
  )
  const counted = found.rows.filter((row) => row.tallied)
  await takeFromWeeks(
    tx,
    counted.map((row) => ({ memberId: row.beneficiaryId, kind: 'referral', createdAt: row.createdAt, back: row.back })),
  )
  await moveTallies(
    tx,
    counted
      .filter((row) => row.fell)
      .map((row) => ({ memberId: row.beneficiaryId, kind: 'referral', from: 'held', to: 'reversed', amount: row.amount })),
  )
  const coinOf = new Map<bigint, Units>()
  for (const { memberId, coin } of found.rows) coinOf.set(memberId, (coinOf.get(memberId) ?? 0n) + coin)
  return {
    coinOf,
    rewards: found.rows.length,
    coin: found.rows.reduce((total, row) => total + row.coin, 0n),
    released: found.rows.reduce((total, row) => total + row.back, 0n),
  }
}
