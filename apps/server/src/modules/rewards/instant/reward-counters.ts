import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'

/**
 * Adds new instant rewards to the counters, so that the cost of list totals does not grow with the history. Runs on one worker at a time.
 * @returns the number of added rewards
 */
export async function updateCounters(tx: Tx, batch: number): Promise<number> {
  const done = await sql<{ counted: number }>`
    with fresh as (
      update reward_instant set in_counters = true
      where id in (select id from reward_instant where not in_counters order by id limit ${batch} for update skip locked)
      returning beneficiary_id, kind, status, amount, reversed, created_at
    ), written as (
      insert into reward_counter as existing (member_id, kind, status, rows, amount)
      select beneficiary_id, kind, status, count(*), sum(amount)::bigint from fresh group by 1, 2, 3 order by 1, 2, 3
      on conflict (member_id, kind, status) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount
    ), weeks as (
      insert into reward_week as existing (member_id, starts_on, kind, amount)
      select beneficiary_id, date_trunc('week', created_at at time zone 'UTC')::date, kind, sum(amount - reversed)::bigint
      from fresh group by 1, 2, 3 order by 1, 2, 3
      on conflict (member_id, starts_on, kind) do update set amount = existing.amount + excluded.amount
    )
    select count(*)::int as counted from fresh`.execute(tx)
  return done.rows[0]?.counted ?? 0
}

/**
 * Moves counted rewards from one status to another in the counters.
 * @param moves changes of rewards that the counters already contain
 */
export async function moveCounters(
  tx: Tx,
  moves: readonly { memberId: bigint; kind: string; from: string; to: string; amount: bigint }[],
): Promise<void> {
  if (moves.length === 0) return
  await sql`
    insert into reward_counter as existing (member_id, kind, status, rows, amount)
    select member_id, kind, status, sum(rows), sum(amount)::bigint from (
      select m.member_id, m.kind, s.status, s.sign as rows, s.sign * m.amount as amount
      from unnest(${moves.map((move) => move.memberId)}::bigint[], ${moves.map((move) => move.kind)}::text[],
        ${moves.map((move) => move.from)}::text[], ${moves.map((move) => move.to)}::text[], ${moves.map((move) => move.amount)}::bigint[])
        m (member_id, kind, was, becomes, amount)
      cross join lateral (values (m.was, -1), (m.becomes, 1)) s (status, sign)
    ) changes group by 1, 2, 3 order by 1, 2, 3
    on conflict (member_id, kind, status) do update set rows = existing.rows + excluded.rows, amount = existing.amount + excluded.amount`.execute(
    tx,
  )
}

/** Reversed amount of a counted reward: beneficiary, kind, creation time and units. */
export interface WeeklyReversal {
  memberId: bigint
  kind: string
  createdAt: Date
  back: bigint
}

/** Subtracts reversed parts from their weeks' sums. */
export async function subtractFromWeeks(tx: Tx, rewards: readonly WeeklyReversal[]): Promise<void> {
  if (rewards.length === 0) return
  await sql`
    with reversals as (
      select member_id, kind, date_trunc('week', created_at at time zone 'UTC')::date as starts_on, sum(back)::bigint as back
      from unnest(${rewards.map((one) => one.memberId)}::bigint[], ${rewards.map((one) => one.kind)}::text[],
        ${rewards.map((one) => one.createdAt)}::timestamptz[], ${rewards.map((one) => one.back)}::bigint[]) r (member_id, kind, created_at, back)
      group by 1, 2, 3
    ), locked as (
      -- A fixed lock order prevents deadlocks, because several members share a sponsor.
      select w.member_id, w.kind, w.starts_on, reversals.back from reward_week w join reversals using (member_id, kind, starts_on)
      order by w.member_id, w.starts_on, w.kind for update of w
    )
    update reward_week w set amount = w.amount - locked.back from locked
    where w.member_id = locked.member_id and w.kind = locked.kind and w.starts_on = locked.starts_on`.execute(tx)
}

/** Row count and sums by status. */
export interface RewardCounters {
  total: number
  /** Excludes reversed rewards, because they were not earned. */
  sum: bigint
  byStatus: Record<string, bigint>
}

/** Counts and sums a member's instant rewards of one kind by status. */
export async function readRewardCounters(db: Db, memberId: bigint, kind: string): Promise<RewardCounters> {
  const found = await sql<{ status: string; rows: bigint; amount: bigint }>`
    select status, sum(rows)::bigint as rows, sum(amount)::bigint as amount from (
      select status, rows, amount from reward_counter where member_id = ${memberId} and kind = ${kind}
      union all
      select status, 1, amount from reward_instant where beneficiary_id = ${memberId} and kind = ${kind} and not in_counters
    ) all_of_them group by status having sum(rows) > 0`.execute(db)
  return {
    total: Number(found.rows.reduce((total, row) => total + row.rows, 0n)),
    sum: sumOfEarned(found.rows),
    byStatus: Object.fromEntries(found.rows.map((row) => [row.status, row.amount])),
  }
}

/** Sums rewards over all statuses but `reversed`. */
export const sumOfEarned = (rows: readonly { status: string; amount: bigint }[]): bigint =>
  rows.reduce((total, row) => (row.status === 'reversed' ? total : total + row.amount), 0n)
