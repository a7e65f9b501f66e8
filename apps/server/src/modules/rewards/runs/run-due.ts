import { type RawBuilder, sql } from 'kysely'
import { addDays, DAY_MS, startOfDay } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'

/** Days that runs catch up on without staff (invariant I18). */
export const CATCH_UP_DAYS = 3

/**
 * Watermark: sources up to the id `seen` owe no reward up to `clearThrough`, so a check costs only the rewards due since. Newer
 * sources are checked one by one, because a clock that was set back and forth may have skipped their first due time.
 */
export interface Watch {
  clearThrough: Date
  seen: bigint
  /** The newest source now. */
  newest: bigint
}

type KnownWatch = Omit<Watch, 'clearThrough'> & { clearThrough: Date | null }

/** A run's scope. It skips rewards older than the catch-up limit; a manual run has no limit. */
export interface DueWindow {
  /** `YYYY-MM-DD`, UTC. */
  day: string
  /** The run's last due time, inclusive. */
  through: Date
  byHand: boolean
}

/** How many due rewards are not yet written, up to a limit, and when the day's last run ended. */
interface DueCount {
  due: number
  lastThrough: Date
  /** Undefined if all sources need a check. */
  watch: Watch | undefined
}

const oldest = (window: DueWindow) => startOfDay(window.byHand ? '2000-01-01' : addDays(window.day, -CATCH_UP_DAYS))

const DUE_AT = sql`reward_step(s.stream = 2, s.starts_at, s.counted + 1)`

/** SQL condition: the next step for `reward_source s` is due. */
export const isDue = (window: DueWindow) => sql<boolean>`
  s.counted < s.times and s.undone_at is null and ${DUE_AT} between ${oldest(window)}::timestamptz and ${window.through}::timestamptz`

/** SQL condition: `reward_source s` may have a step due since the watermark. */
export const isNear = (watch: Watch, through: Date) =>
  sql<boolean>`(s.id > ${watch.seen} or ${isBetween(sql`(s.starts_at at time zone 'UTC')::time`, watch.clearThrough, through)})`

/** SQL condition: a time within the day lies after one moment, up to another one less than a day later. */
function isBetween(time: RawBuilder<unknown>, after: Date, through: Date) {
  const from = after.toISOString().slice(11, 23)
  const to = through.toISOString().slice(11, 23)
  // Past midnight the later moment has the smaller time.
  return from <= to ? sql`(${time} > ${from}::time and ${time} <= ${to}::time)` : sql`(${time} > ${from}::time or ${time} <= ${to}::time)`
}

/**
 * Counts due rewards (RW-03, RW-06), and advances the watermark to just before the oldest one.
 * @param everything true to read all sources: for a finished day and for staff
 */
export async function countDue(tx: Tx, window: DueWindow, everything: boolean, limit: number): Promise<DueCount> {
  const known = await readWatch(tx, window.day)
  const watch = everything ? undefined : usable(known, window.through)
  const found = await sql<{ due: number; before: Date | null }>`
    with due as (
      select ${DUE_AT} as at from reward_source s where ${isDue(window)} and ${watch === undefined ? true : isNear(watch, window.through)} limit ${limit}
    ) select count(*)::int as due, date_trunc('milliseconds', min(at) - interval '1 microsecond') as before from due`.execute(tx)
  const { due, before } = found.rows[0] ?? { due: 0, before: null }
  if (due >= limit || window.byHand) return { due, lastThrough: known.lastThrough, watch }
  const moved = { ...known, clearThrough: before ?? window.through, seen: known.newest }
  await setWatch(tx, moved.clearThrough, moved.seen)
  return { due, lastThrough: known.lastThrough, watch: everything ? undefined : usable(moved, window.through) }
}

/** Returns the watermark if it is less than a day old, as the time check needs. After the clock was set back, all sources are read. */
function usable({ clearThrough, seen, newest }: KnownWatch, through: Date): Watch | undefined {
  if (clearThrough === null) return undefined
  const since = through.getTime() - clearThrough.getTime()
  return since >= 0 && since < DAY_MS ? { clearThrough, seen, newest } : undefined
}

async function readWatch(tx: Tx, day: string): Promise<KnownWatch & { lastThrough: Date }> {
  const found = await sql<KnownWatch & { lastThrough: Date | null }>`
    select clear_through as "clearThrough", seen_source as seen, coalesce((select max(id) from reward_source), 0) as newest,
      (select max(through) from reward_run where day = ${day}::date) as "lastThrough"
    from reward_watch`.execute(tx)
  const row = found.rows[0]
  if (row === undefined) throw new Error('reward_watch has one row')
  return { ...row, lastThrough: row.lastThrough ?? startOfDay(day) }
}

async function setWatch(tx: Tx, clearThrough: Date | null, seen: bigint): Promise<void> {
  await sql`update reward_watch set clear_through = ${clearThrough}, seen_source = ${seen}`.execute(tx)
}

/**
 * Moves the watermark to the end of a run that has written all its due rewards.
 * A run without a watermark may leave a source with several rewards due, so the next check reads all sources.
 */
export async function moveWatch(tx: Tx, through: Date, watch: Watch | undefined): Promise<void> {
  await setWatch(tx, watch === undefined ? null : through, watch?.newest ?? 0n)
}
