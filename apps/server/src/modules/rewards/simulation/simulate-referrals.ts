import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { addFigures, bounds, draftOf, idBefore, type SimulatedChange, SKEW_MS, type Simulation, type BatchResult } from './simulation.ts'

/**
 * Simulates the referral rewards of the simulated days: the draft's share of coin bought with new money, less the part that was reversed,
 * sold or sent over the bridge. Purchases without a reward get none here, and rewards cancelled by staff stay cancelled.
 * @param after id after which the batch begins; undefined for the first
 */
export async function simulateReferrals(
  tx: Tx,
  simulation: Simulation,
  at: Date,
  after: bigint | undefined,
  size: number,
): Promise<BatchResult> {
  const { from, to } = bounds(simulation.days)
  const start = after ?? (await idBefore(tx, 'reward_instant', 'created_at', from))
  const page = await sql<{ id: bigint; at: Date }>`
    select id, created_at as at from reward_instant where id > ${start} order by id limit ${size}`.execute(tx)
  const last = page.rows.at(-1)
  if (last === undefined) return { next: undefined }
  const found = await sql<SimulatedChange>`
    with rewards as materialized (
      select i.beneficiary_id as member_id, i.status, i.amount - i.reversed as before,
        case when i.reversed = i.amount and back.of_it < i.amount then 0 else share.becomes - ceil(share.becomes::numeric * i.base_returned / i.base)::bigint end as after
      from reward_instant i cross join ${draftOf(simulation)} d
      cross join lateral (select ceil(i.amount::numeric * i.base_returned / i.base)::bigint as of_it) back
      cross join lateral (select reward_share(i.base, d.referral_percent) as becomes) share
      where i.id > ${start} and i.id <= ${last.id} and i.kind = 'referral' and i.status <> 'unearned' and i.created_at >= ${from} and i.created_at < ${to}
    ), written as (${addFigures(simulation, at, sql`(select member_id, 'referral' as kind, before, after from rewards)`)})
    select coalesce(sum(after - before) filter (where status not in ('paid', 'owed')), 0)::bigint as "liabilityCoin", 0::bigint as "liabilityUsd",
      coalesce(sum(after - before) filter (where status in ('paid', 'owed')), 0)::bigint as "settledCoin", 0::bigint as "settledUsd" from rewards`.execute(
    tx,
  )
  const ends = page.rows.length < size || last.at.getTime() > to.getTime() + SKEW_MS
  return { next: ends ? undefined : last.id, ...(found.rows[0] === undefined ? {} : { change: found.rows[0] }) }
}

/** Bought coin, in units. */
export interface BoughtCoin {
  memberId: bigint
  coin: Units
}

/**
 * Simulates referral rewards for coin bought while the programme had no referral share. All this coin counts, as an upper bound of coin
 * bought with new money.
 * @returns the additional liability
 */
export async function simulateUnrewarded(
  tx: Tx,
  simulation: Simulation,
  at: Date,
  bought: readonly BoughtCoin[],
): Promise<SimulatedChange> {
  const found = await sql<{ more: Units }>`
    with rewards as materialized (
      select t.sponsor_id as member_id, reward_share(b.coin, ${simulation.rules.referralPercent}::bigint) as after
      from unnest(${bought.map((one) => one.memberId)}::bigint[], ${bought.map((one) => one.coin)}::bigint[]) b (member_id, coin)
      join team_member t on t.member_id = b.member_id join member m on m.id = t.sponsor_id and m.is_verified and m.is_active
    ), written as (${addFigures(simulation, at, sql`(select member_id, 'referral' as kind, 0::bigint as before, after from rewards)`)})
    select coalesce(sum(after), 0)::bigint as more from rewards`.execute(tx)
  return { liabilityCoin: found.rows[0]?.more ?? 0n, liabilityUsd: 0n, settledCoin: 0n, settledUsd: 0n }
}

/** Returns the periods of the simulated days in which the programme had no referral share. */
export async function unrewardedSpans(tx: Tx, simulation: Simulation): Promise<{ from: Date; to: Date }[]> {
  const { from, to } = bounds(simulation.days)
  const { rows } = await sql<{ from: Date; to: Date }>`
    with held as (
      select distinct on (starts_at) starts_at, referral_percent from reward_programme where starts_at < ${to} order by starts_at, version desc
    ), spans as (select starts_at, lead(starts_at, 1, ${to}::timestamptz) over (order by starts_at) as ends_at, referral_percent from held)
    select greatest(starts_at, ${from}) as from, ends_at as to from spans where referral_percent = 0 and ends_at > ${from} order by 1`.execute(
    tx,
  )
  return rows
}
