import { dailyReward, monthlyReward, type Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Asset } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { rewardHoldDays } from '../../settings/index.ts'
import type { Coverage } from './coverage.ts'
import { type Programme, programmeAt, type ProgrammeRow, readProgramme } from '../programme/programme.ts'
import { levelReward, type ProgrammeRules, shareOf } from '../programme/rewards.rules.ts'

/** A sale that would add to what is promised; amounts, percentages and prices in units. */
export type Sale =
  | { kind: 'stake'; amount: Units; apy: Units; durationDays: number }
  | { kind: 'nft'; price: Units; totalPercent: Units; durationMonths: number }

/** How many units may still be promised; null where the operator only looks on. */
export type Room = Units | null

/** What a sale has to know of rewards. */
export interface SaleTerms {
  programme: Programme
  /** Days for which a reward that a sale makes at once is held. */
  holdDays: number
  room: Room
  /** Whose cover the sale takes, and the version of it with which the room was read. */
  asset: Asset
  coverVersion: bigint
}

/**
 * The programme of a moment, and what the pool and the operator's commitment have left for new promises, in one statement.
 * It takes no lock: {@link confirmCover} is the last step of everything that promises.
 */
export async function saleTerms(tx: Tx, at: Date, asset: Asset): Promise<SaleTerms> {
  const found = await sql<ProgrammeRow & Coverage & { enforced: boolean; hold_days: number; cover_version: bigint }>`
    select p.*, c.*, ${rewardHoldDays(at)} as hold_days, (select version from reward_cover where asset = ${asset}) as cover_version from ${programmeAt(at)} p cross join reward_coverage(${asset}) c`.execute(
    tx,
  )
  const [row] = found.rows
  if (row === undefined) throw new Error('no programme')
  const room = row.enforced ? row.pool + row.committed - row.promised - row.owed : null
  return { programme: readProgramme(row), holdDays: row.hold_days, room, asset, coverVersion: row.cover_version }
}

/**
 * Refuses promises that are more than what is left, all together; a group of sales is undone by it, and each goes alone.
 * @throws AppError NOT_COVERED
 */
export function assertCovered(room: Room, promises: readonly Units[]): void {
  if (room !== null && promises.length > 0 && sumOf(promises) > room) throw new AppError('NOT_COVERED')
}

/**
 * Refuses promises that others of the same moment have left no cover for. Every use case calls it after it has written its
 * promises, and last of all: it holds the asset's row until the transaction ends, so that promises are confirmed one by one.
 * @param read the terms with whose room the promises were compared; without a version they are compared anew
 * @throws AppError NOT_COVERED
 */
export async function confirmCover(tx: Tx, read: Pick<SaleTerms, 'asset' | 'room'> & { coverVersion?: bigint }): Promise<void> {
  if (read.room === null) return
  const found = await sql<{ room: Room }>`select reward_confirm_cover(${read.asset}, ${read.coverVersion ?? -1n}) as room`.execute(tx)
  const room = found.rows[0]?.room ?? null
  if (room !== null && room < 0n) throw new AppError('NOT_COVERED')
}

const sumOf = (list: readonly Units[]) => list.reduce((total, one) => total + one, 0n)
const larger = (a: Units, b: Units) => (a > b ? a : b)

/** The rewards of a sale with the largest possible bounties. */
export function promiseOf(sale: Sale, rules: ProgrammeRules): Units {
  if (sale.kind === 'nft') {
    const month = monthlyReward(sale.price, sale.totalPercent, sale.durationMonths)
    return (
      BigInt(sale.durationMonths) * (month + shareOf(month, sumOf(rules.nftBountyPercents))) +
      shareOf(sale.price, sumOf(rules.nftLevelPercents))
    )
  }
  const day = dailyReward(sale.amount, sale.apy, sale.durationDays)
  const bounty = larger(sumOf(rules.bountyPercents), sumOf(rules.stakeLogBountyPercents))
  const level = larger(sumOf(rules.levelPercents), sumOf(rules.stakeLogLevelPercents))
  return BigInt(sale.durationDays) * (day + shareOf(day, bounty)) + levelReward(sale, level, rules.fullLevelShareDays)
}
