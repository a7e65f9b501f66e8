import { type RawBuilder, sql } from 'kysely'
import { addDays, DAY_MS, startOfDay } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'

/** Days of arrears that the runs make up by themselves (invariant I18). */
export const CATCH_UP_DAYS = 3

/**
 * What is known to wait for nothing, so that a look at what is due costs what has fallen due since, not what there is: no
 * reward up to `clearThrough` waits of the sources up to the seen id. Sources that came later are looked at one by one:
 * theirs fall due a day after they came, but a clock that was set back and forth may have passed that by.
 */
export interface Watch {
  clearThrough: Date
  seen: bigint
  /** The newest source of this moment. */
  newest: bigint
}

type KnownWatch = Omit<Watch, 'clearThrough'> & { clearThrough: Date | null }

/** What one run pays. Rewards that are older than what is made up without a person are left alone; a person's run has no such limit. */
export interface DueWindow {
  /** `YYYY-MM-DD`, UTC. */
  day: string
  /** Everything due up to and including this moment. */
  through: Date
  byHand: boolean
}

/** How many rewards are due and not written down yet, counted up to a limit, and when the last run of the day ended. */
interface DueCount {
  due: number
  lastThrough: Date
  /** Undefined where everything has to be looked at. */
  watch: Watch | undefined
}

const oldest = (window: DueWindow) => startOfDay(window.byHand ? '2000-01-01' : addDays(window.day, -CATCH_UP_DAYS))

const DUE_AT = sql`reward_step(s.stream = 2, s.starts_at, s.counted + 1)`

/** The condition on `reward_source s` that its next step is due. */
export const isDue = (window: DueWindow) => sql<boolean>`
  s.counted < s.times and s.undone_at is null and ${DUE_AT} between ${oldest(window)}::timestamptz and ${window.through}::timestamptz`

/** The condition on `reward_source s` that it may have fallen due since the watch. */
export const isNear = (watch: Watch, through: Date) =>
  sql<boolean>`(s.id > ${watch.seen} or ${isBetween(sql`(s.starts_at at time zone 'UTC')::time`, watch.clearThrough, through)})`

/** Whether a time of the day comes after one moment, up to another one less than a day later. */
function isBetween(time: RawBuilder<unknown>, after: Date, through: Date) {
  const from = after.toISOString().slice(11, 23)
  const to = through.toISOString().slice(11, 23)
  // Past midnight the later moment has the smaller time.
  return from <= to ? sql`(${time} > ${from}::time and ${time} <= ${to}::time)` : sql`(${time} > ${from}::time or ${time} <= ${to}::time)`
}

/**
 * Counts what is due (RW-03, RW-06), and moves the watch to where nothing waits.
 * @param everything whether all sources are looked at: of a day that is over, and for a person
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

/** A time of the day says what is due only within one day; a clock that was set back has to look at everything. */
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
 * Moves the watch to the end of a run that has written down everything due in it. A run that began without a watch may
 * have left a source with more than one reward due: everything is looked at again.
 */
export async function moveWatch(tx: Tx, through: Date, watch: Watch | undefined): Promise<void> {
  await setWatch(tx, watch === undefined ? null : through, watch?.newest ?? 0n)
}
