import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { DAY_MS, utcDay } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRows } from '../../../platform/db/insert-rows.ts'

/** Payments that are promised: `times` of them, one step apart. */
export interface NewPromise {
  /** A kind of reward as the wire names it. */
  kind: string
  step: 'day' | 'month'
  /** The first payment falls one step after it. */
  startsAt: Date
  times: number
  /** Units of each payment. */
  amount: Units
}

/** Notes what sales promise, for the forecast; those of the same days in one row. Sales never wait for each other here. */
export function notePromises(tx: Tx, promises: readonly NewPromise[]): Promise<void> {
  return note(tx, promises, 1n)
}

/**
 * Takes promises back that will not be kept, because what they rest on was undone. What was noted and what is taken back
 * fall on the same days.
 */
export function takePromisesBack(tx: Tx, promises: readonly NewPromise[]): Promise<void> {
  return note(tx, promises, -1n)
}

/** A held reward, as the forecast has it: one payment on the day of its release. */
export interface HeldPromise {
  kind: string
  /** Units that are left of it. */
  amount: Units
  releaseAt: Date
}

export const noteHeld = (tx: Tx, held: readonly HeldPromise[]): Promise<void> => notePromises(tx, heldPromises(held))

/** Takes held rewards out of the forecast, which are paid or owed from now on, or fall away. */
export const takeHeldBack = (tx: Tx, held: readonly HeldPromise[]): Promise<void> => takePromisesBack(tx, heldPromises(held))

/** One promise for all rewards of a kind and UTC day. */
function heldPromises(held: readonly HeldPromise[]): NewPromise[] {
  const groups = new Map<string, NewPromise>()
  for (const { kind, amount, releaseAt } of held) {
    const key = `${kind} ${utcDay(releaseAt)}`
    const before = groups.get(key)?.amount ?? 0n
    groups.set(key, { kind, step: 'day', startsAt: new Date(releaseAt.getTime() - DAY_MS), times: 1, amount: before + amount })
  }
  return [...groups.values()]
}

async function note(tx: Tx, promises: readonly NewPromise[], sign: 1n | -1n): Promise<void> {
  const real = promises.filter((one) => one.amount > 0n && one.times > 0)
  const alike = Map.groupBy(real, ({ kind, step, startsAt, times }) => `${kind} ${step} ${startsAt.getTime()} ${times}`)
  const rows = [...alike.values()].flatMap((group) => {
    const amount = sign * group.reduce((sum, one) => sum + one.amount, 0n)
    return group.slice(0, 1).map(({ kind, step, startsAt, times }) => ({ kind, step, starts_at: startsAt, times, amount }))
  })
  await insertRows(tx, 'reward_promise_pending', rows)
}

/** Each payment of noted promises, on its UTC day. */
const EXPANDED = sql`
  select (reward_step(p.step = 'month', p.starts_at, n) at time zone 'UTC')::date as day, p.kind, p.amount
  from gone p cross join lateral generate_series(1, p.times) n`

/**
 * Folds noted promises into the forecast by day. One worker at a time.
 * @returns how many were folded
 */
export async function foldPromises(tx: Tx, batch: number): Promise<number> {
  const done = await sql<{ folded: number }>`
    with gone as (
      delete from reward_promise_pending where id in (select id from reward_promise_pending where run_id is null order by id limit ${batch}) returning *
    ), written as (
      insert into reward_promise as held (day, kind, amount)
      select day, kind, sum(amount)::bigint from (${EXPANDED}) e group by 1, 2 order by 1, 2
      on conflict (day, kind) do update set amount = held.amount + excluded.amount
    )
    select count(*)::int as folded from gone`.execute(tx)
  const folded = done.rows[0]?.folded ?? 0
  // Days that were kept whole: the forecast is as long as what is open.
  if (folded > 0) await sql`delete from reward_promise where amount = 0`.execute(tx)
  return folded
}

/** What is promised in a month, by kind of reward. */
export interface MonthForecast {
  /** `YYYY-MM`. */
  month: string
  kind: string
  amount: Units
}

/**
 * The forecast by month, soonest first; what is overdue stands in the first one.
 * @param fromDay `YYYY-MM-DD`, UTC
 */
export async function forecastByMonth(db: Db, fromDay: string): Promise<MonthForecast[]> {
  const found = await sql<MonthForecast>`
    with gone as (select * from reward_promise_pending where run_id is null)
    select to_char(greatest(day, ${fromDay}::date), 'YYYY-MM') as month, kind, sum(amount)::bigint as amount
    from (select day, kind, amount from reward_promise union all ${EXPANDED}) e
    group by 1, 2 having sum(amount) > 0 order by 1, 2`.execute(db)
  return found.rows
}
