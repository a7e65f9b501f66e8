import type { Units } from '@tizara/money'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { addDays, DAY_MS, startOfDay } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { areValid, type ProgrammeRules } from '../programme/rewards.rules.ts'
import { oldestOpenDay } from '../runs/reward-runs.ts'

/*
 * A draft of the programme is tried on days that are over, as if it had held from the first of them on: what was sold before
 * keeps its own version. Nothing is posted, promised or held. Figures gather in `reward_trial`, a slice a transaction.
 */

/** UTC days `YYYY-MM-DD` that are paid and closed, the first and the last one. */
export interface TrialDays {
  first: string
  last: string
}

export interface Trial {
  /** The public id of the job that does it. */
  id: string
  rules: ProgrammeRules
  days: TrialDays
}

/** By how much a draft moves what stands behind rewards, in units: what is promised, and what is paid or owed by now. */
export interface Moved {
  promisedCoin: Units
  promisedUsd: Units
  settledCoin: Units
  settledUsd: Units
}

/** What a slice did: behind which id the next one begins; undefined after the last one. */
export interface Tried {
  next: bigint | undefined
  moved?: Moved
}

/**
 * The newest days that are over and closed.
 * @param count how many days
 */
export async function trialDays(db: Db, now: Date, count: number): Promise<TrialDays> {
  const open = await oldestOpenDay(db, now)
  return { first: addDays(open, -count), last: addDays(open, -1) }
}

/**
 * A draft with what it leaves out.
 * @throws AppError INVALID_INPUT when it is none that could hold
 */
export function wholeDraft(holds: ProgrammeRules, change: Partial<ProgrammeRules>): ProgrammeRules {
  const rules = { ...holds, ...change }
  if (!areValid(rules)) throw new AppError('INVALID_INPUT')
  return rules
}

/** The first moment of the days, and the first one behind them. */
export const bounds = ({ first, last }: TrialDays) => ({ from: startOfDay(first), to: startOfDay(addDays(last, 1)) })

/** What the runs of the days have paid never changes: a mark for each day, and the versions that held. */
export async function markOfDays(db: Db, days: TrialDays): Promise<string[]> {
  const { rows } = await sql<{ mark: string }>`
    select day::text || ' ' || coalesce(hash, '') as mark from reward_day where day between ${days.first}::date and ${days.last}::date
    order by day`.execute(db)
  return rows.map(({ mark }) => mark)
}

/** SQL of the runs of the days, first and last: days are paid in order. */
export const runsOf = ({ first, last }: TrialDays) => sql`(
  select min(id) as first, max(id) as last from reward_run where day between ${first}::date and ${last}::date)`

/** SQL of the draft, with the columns of `reward_programme`. */
export function draftOf({ rules }: Trial): RawBuilder<unknown> {
  const list = (shares: readonly Units[]) => sql`${[...shares]}::bigint[]`
  return sql`(
    select ${rules.referralPercent}::bigint as referral_percent, ${list(rules.levelPercents)} as level_percents,
      ${list(rules.stakeLogLevelPercents)} as stake_log_level_percents, ${list(rules.nftLevelPercents)} as nft_level_percents,
      ${list(rules.bountyPercents)} as bounty_percents, ${list(rules.stakeLogBountyPercents)} as stake_log_bounty_percents,
      ${list(rules.nftBountyPercents)} as nft_bounty_percents, ${rules.fullLevelShareDays}::int as full_level_share_days)`
}

/** How far ids may run ahead of their moments, or lie behind: transactions overlap. */
export const SKEW_MS = DAY_MS

/** The id behind which all rows since a moment stand: ids and moments rise together. */
export async function idBefore(
  db: Db,
  table: 'reward_source' | 'reward_instant',
  column: 'starts_at' | 'created_at',
  since: Date,
): Promise<bigint> {
  const newest = await sql<{ id: bigint }>`select coalesce(max(id), 0) as id from ${sql.table(table)}`.execute(db)
  let [low, high] = [0n, newest.rows[0]?.id ?? 0n]
  while (low < high) {
    const middle = (low + high) / 2n
    const found = await sql<{ id: bigint; at: Date }>`
      select id, ${sql.ref(column)} as at from ${sql.table(table)} where id > ${middle} order by id limit 1`.execute(db)
    const row = found.rows[0]
    if (row === undefined || row.at.getTime() >= since.getTime() - SKEW_MS) high = middle
    else low = row.id
  }
  return low
}

/** SQL that adds figures `(member_id, kind, before, after)` of a relation to a trial. */
export const addFigures = ({ id }: Trial, at: Date, figures: RawBuilder<unknown>) => sql`
  insert into reward_trial as t (simulation, member_id, kind, before, after, begun_at)
  select ${id}, member_id, kind, sum(before)::bigint, sum(after)::bigint, ${at} from ${figures} f where before <> 0 or after <> 0
  group by member_id, kind order by member_id, kind
  on conflict (simulation, member_id, kind) do update set before = t.before + excluded.before, after = t.after + excluded.after`

/** One member's figure of a kind: what it came to, and would have. */
export interface TrialFigure {
  memberId: bigint
  kind: string
  before: Units
  after: Units
}

/**
 * Takes the figures of the next members out of a trial.
 * @returns all figures of up to so many members, in the order of their ids
 */
export async function takeFigures(tx: Tx, id: string, members: number): Promise<TrialFigure[]> {
  const { rows } = await sql<TrialFigure>`
    with who as (select distinct member_id from reward_trial where simulation = ${id} order by member_id limit ${members}), gone as (
      delete from reward_trial where simulation = ${id} and member_id <= (select max(member_id) from who)
      returning member_id as "memberId", kind, before, after
    ) select * from gone order by "memberId", kind`.execute(tx)
  return rows
}
