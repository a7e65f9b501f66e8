import type { ReplyOf } from '@tizara/contract'
import type { staffOverview } from '@tizara/contract/staff'

type Overview = ReplyOf<typeof staffOverview>

/** Returns reserves against liabilities in USD, in percent; null when nothing is owed. */
export function reservesOf(data: Overview): bigint | null {
  const now = data.reserves.at(-1)
  return now === undefined || now.liabilities <= 0n ? null : (now.reserves * 10_000_000_000n) / now.liabilities
}

const least = (ratios: readonly (bigint | null | undefined)[]): bigint | null =>
  ratios.reduce<bigint | null>((low, one) => (one !== null && one !== undefined && (low === null || one < low) ? one : low), null)

/** Returns the lowest pool coverage in percent; null without liabilities. */
export const coverOf = (data: Overview): bigint | null => least(data.rewardPool.map((row) => row.coverage))

/** Jobs whose last run failed. */
export const failingOf = (data: Overview) => (data.jobs ?? []).filter((job) => job.error !== null)
