import type { Units } from '@tizara/money'
import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { RewardProgrammeTable } from '../../../platform/db/tables.generated.ts'
import type { ProgrammeRules, Rank } from './rewards.rules.ts'

export interface Programme extends ProgrammeRules {
  version: number
  startsAt: Date
}

export async function currentProgramme(db: Db, at: Date): Promise<Programme> {
  const { rows } = await sql<ProgrammeRow>`select * from ${programmeAt(at)} p`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`no programme at ${at.toISOString()}`)
  return readProgramme(row)
}

/** Reads the version referenced by a sale. */
export async function programmeByVersion(db: Db, version: number): Promise<Programme> {
  return readProgramme(await db.selectFrom('reward_programme').selectAll().where('version', '=', version).executeTakeFirstOrThrow())
}

/** SQL: the row for the version in force at a moment. */
export const programmeAt = (at: Date) =>
  sql`(select * from reward_programme where starts_at <= ${at} order by starts_at desc, version desc limit 1)`

/** A new version approved by staff. */
export interface NewProgramme {
  /** The changed rules. Other rules keep their values in force at `startsAt`. */
  rules: Partial<ProgrammeRules>
  startsAt: Date
  at: Date
  reason: string
  /** The approver's member id. */
  by: bigint | null
}

/** Reads and locks the newest version until the end of the transaction, so that versions are added one after the other. */
export async function lockNewestProgramme(tx: Tx): Promise<Programme> {
  return readProgramme(
    await tx.selectFrom('reward_programme').selectAll().orderBy('version', 'desc').limit(1).forUpdate().executeTakeFirstOrThrow(),
  )
}

/** Returns the start times of later versions, in epoch milliseconds. */
export async function startsAfter(tx: Tx, at: Date): Promise<number[]> {
  const rows = await tx.selectFrom('reward_programme').select('starts_at').distinct().where('starts_at', '>', at).execute()
  return rows.map((row) => row.starts_at.getTime())
}

/** Stores a version. Call `addProgramme` instead: it validates the rates and checks the pool's coverage. */
export async function storeProgramme(tx: Tx, version: number, rules: ProgrammeRules, change: NewProgramme): Promise<Programme> {
  const row = await tx
    .insertInto('reward_programme')
    .values({
      version,
      starts_at: change.startsAt,
      referral_percent: rules.referralPercent,
      level_percents: [...rules.levelPercents],
      bounty_percents: [...rules.bountyPercents],
      stake_log_level_percents: [...rules.stakeLogLevelPercents],
      stake_log_bounty_percents: [...rules.stakeLogBountyPercents],
      nft_level_percents: [...rules.nftLevelPercents],
      nft_bounty_percents: [...rules.nftBountyPercents],
      ranks: JSON.stringify(rules.ranks.map((one) => ({ rank: one.rank, teamStake: String(one.teamStake), bonus: String(one.bonus) }))),
      full_level_share_days: rules.fullLevelShareDays,
      reason: change.reason,
      created_by: change.by,
      created_at: change.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return readProgramme(row)
}

export type ProgrammeRow = Selectable<RewardProgrammeTable>

export function readProgramme(row: ProgrammeRow): Programme {
  return {
    version: row.version,
    startsAt: row.starts_at,
    referralPercent: row.referral_percent,
    levelPercents: units(row.level_percents),
    bountyPercents: units(row.bounty_percents),
    stakeLogLevelPercents: units(row.stake_log_level_percents),
    stakeLogBountyPercents: units(row.stake_log_bounty_percents),
    nftLevelPercents: units(row.nft_level_percents),
    nftBountyPercents: units(row.nft_bounty_percents),
    fullLevelShareDays: row.full_level_share_days,
    ranks: readRanks(row.ranks),
  }
}

// The driver returns 64-bit integer arrays as text.
const units = (list: readonly (bigint | string)[]): Units[] => list.map((one) => BigInt(one))

function readRanks(value: unknown): Rank[] {
  if (!Array.isArray(value)) throw new Error('ranks are a list')
  return value.map((one: { rank: string; teamStake: string; bonus: string }) => ({
    rank: one.rank,
    teamStake: BigInt(one.teamStake),
    bonus: BigInt(one.bonus),
  }))
}
