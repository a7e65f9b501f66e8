import type { Units } from '@tizara/money'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { addDays, DAY_MS, startOfDay } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { areValid, type ProgrammeRules } from '../programme/rewards.rules.ts'
import { oldestOpenDay } from '../runs/reward-runs.ts'

/**
 * Simulates a draft programme on past days, as if in force from the first of these days; earlier sales keep their version. The simulation
 * moves no money and creates no rewards. Results are added to `reward_simulation`, one batch per transaction.
 */

/** First and last UTC day `YYYY-MM-DD`, both paid and closed. */
export interface SimulatedDays {
  first: string
  last: string
}

export interface Simulation {
  /** Public id of the simulation's background job. */
  id: string
  rules: ProgrammeRules
  days: SimulatedDays
}

/** A draft's effect in units: on liabilities, and on rewards paid or owed by now. */
export interface SimulatedChange {
  liabilityCoin: Units
  liabilityUsd: Units
  settledCoin: Units
  settledUsd: Units
}

/** Result of a batch: the id after which the next batch begins; undefined after the last batch. */
export interface BatchResult {
  next: bigint | undefined
  change?: SimulatedChange
}

/**
 * Returns the newest closed days.
 * @param count how many days
 */
export async function simulatedDays(db: Db, now: Date, count: number): Promise<SimulatedDays> {
  const open = await oldestOpenDay(db, now)
  return { first: addDays(open, -count), last: addDays(open, -1) }
}

/**
 * Completes a draft with the rules in force.
 * @throws AppError INVALID_INPUT when the draft is not valid
 */
export function wholeDraft(current: ProgrammeRules, change: Partial<ProgrammeRules>): ProgrammeRules {
  const rules = { ...current, ...change }
  if (!areValid(rules)) throw new AppError('INVALID_INPUT')
  return rules
}

/** Returns when the days start, and when the day after them starts. */
export const bounds = ({ first, last }: SimulatedDays) => ({ from: startOfDay(first), to: startOfDay(addDays(last, 1)) })

/** Returns a mark per day with its runs' hash, which never changes after payment. */
export async function dayHashes(db: Db, days: SimulatedDays): Promise<string[]> {
  const { rows } = await sql<{ mark: string }>`
    select day::text || ' ' || coalesce(hash, '') as mark from reward_day where day between ${days.first}::date and ${days.last}::date
    order by day`.execute(db)
  return rows.map(({ mark }) => mark)
}

/** SQL: the days' first and last run, as days are paid in order. */
export const runsOf = ({ first, last }: SimulatedDays) => sql`(
  select min(id) as first, max(id) as last from reward_run where day between ${first}::date and ${last}::date)`

/** SQL: the draft with the `reward_programme` columns. */
export function draftOf({ rules }: Simulation): RawBuilder<unknown> {
  const list = (shares: readonly Units[]) => sql`${[...shares]}::bigint[]`
  return sql`(
    select ${rules.referralPercent}::bigint as referral_percent, ${list(rules.levelPercents)} as level_percents,
      ${list(rules.stakeLogLevelPercents)} as stake_log_level_percents, ${list(rules.nftLevelPercents)} as nft_level_percents,
      ${list(rules.bountyPercents)} as bounty_percents, ${list(rules.stakeLogBountyPercents)} as stake_log_bounty_percents,
      ${list(rules.nftBountyPercents)} as nft_bounty_percents, ${rules.fullLevelShareDays}::int as full_level_share_days)`
}

/** Tolerance between id order and time order, as transactions overlap. In ms. */
export const SKEW_MS = DAY_MS

/** Returns the id before all rows since a moment, as ids and times rise together. */
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

/** SQL: adds a relation's figures `(member_id, kind, before, after)` to a simulation. */
export const addFigures = ({ id }: Simulation, at: Date, figures: RawBuilder<unknown>) => sql`
  insert into reward_simulation as t (simulation, member_id, kind, before, after, begun_at)
  select ${id}, member_id, kind, sum(before)::bigint, sum(after)::bigint, ${at} from ${figures} f where before <> 0 or after <> 0
  group by member_id, kind order by member_id, kind
  on conflict (simulation, member_id, kind) do update set before = t.before + excluded.before, after = t.after + excluded.after`

/** A member's figure by kind, actual and under the draft. */
export interface SimulationFigure {
  memberId: bigint
  kind: string
  before: Units
  after: Units
}

/**
 * Reads and deletes the results of a simulation for the next members.
 * @returns all results for up to `members` members, by id
 */
export async function takeFigures(tx: Tx, id: string, members: number): Promise<SimulationFigure[]> {
  const { rows } = await sql<SimulationFigure>`
    with who as (select distinct member_id from reward_simulation where simulation = ${id} order by member_id limit ${members}), gone as (
      delete from reward_simulation where simulation = ${id} and member_id <= (select max(member_id) from who)
      returning member_id as "memberId", kind, before, after
    ) select * from gone order by "memberId", kind`.execute(tx)
  return rows
}
