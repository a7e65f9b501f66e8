import { type RawBuilder, sql } from 'kysely'
import { addDays, DAY_MS, startOfDay } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'

/** Days that runs catch up on without staff (invariant I18). */
export const CATCH_UP_DAYS = 3

/**
 * Watermark: for sources up to the id `seen`, all rewards due up to `writtenThrough` are written. A check of these sources reads only later
 * steps. Newer sources are checked one by one, because a clock that was set back and forth may have skipped the first due time.
 */
export interface Watermark {
  writtenThrough: Date
  seen: bigint
  /** The newest source now. */
  newest: bigint
}

type KnownWatermark = Omit<Watermark, 'writtenThrough'> & { writtenThrough: Date | null }

/** Scope of a run. A run of the job skips rewards older than the catch-up limit; a run started by staff has no limit. */
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
  watermark: Watermark | undefined
}

const oldest = (window: DueWindow) => startOfDay(window.byHand ? '2000-01-01' : addDays(window.day, -CATCH_UP_DAYS))

const DUE_AT = sql`reward_step(s.stream = 2, s.starts_at, s.processed + 1)`

/** SQL condition: the next step for `reward_source s` is due. */
export const isDue = (window: DueWindow) => sql<boolean>`
  s.processed < s.steps and s.reversed_at is null and ${DUE_AT} between ${oldest(window)}::timestamptz and ${window.through}::timestamptz`

/** SQL condition: `reward_source s` may have a step due since the watermark. */
export const isNear = (watermark: Watermark, through: Date) =>
  sql<boolean>`(s.id > ${watermark.seen} or ${isBetween(sql`(s.starts_at at time zone 'UTC')::time`, watermark.writtenThrough, through)})`

/** SQL condition: a time of day is after one time and up to another, less than a day later. */
function isBetween(time: RawBuilder<unknown>, after: Date, through: Date) {
  const from = after.toISOString().slice(11, 23)
  const to = through.toISOString().slice(11, 23)
  // Past midnight the later moment has the smaller time.
  return from <= to ? sql`(${time} > ${from}::time and ${time} <= ${to}::time)` : sql`(${time} > ${from}::time or ${time} <= ${to}::time)`
}

/**
 * Counts due rewards (RW-03, RW-06), and advances the watermark to just before the oldest due reward.
 * @param everything true to read all sources: for a finished day and for staff
 */
export async function countDue(tx: Tx, window: DueWindow, everything: boolean, limit: number): Promise<DueCount> {
  const known = await readWatermark(tx, window.day)
  const watermark = everything ? undefined : usable(known, window.through)
  const found = await sql<{ due: number; before: Date | null }>`
    with due as (
      select ${DUE_AT} as at from reward_source s where ${isDue(window)} and ${watermark === undefined ? true : isNear(watermark, window.through)} limit ${limit}
    ) select count(*)::int as due, date_trunc('milliseconds', min(at) - interval '1 microsecond') as before from due`.execute(tx)
  const { due, before } = found.rows[0] ?? { due: 0, before: null }
  if (due >= limit || window.byHand) return { due, lastThrough: known.lastThrough, watermark }
  const moved = { ...known, writtenThrough: before ?? window.through, seen: known.newest }
  await setWatermark(tx, moved.writtenThrough, moved.seen)
  return { due, lastThrough: known.lastThrough, watermark: everything ? undefined : usable(moved, window.through) }
}

/** Returns the watermark if it is less than a day old, as the time check needs. After the clock was set back, all sources are read. */
function usable({ writtenThrough, seen, newest }: KnownWatermark, through: Date): Watermark | undefined {
  if (writtenThrough === null) return undefined
  const since = through.getTime() - writtenThrough.getTime()
  return since >= 0 && since < DAY_MS ? { writtenThrough, seen, newest } : undefined
}

async function readWatermark(tx: Tx, day: string): Promise<KnownWatermark & { lastThrough: Date }> {
  const found = await sql<KnownWatermark & { lastThrough: Date | null }>`
    select written_through as "writtenThrough", seen_source as seen, coalesce((select max(id) from reward_source), 0) as newest,
      (select max(through) from reward_run where day = ${day}::date) as "lastThrough"
    from reward_watermark for update`.execute(tx)
  const row = found.rows[0]
  if (row === undefined) throw new Error('reward_watermark has one row')
  return { ...row, lastThrough: row.lastThrough ?? startOfDay(day) }
}

/** Makes the next check read all sources. An import calls it after its sources, because they may have several rewards due. */
export const resetWatermark = (tx: Tx): Promise<void> => setWatermark(tx, null, 0n)

async function setWatermark(tx: Tx, writtenThrough: Date | null, seen: bigint): Promise<void> {
  await sql`update reward_watermark set written_through = ${writtenThrough}, seen_source = ${seen}`.execute(tx)
}

/**
 * Moves the watermark to the end of a run that has written all its due rewards.
 * A run without a watermark may leave a source with several rewards due, so the next check reads all sources.
 */
export async function moveWatermark(tx: Tx, through: Date, watermark: Watermark | undefined): Promise<void> {
  if (watermark === undefined) return resetWatermark(tx)
  // An import that reset the watermark during the run keeps it so.
  await sql`update reward_watermark set written_through = ${through}, seen_source = ${watermark.newest} where written_through is not null`.execute(
    tx,
  )
}
