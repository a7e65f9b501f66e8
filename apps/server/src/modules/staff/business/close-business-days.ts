import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { addDays, startOfDay, utcDay } from '../../../platform/runtime/clock.ts'
import { FIGURE_COLUMNS, figuresByDay, newSteps, type TimeRange, TOTAL_COLUMNS, volumeByMember } from './business-figures.ts'

/** Time after midnight until a day closes, in ms. Transactions that began before midnight have ended by then. */
const CLOSE_DELAY_MS = 600_000
/** Maximum number of days that one transaction closes. */
const DAYS_PER_BATCH = 100

/**
 * Closes the oldest open UTC days: writes the business figures and the team volumes of each day. A closed day never changes
 * (docs/decisions/0042-business-figures-by-day.md).
 * @returns the number of closed days
 */
export async function closeBusinessDays(tx: Tx, now: Date): Promise<number> {
  const end = utcDay(new Date(now.getTime() - CLOSE_DELAY_MS))
  const first = await firstOpenDay(tx)
  if (first === undefined || first >= end) return 0
  const limit = addDays(first, DAYS_PER_BATCH)
  const range: TimeRange = { from: startOfDay(first), until: startOfDay(limit < end ? limit : end) }
  const figures = Object.values(FIGURE_COLUMNS)
  const totals = Object.values(TOTAL_COLUMNS)
  const closed = await sql`
    with step as (
      insert into business_first_step (member_id, step, day) ${newSteps(range)} returning step, day
    ), figure as (${figuresByDay(range, sql`select step, day from step`)}),
    previous as (select * from business_day order by day desc limit 1)
    insert into business_day (day, ${sql.join([...figures, ...totals.map(({ column }) => column)].map((column) => sql.ref(column)))})
    select d.day, ${sql.join(figures.map((column) => sql`coalesce(f.${sql.ref(column)}, 0)`))},
      ${sql.join(
        totals.map((total) => {
          const subtracts = 'subtracts' in total ? sql`- coalesce(f.${sql.ref(total.subtracts)}, 0)` : sql``
          return sql`(coalesce(p.${sql.ref(total.column)}, 0) + sum(coalesce(f.${sql.ref(total.adds)}, 0) ${subtracts}) over (order by d.day))::bigint`
        }),
      )}
    from (select day::date as day from generate_series(${range.from}::timestamptz at time zone 'UTC', (${range.until}::timestamptz at time zone 'UTC') - interval '1 day', interval '1 day') day) d
    left join figure f on f.day = d.day left join previous p on true`.execute(tx)
  await sql`
    insert into business_team_day (day, level, leader_id, verified, usd_taken, coin_staked)
    select v.day, l.level, l.leader_id, sum(v.verified)::bigint, sum(v.usd_taken)::bigint, sum(v.coin_staked)::bigint
    from (${volumeByMember(range)}) v
    cross join lateral (select level, team_ancestor(v.member_id, level) as leader_id from generate_series(0, 1) level) l
    where l.leader_id is not null group by v.day, l.level, l.leader_id`.execute(tx)
  return Number(closed.numAffectedRows ?? 0n)
}

/** Returns the day after the newest closed day, or the day of the first registration; undefined without members. */
async function firstOpenDay(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select to_char(coalesce((select max(day) + 1 from business_day),
      (select (min(created_at) at time zone 'UTC')::date from member)), 'YYYY-MM-DD') as day`.execute(db)
  return rows[0]?.day ?? undefined
}

/**
 * Deletes all closed days and computes them again. The job waits meanwhile.
 * @returns the number of closed days
 */
export async function rebuildBusinessDays(tx: Tx, now: Date): Promise<number> {
  await sql`lock table business_day in exclusive mode`.execute(tx)
  for (const table of ['business_team_day', 'business_first_step', 'business_day']) await sql`delete from ${sql.table(table)}`.execute(tx)
  let days = 0
  for (let closed = await closeBusinessDays(tx, now); closed > 0; closed = await closeBusinessDays(tx, now)) days += closed
  return days
}
