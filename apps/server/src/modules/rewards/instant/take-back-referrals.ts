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

interface ChangedReward {
  id: bigint
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
 * I19), newest purchase first; or of one purchase only, all that is left.
 * @param tx a transaction that holds the buyer's row in `reward_mark`
 */
export async function takeBackReferrals(
  tx: Tx,
  given: { memberId: bigint; coin: Units; at: Date; purchaseId?: bigint },
): Promise<TakenCoin> {
  const found = await sql<ChangedReward>`
    with held as (
      select id, base, base_back, reversed from reward_instant
      where source_member_id = ${given.memberId} and kind = 'referral' and status = 'held'
        and ${given.purchaseId === undefined ? sql`release_at > ${given.at}` : sql`cause_type = 'coin_purchase' and cause_id = ${given.purchaseId}`}
      order by id desc for update
    ), line as (
      select *, sum(base - base_back) over (order by id desc) - (base - base_back) as before from held
    ), taken as (
      select *, least(base - base_back, ${given.coin} - before)::bigint as coin from line where before < ${given.coin}
    ), changed as (
      update reward_instant i set base_back = i.base_back + t.coin,
        reversed = ceil(i.amount::numeric * (i.base_back + t.coin) / i.base)::bigint,
        status = case when ceil(i.amount::numeric * (i.base_back + t.coin) / i.base) >= i.amount then 'reversed' else 'held' end
      from taken t where i.id = t.id and t.coin > 0
      returning i.id, i.beneficiary_id, t.coin, i.reversed - t.reversed as back, i.amount, i.created_at, i.tallied, i.release_at, i.promised,
        i.status = 'reversed' as fell
    ), forecast as (
      insert into reward_promise_pending (kind, step, starts_at, times, amount)
      select 'referral', 'day', min(release_at) - interval '1 day', 1, -sum(back)::bigint from changed where promised and back > 0
      group by (release_at at time zone 'UTC')::date
    )
    select id, beneficiary_id as "beneficiaryId", coin, back, amount, created_at as "createdAt", tallied, fell from changed order by id`.execute(
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
  return {
    rewards: found.rows.length,
    coin: found.rows.reduce((total, row) => total + row.coin, 0n),
    released: found.rows.reduce((total, row) => total + row.back, 0n),
  }
}
