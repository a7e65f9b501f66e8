import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { DAY_MS, utcDay } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRows } from '../../../platform/db/insert-rows.ts'

/** A liability with `steps` payments, each one step after the other. */
export interface NewLiability {
  /** Name of the reward's kind in the API. */
  kind: string
  step: 'day' | 'month'
  /** Time one step before the first payment. */
  startsAt: Date
  steps: number
  /** Units per payment. */
  amount: Units
}

/** Records the liabilities of sales, one row per day. Sales do not block each other here. */
export function recordLiabilities(tx: Tx, promises: readonly NewLiability[]): Promise<void> {
  return recordLiabilityChange(tx, promises, 1n)
}

/** Releases a reversed sale's liabilities, on the same days as they were recorded. */
export function releaseLiabilities(tx: Tx, promises: readonly NewLiability[]): Promise<void> {
  return recordLiabilityChange(tx, promises, -1n)
}

/** A pending reward as a liability: one payment on the day of release. */
export interface PendingLiability {
  kind: string
  /** Remaining units. */
  amount: Units
  releaseAt: Date
}

export const recordPendingLiabilities = (tx: Tx, held: readonly PendingLiability[]): Promise<void> =>
  recordLiabilities(tx, mergePending(held))

/** Removes pending rewards from the forecast once they are paid, owed or cancelled. */
export const releasePendingLiabilities = (tx: Tx, held: readonly PendingLiability[]): Promise<void> =>
  releaseLiabilities(tx, mergePending(held))

/** Merges pending rewards of the same kind and UTC day into one liability. */
function mergePending(held: readonly PendingLiability[]): NewLiability[] {
  const groups = new Map<string, NewLiability>()
  for (const { kind, amount, releaseAt } of held) {
    const key = `${kind} ${utcDay(releaseAt)}`
    const before = groups.get(key)?.amount ?? 0n
    groups.set(key, { kind, step: 'day', startsAt: new Date(releaseAt.getTime() - DAY_MS), steps: 1, amount: before + amount })
  }
  return [...groups.values()]
}

async function recordLiabilityChange(tx: Tx, promises: readonly NewLiability[], sign: 1n | -1n): Promise<void> {
  const real = promises.filter((one) => one.amount > 0n && one.steps > 0)
  const alike = Map.groupBy(real, ({ kind, step, startsAt, steps }) => `${kind} ${step} ${startsAt.getTime()} ${steps}`)
  const rows = [...alike.values()].flatMap((group) => {
    const amount = sign * group.reduce((sum, one) => sum + one.amount, 0n)
    return group.slice(0, 1).map(({ kind, step, startsAt, steps }) => ({ kind, step, starts_at: startsAt, steps, amount }))
  })
  await insertRows(tx, 'reward_liability_pending', rows)
}

/** SQL: each payment for the recorded liabilities on its UTC day. */
const EXPANDED = sql`
  select (reward_step(p.step = 'month', p.starts_at, n) at time zone 'UTC')::date as day, p.kind, p.amount
  from gone p cross join lateral generate_series(1, p.steps) n`

/**
 * Adds recorded liabilities to the sums by day. Runs on one worker at a time.
 * @returns the number of added rows
 */
export async function aggregateLiabilities(tx: Tx, batch: number): Promise<number> {
  const done = await sql<{ folded: number }>`
    with gone as (
      delete from reward_liability_pending where id in (select id from reward_liability_pending where run_id is null order by id limit ${batch}) returning *
    ), written as (
      insert into reward_liability as existing (day, kind, amount)
      select day, kind, sum(amount)::bigint from (${EXPANDED}) e group by 1, 2 order by 1, 2
      on conflict (day, kind) do update set amount = existing.amount + excluded.amount
    )
    select count(*)::int as folded from gone`.execute(tx)
  const folded = done.rows[0]?.folded ?? 0
  // Deletes days without open liabilities, so that the table grows with open days only.
  if (folded > 0) await sql`delete from reward_liability where amount = 0`.execute(tx)
  return folded
}

/** A month's liabilities by reward kind. */
export interface MonthForecast {
  /** `YYYY-MM`. */
  month: string
  kind: string
  amount: Units
}

/**
 * Returns the forecast by month, soonest first. The first month includes overdue payments.
 * @param fromDay `YYYY-MM-DD`, UTC
 */
export async function forecastByMonth(db: Db, fromDay: string): Promise<MonthForecast[]> {
  const found = await sql<MonthForecast>`
    with gone as (select * from reward_liability_pending where run_id is null)
    select to_char(greatest(day, ${fromDay}::date), 'YYYY-MM') as month, kind, sum(amount)::bigint as amount
    from (select day, kind, amount from reward_liability union all ${EXPANDED}) e
    group by 1, 2 having sum(amount) > 0 order by 1, 2`.execute(db)
  return found.rows
}
