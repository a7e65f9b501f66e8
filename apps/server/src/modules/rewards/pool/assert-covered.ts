import { dailyReward, monthlyReward, type Units } from '@tizara/money'
import type { Asset } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/app-error.ts'
import type { Tx } from '../../../platform/database.ts'
import type { Deps } from '../../../platform/deps.ts'
import { coverageOf, currentPolicy } from './coverage.ts'
import { currentProgramme } from '../programme/programme.ts'
import { levelReward, shareOf } from '../programme/rewards.rules.ts'

/** A sale that would add to what is promised; amounts, percentages and prices in units. */
export type Sale =
  | { kind: 'stake'; amount: Units; apy: Units; durationDays: number; at: Date }
  | { kind: 'nft'; price: Units; totalPercent: Units; durationMonths: number; at: Date }

/**
 * Refuses a sale whose rewards, with the largest possible bounties, are not covered by the pool and the operator's
 * commitment together with everything promised before. It looks without a lock: sales of the same moment do not wait
 * for each other; what is paid is guarded by the pool itself, which cannot go below zero.
 * @throws AppError NOT_COVERED
 */
export async function assertCovered(tx: Tx, _deps: Pick<Deps, 'clock'>, sale: Sale): Promise<void> {
  await assertPromiseCovered(tx, { asset: sale.kind === 'stake' ? 'COIN' : 'USD', amount: await promiseOf(tx, sale) })
}

/**
 * The same for a promise that is known already.
 * @throws AppError NOT_COVERED
 */
export async function assertPromiseCovered(tx: Tx, promise: { asset: Asset; amount: Units }): Promise<void> {
  if ((await currentPolicy(tx)).coverageMode === 'observe') return
  const coverage = await coverageOf(tx, promise.asset)
  if (coverage.promised + coverage.owed + promise.amount > coverage.pool + coverage.committed) throw new AppError('NOT_COVERED')
}

const sumOf = (list: readonly Units[]) => list.reduce((total, one) => total + one, 0n)
const larger = (a: Units, b: Units) => (a > b ? a : b)

async function promiseOf(tx: Tx, sale: Sale): Promise<Units> {
  const rules = await currentProgramme(tx, sale.at)
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
