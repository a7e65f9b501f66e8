import { dailyReward, monthlyReward, type Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Asset } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { rewardHoldDays } from '../../settings/index.ts'
import type { Coverage } from './coverage.ts'
import { type Programme, programmeAt, type ProgrammeRow, readProgramme } from '../programme/programme.ts'
import { rankBudget } from '../programme/rank-budget.rules.ts'
import { levelReward, type ProgrammeRules, shareOf } from '../programme/rewards.rules.ts'

/** A sale that adds liabilities; amounts, percentages and prices in units. */
export type Sale =
  | { kind: 'stake'; amount: Units; apy: Units; durationDays: number }
  | { kind: 'nft'; price: Units; totalPercent: Units; durationMonths: number }

/** Reward terms for a sale. */
export interface SaleTerms {
  programme: Programme
  /** Hold days for the referral reward of a coin purchase. */
  holdDays: number
  /** Free coverage: liabilities that can still be added, in units. */
  capacity: Units
  /** Asset of the coverage that the sale uses, and version of the coverage at the read. */
  asset: Asset
  coverageVersion: bigint
}

/**
 * Reads the programme at a time and the free coverage for new liabilities, in one statement and without a lock. Every use case that adds
 * liabilities calls {@link confirmCoverage} at its end.
 */
export async function saleTerms(tx: Tx, at: Date, asset: Asset): Promise<SaleTerms> {
  const found = await sql<ProgrammeRow & Coverage & { hold_days: number; coverage_version: bigint }>`
    select p.*, c.*, ${rewardHoldDays(at)} as hold_days, (select version from reward_coverage_version where asset = ${asset}) as coverage_version from ${programmeAt(at)} p cross join reward_coverage(${asset}) c`.execute(
    tx,
  )
  const [row] = found.rows
  if (row === undefined) throw new Error('no programme')
  const capacity = row.pool + row.committed - row.promised - row.owed
  return { programme: readProgramme(row), holdDays: row.hold_days, capacity, asset, coverageVersion: row.coverage_version }
}

/**
 * Rejects liabilities whose sum exceeds the free coverage. The error rolls back the whole batch; the server then retries each sale alone.
 * @throws AppError NOT_COVERED
 */
export function assertCovered(capacity: Units, promises: readonly Units[]): void {
  if (promises.length > 0 && sumOf(promises) > capacity) throw new AppError('NOT_COVERED')
}

/**
 * Rejects the new liabilities if concurrent transactions have used up the free coverage since it was read. Every use case calls this
 * function at its end, after the insert of its liabilities. The asset's row stays locked until the end of the transaction, so that
 * transactions confirm their liabilities one after the other (docs/decisions/0029-concurrent-coverage-check.md).
 * @param read the terms whose free coverage was checked; without `coverageVersion` the database always compares again
 * @throws AppError NOT_COVERED
 */
export async function confirmCoverage(tx: Tx, read: Pick<SaleTerms, 'asset'> & { coverageVersion?: bigint }): Promise<void> {
  if ((await lockCoverage(tx, read)) < 0n) throw new AppError('NOT_COVERED')
}

/**
 * Locks the asset's row until the end of the transaction, as {@link confirmCoverage} describes.
 * @returns the free coverage in units, negative for uncovered liabilities; 0 if it is unchanged since it was read
 */
export async function lockCoverage(tx: Tx, read: Pick<SaleTerms, 'asset'> & { coverageVersion?: bigint }): Promise<Units> {
  const found = await sql<{
    capacity: Units | null
  }>`select reward_confirm_coverage(${read.asset}, ${read.coverageVersion ?? -1n}) as capacity`.execute(tx)
  return found.rows[0]?.capacity ?? 0n
}

const sumOf = (list: readonly Units[]) => list.reduce((total, one) => total + one, 0n)
const larger = (a: Units, b: Units) => (a > b ? a : b)

/** Returns the liability of a sale in units: its rewards with the largest possible bounties, for a stake also its rank budget. */
export function liabilityOf(sale: Sale, rules: ProgrammeRules): Units {
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
  return (
    BigInt(sale.durationDays) * (day + shareOf(day, bounty)) +
    levelReward(sale, level, rules.fullLevelShareDays) +
    rankBudget(sale.amount, sale.durationDays, rules.ranks)
  )
}
