import type { ReplyOf } from '@tizara/contract'
import type { staffOverview } from '@tizara/contract/staff'
import { formatAmount } from '../../ui/money-format.ts'

type Overview = ReplyOf<typeof staffOverview>

/** Returns reserves against liabilities in USD, in percent; null when nothing is owed. */
export function reservesOf(data: Overview): bigint | null {
  const now = data.balanceSheet.at(-1)
  return now === undefined || now.liabilities <= 0n ? null : (now.reserves * 10_000_000_000n) / now.liabilities
}

const smallest = (ratios: readonly (bigint | null | undefined)[]): bigint | null =>
  ratios.reduce<bigint | null>((low, one) => (one !== null && one !== undefined && (low === null || one < low) ? one : low), null)

/** Returns the lowest pool coverage in percent; null without liabilities. */
export const coverageRatio = (data: Overview): bigint | null => smallest(data.rewardPool.map((row) => row.coverage))

/** Percent above which coverage is shown in words: ten times what is owed. */
const FULL_COVERAGE = 1_000_00000000n

/**
 * Formats coverage for people: `112`, with a unit of percent, or `fully covered` above ten times. It is rounded down, so that 99.96 %
 * never reads as covered.
 * @param ratio percent in units of 10^-8; null when nothing is owed
 */
export const coverageText = (ratio: bigint | null, decimals: number): { value: string; unit?: string } =>
  ratio === null
    ? { value: '–' }
    : ratio > FULL_COVERAGE
      ? { value: 'fully covered' }
      : { value: formatAmount(ratio - (ratio % 10n ** BigInt(8 - decimals)), decimals), unit: '%' }

/** Jobs whose last run failed. */
export const failingOf = (data: Overview) => (data.jobs ?? []).filter((job) => job.error !== null)
