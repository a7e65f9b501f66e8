import { sql } from 'kysely'
import { addDays, daysBetween, endOfDay, utcDay } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { readRecordedMove } from '../../../platform/db/follow-clock.ts'
import { CATCH_UP_DAYS } from './run-due.ts'

/** The next day to pay and its last moment, or the need for manual payment. */
type NextStep =
  | {
      step: 'pay'
      /** `YYYY-MM-DD`, UTC. */
      day: string
      through: Date
      /** True if the day is over, so that no further rewards become due on it. */
      ends: boolean
    }
  | { step: 'halted'; behindSince: string }
  | { step: 'none' }

/**
 * Returns the next business day to pay (invariant I18). Days are paid in order, none in the future. If more than three days are missing,
 * the job pays the day in progress and the next three days; staff pay the others. Days that the sandbox's button has passed are not missing.
 * @param now the present time; if the clock was set back before the open day, the job pays nothing until this day
 */
export async function nextDay(tx: Tx, now: Date): Promise<NextStep> {
  const today = utcDay(now)
  const open = await openDay(tx, today, now)
  if (open > today) return { step: 'none' }
  const last = await lastAllowedDay(tx, open, today, now)
  if (last !== null && open > last) return { step: 'halted', behindSince: open }
  const ends = open < today
  return { step: 'pay', day: open, through: ends ? endOfDay(open) : now, ends }
}

/** Returns the oldest open day. A new instance starts on the day when its oldest reward is due. */
export async function openDay(tx: Tx, today: string, now: Date): Promise<string> {
  const open = await tx.selectFrom('reward_day').select('day').where('status', '=', 'OPEN').orderBy('day').limit(1).executeTakeFirst()
  if (open !== undefined) return open.day
  const last = await tx.selectFrom('reward_day').select('day').orderBy('day', 'desc').limit(1).executeTakeFirst()
  const day = last === undefined ? await firstDueDay(tx, today) : addDays(last.day, 1)
  if (day <= today)
    await tx
      .insertInto('reward_day')
      .values({ day, status: 'OPEN', opened_at: now })
      .onConflict((c) => c.doNothing())
      .execute()
  return day
}

/**
 * Returns the time through which pending rewards may be released: the end of the last day that the job may pay, at most now. After a clock
 * jumped ahead, releases therefore wait until staff have paid the missing days (invariant I18).
 */
export async function releasableThrough(tx: Tx, now: Date): Promise<Date> {
  const { rows } = await sql<{ open: string | null; allowed: string | null }>`
    select coalesce((select day from reward_day where status = 'OPEN' order by day limit 1),
        (select day + 1 from reward_day order by day desc limit 1))::text as open,
      (select automatic_through::text from reward_halt where ended_at is null) as allowed`.execute(tx)
  const [{ open, allowed } = { open: null, allowed: null }] = rows
  if (open === null) return now
  const last = endOfDay(allowed ?? addDays(later(open, await readRecordedMove(tx)), CATCH_UP_DAYS))
  return last < now ? last : now
}

/** Returns the later of an open day and of the day to which the sandbox moved the clock. */
const later = (open: string, moved: string | null): string => (moved !== null && moved > open ? moved : open)

async function firstDueDay(tx: Tx, today: string): Promise<string> {
  const found = await sql<{ day: string | null }>`
    select min((reward_step(stream = 2, starts_at, processed + 1) at time zone 'UTC')::date) as day
    from reward_source where processed < steps and reversed_at is null`.execute(tx)
  const day = found.rows[0]?.day ?? today
  return day < today ? day : today
}

/** Returns the last day that the job may pay; null if unlimited. */
async function lastAllowedDay(tx: Tx, open: string, today: string, now: Date): Promise<string | null> {
  const moved = await readRecordedMove(tx)
  const since = later(open, moved)
  const halt = await tx.selectFrom('reward_halt').select(['id', 'automatic_through']).where('ended_at', 'is', null).executeTakeFirst()
  if (halt !== undefined) {
    // A halt ends after staff have paid a later day, or moved the sandbox's clock. Days that the job itself has paid do not end a halt.
    const byHand = await tx.selectFrom('reward_run').select('id').where('day', '>', halt.automatic_through).limit(1).executeTakeFirst()
    const isLifted = byHand !== undefined || (moved !== null && moved > halt.automatic_through)
    if (!isLifted || daysBetween(since, today) > CATCH_UP_DAYS) return halt.automatic_through
    await tx.updateTable('reward_halt').set({ ended_at: now }).where('id', '=', halt.id).execute()
    return null
  }
  if (daysBetween(since, today) <= CATCH_UP_DAYS) return null
  const allowed = addDays(since, CATCH_UP_DAYS)
  await tx
    .insertInto('reward_halt')
    .values({ behind_since: open, automatic_through: allowed, noticed_at: now })
    .onConflict((c) => c.doNothing())
    .execute()
  return allowed
}

/**
 * Closes a day with the totals of its runs. Does nothing while a run has status RECORDING.
 * @param day `YYYY-MM-DD`
 */
export async function closeDay(tx: Tx, day: string, at: Date): Promise<void> {
  await sql`
    update reward_day d set status = 'DONE', closed_at = ${at}, runs = r.runs, accruals = r.accruals, hash = r.hash, total_coin = r.coin, total_usd = r.usd
    from (
      select count(*)::int as runs, coalesce(sum(accruals), 0)::bigint as accruals,
        encode(sha256(convert_to(coalesce(string_agg(hash, ',' order by id), ''), 'UTF8')), 'hex') as hash,
        (select coalesce(sum(p.total), 0) from reward_payment p join reward_run q on q.id = p.run_id where q.day = ${day}::date and p.stream < 2)::bigint as coin,
        (select coalesce(sum(p.total), 0) from reward_payment p join reward_run q on q.id = p.run_id where q.day = ${day}::date and p.stream = 2)::bigint as usd
      from reward_run where day = ${day}::date
    ) r
    where d.day = ${day}::date and d.status = 'OPEN'
      and not exists (select 1 from reward_run where day = ${day}::date and status = 'RECORDING')`.execute(tx)
}
