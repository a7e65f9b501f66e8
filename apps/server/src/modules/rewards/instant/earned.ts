import type { RewardKind } from '@tizara/contract/rewards'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'

/** SQL: the parts of credit `c` by reward kind, as `v (kind, amount)`. */
export const CREDIT_PARTS = sql`(values
  (case c.stream when 0 then 'daily' when 1 then 'stake-log' else 'nft-monthly' end, c.daily),
  (case c.stream when 0 then 'profit-bounty' when 1 then 'stake-log-bounty' else 'nft-profit-bounty' end, c.b1 + c.b2 + c.b3 + c.b4 + c.b5)
) v (kind, amount)`

/** SQL: the reward kinds that reward runs pay. */
const RUN_KINDS = sql`('daily', 'stake-log', 'nft-monthly', 'profit-bounty', 'stake-log-bounty', 'nft-profit-bounty')`

/** SQL condition: credit `c` comes after the cursor `p`. */
const isAfterCursor = sql`(c.run_id, c.stream, c.sponsor_id, c.member_id) > (p.run_id, p.stream, p.sponsor_id, p.member_id)`

/** SQL tables: a member's credits `c` that are not in the monthly sums yet. */
const uncounted = (memberId: bigint) => sql`reward_earned_progress p, unnest(array[0, 1, 2]::smallint[]) s (stream)
  join reward_credit c on c.member_id = ${memberId} and c.stream = s.stream`
/** SQL condition on {@link uncounted}: the credit is after the cursor, and its run is complete. */
const IS_UNCOUNTED = sql`c.run_id >= p.run_id and ${isAfterCursor} and c.run_id is distinct from (select id from reward_run where status = 'RECORDING')`

/**
 * Adds credits of summed runs to the members' monthly sums, so that the cost of reading a sum does not depend on the age of the account.
 * Runs on one worker at a time.
 * @returns the number of added credits
 */
export async function aggregateEarnings(tx: Tx, batch: number): Promise<number> {
  // Reads the cursor first and passes its values: with a join PostgreSQL would not read in index order.
  const cursor = await tx
    .selectFrom('reward_earned_progress')
    .select(['run_id', 'stream', 'sponsor_id', 'member_id'])
    .executeTakeFirstOrThrow()
  const done = await sql<{ counted: number }>`
    with next as (
      select run_id, stream, sponsor_id, member_id, daily, b1, b2, b3, b4, b5 from reward_credit c
      where (run_id, stream, sponsor_id, member_id)
          > (${cursor.run_id}::bigint, ${cursor.stream}::smallint, ${cursor.sponsor_id}::bigint, ${cursor.member_id}::bigint) and c.run_id < coalesce((select id from reward_run where status = 'RECORDING'), 9223372036854775807)
      order by run_id, stream, sponsor_id, member_id limit ${batch}
    ), added as (
      insert into reward_month as existing (member_id, month, kind, amount)
      select c.member_id, date_trunc('month', r.day)::date, v.kind, sum(v.amount)::bigint
      from next c join reward_run r on r.id = c.run_id cross join lateral ${CREDIT_PARTS}
      where v.amount > 0 group by 1, 2, 3 order by 1, 2, 3
      on conflict (member_id, month, kind) do update set amount = existing.amount + excluded.amount
    ), moved as (
      update reward_earned_progress p set run_id = l.run_id, stream = l.stream, sponsor_id = l.sponsor_id, member_id = l.member_id
      from (select * from next order by run_id desc, stream desc, sponsor_id desc, member_id desc limit 1) l
    )
    select count(*)::int as counted from next`.execute(tx)
  return done.rows[0]?.counted ?? 0
}

/** Returns all that a member earned since the start, paid or not, without reversed rewards. */
export async function earnedOf(db: Db, memberId: bigint): Promise<{ coin: Units; usd: Units }> {
  const { rows } = await sql<{ usd: boolean; amount: Units }>`
    select usd, coalesce(sum(amount), 0)::bigint as amount from (
      select kind like 'nft-%' as usd, amount from reward_month where member_id = ${memberId} and kind in ${RUN_KINDS}
      union all
      select c.stream = 2, c.amount from ${uncounted(memberId)} where ${IS_UNCOUNTED}
      union all
      select kind = 'nft-level', amount from reward_counter where member_id = ${memberId} and status <> 'reversed'
      union all
      select kind = 'nft-level', amount from reward_instant where beneficiary_id = ${memberId} and not in_counters and status <> 'reversed'
    ) earned group by usd`.execute(db)
  const sum = (usd: boolean) => rows.find((row) => row.usd === usd)?.amount ?? 0n
  return { coin: sum(false), usd: sum(true) }
}

/** A kind's sum in a UTC month such as `2026-01`, in units. */
export interface MonthSum {
  month: string
  kind: RewardKind
  asset: 'usd' | 'coin'
  amount: Units
}

/** SQL column: the unit of a reward kind. */
export const ASSET_OF_KIND = sql`case when kind like 'nft-%' then 'usd' else 'coin' end as asset`

/**
 * Sums a member's rewards of a UTC year by month and kind, oldest month first. Rewards of runs count on the run's day, instant rewards on
 * the day of payment.
 */
export async function earnedInYear(db: Db, memberId: bigint, year: number): Promise<MonthSum[]> {
  const [first, end] = [`${year}-01-01`, `${year + 1}-01-01`]
  const { rows } = await sql<MonthSum>`
    select to_char(month, 'YYYY-MM') as month, kind, ${ASSET_OF_KIND}, sum(amount)::bigint as amount from (
      select month, kind, amount from reward_month where member_id = ${memberId} and month >= ${first}::date and month < ${end}::date
      union all
      select date_trunc('month', r.day)::date, v.kind, v.amount from ${uncounted(memberId)}
      join reward_run r on r.id = c.run_id cross join lateral ${CREDIT_PARTS}
      where ${IS_UNCOUNTED} and v.amount > 0 and r.day >= ${first}::date and r.day < ${end}::date
    ) earned group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

/** Adds instant rewards to the sums of the month in which they are paid. */
export async function addPaidToMonth(
  tx: Tx,
  at: Date,
  rewards: readonly { memberId: bigint; kind: string; amount: Units }[],
): Promise<void> {
  await sql`
    insert into reward_month as existing (member_id, month, kind, amount)
    select member_id, date_trunc('month', ${at}::timestamptz at time zone 'UTC')::date, kind, sum(amount)::bigint
    from unnest(${rewards.map((one) => one.memberId)}::bigint[], ${rewards.map((one) => one.kind)}::text[],
      ${rewards.map((one) => one.amount)}::bigint[]) r (member_id, kind, amount)
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (member_id, month, kind) do update set amount = existing.amount + excluded.amount`.execute(tx)
}
