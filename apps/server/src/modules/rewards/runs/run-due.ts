import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database.ts'
import { addDays, CATCH_UP_DAYS, startOfDay } from '../programme/rewards.rules.ts'
import type { NextDay } from './run-days.ts'

/**
 * What is known to wait for nothing, so that a look at what is due costs what has fallen due since, not what there is: no
 * reward up to `clearThrough` waits of the sources up to the seen ids. Sources that came later are looked at one by one:
 * theirs fall due a day after they came, but a clock that was set back and forth may have passed that by.
 */
export interface Watch {
  clearThrough: Date
  seenStake: bigint
  seenNft: bigint
  /** The newest sources of this moment. */
  newestStake: bigint
  newestNft: bigint
}

type KnownWatch = Omit<Watch, 'clearThrough'> & { clearThrough: Date | null }

/** Rewards that are older than what is made up without a person are left alone; a person's run has no such limit. */
export interface DueWindow {
  day: string
  through: Date
  byHand?: boolean
  /** Nothing before it waits; the run's end moves it on. */
  watch?: Watch | undefined
  /** Whether it is so little that one transaction does it, and the watch, where there is one, says where it is. */
  few?: boolean
}

/** How many rewards are due and not written down yet, counted up to a limit, and when the last run of the day ended. */
interface DueCount {
  due: number
  lastThrough: Date
  watch: Watch | undefined
}

const oldest = (window: DueWindow) => startOfDay(window.byHand === true ? '2000-01-01' : addDays(window.day, -CATCH_UP_DAYS))

const STAKE_DUE_AT = sql`started_at + (paid_days + 1) * interval '24 hours'`
const NFT_DUE_AT = sql`reward_month(purchased_at, months_paid + 1)`

/** The condition on `stake` that its next day is due. */
export const stakeIsDue = (window: DueWindow) => sql<boolean>`
  paid_days < duration_days and ${STAKE_DUE_AT} between ${oldest(window)}::timestamptz and ${window.through}::timestamptz`

/** The condition on `nft_purchase` that its next month is due. */
export const nftIsDue = (window: DueWindow) => sql<boolean>`
  months_paid < duration_months and ${NFT_DUE_AT} between ${oldest(window)}::timestamptz and ${window.through}::timestamptz`

/** The condition on `stake` that it may have fallen due since the watch. */
export const stakeIsNear = (watch: Watch, through: Date) =>
  sql<boolean>`(stake.id > ${watch.seenStake} or ${isBetween(sql`(started_at at time zone 'UTC')::time`, watch.clearThrough, through)})`

/** The condition on `nft_purchase p` that it may have fallen due since the watch. */
export const nftIsNear = (watch: Watch, through: Date) =>
  sql<boolean>`(p.id > ${watch.seenNft} or ${isBetween(sql`(purchased_at at time zone 'UTC')::time`, watch.clearThrough, through)})`

/** Whether a time of the day comes after one moment, up to another one less than a day later. */
function isBetween(time: RawBuilder<unknown>, after: Date, through: Date) {
  const from = after.toISOString().slice(11, 23)
  const to = through.toISOString().slice(11, 23)
  // Past midnight the later moment has the smaller time.
  return from <= to ? sql`(${time} > ${from}::time and ${time} <= ${to}::time)` : sql`(${time} > ${from}::time or ${time} <= ${to}::time)`
}

/**
 * Counts what is due (RW-03, RW-06), and moves the watch to where nothing waits.
 * @param next the day and the moment to look at; of a day that is over, and for a person, everything is looked at
 */
export async function countDue(tx: Tx, next: NextDay & DueWindow, limit: number): Promise<DueCount> {
  const known = await readWatch(tx, next.day)
  const everything = next.ends || next.byHand === true
  const watch = everything ? undefined : usable(known, next.through)
  const found = await sql<{ due: number; before: Date | null }>`
    with due as (
      (select ${STAKE_DUE_AT} as at from stake
        where ${stakeIsDue(next)} and ${watch === undefined ? true : stakeIsNear(watch, next.through)} limit ${limit})
      union all
      (select ${NFT_DUE_AT} from nft_purchase p
        where ${nftIsDue(next)} and ${watch === undefined ? true : nftIsNear(watch, next.through)} limit ${limit})
    ) select count(*)::int as due, date_trunc('milliseconds', min(at) - interval '1 microsecond') as before from due`.execute(tx)
  const { due, before } = found.rows[0] ?? { due: 0, before: null }
  if (due >= limit || next.byHand === true) return { due, lastThrough: known.lastThrough, watch }
  const moved = { ...known, clearThrough: before ?? next.through, seenStake: known.newestStake, seenNft: known.newestNft }
  await setWatch(tx, moved.clearThrough, moved.seenStake, moved.seenNft)
  return { due, lastThrough: known.lastThrough, watch: everything ? undefined : usable(moved, next.through) }
}

/** A time of the day says what is due only within one day; a clock that was set back has to look at everything. */
function usable({ clearThrough, ...ids }: KnownWatch, through: Date): Watch | undefined {
  if (clearThrough === null) return undefined
  const since = through.getTime() - clearThrough.getTime()
  return since >= 0 && since < DAY_MS ? { ...ids, clearThrough } : undefined
}

async function readWatch(tx: Tx, day: string): Promise<KnownWatch & { lastThrough: Date }> {
  const found = await sql<KnownWatch & { lastThrough: Date | null }>`
    select clear_through as "clearThrough", seen_stake as "seenStake", seen_nft as "seenNft",
      coalesce((select max(id) from stake), 0) as "newestStake", coalesce((select max(id) from nft_purchase), 0) as "newestNft",
      (select max(through) from reward_run where day = ${day}::date) as "lastThrough"
    from reward_watch`.execute(tx)
  const row = found.rows[0]
  if (row === undefined) throw new Error('reward_watch has one row')
  return { ...row, lastThrough: row.lastThrough ?? startOfDay(day) }
}

async function setWatch(tx: Tx, clearThrough: Date | null, stake: bigint, nft: bigint): Promise<void> {
  await sql`update reward_watch set clear_through = ${clearThrough}, seen_stake = ${stake}, seen_nft = ${nft}`.execute(tx)
}

/**
 * Moves the watch to the end of a run that has written down everything due in it. A run that began without a watch may
 * have left a source with more than one reward due: everything is looked at again.
 */
export async function moveWatch(tx: Tx, { watch, through }: DueWindow): Promise<void> {
  await setWatch(tx, watch === undefined ? null : through, watch?.newestStake ?? 0n, watch?.newestNft ?? 0n)
}
