import type { ReplyOf } from '@tizara/contract'
import type { staffOverview } from '@tizara/contract/staff'

type Overview = ReplyOf<typeof staffOverview>

/** Returns reserves against member balances in percent; null when members hold nothing. */
export function reservesOf(data: Overview, asset: 'usd' | 'coin'): bigint | null {
  const now = data.reserves.findLast((row) => row.asset === asset)
  return now === undefined || now.liabilities <= 0n ? null : (now.reserves * 10_000_000_000n) / now.liabilities
}

const least = (ratios: readonly (bigint | null | undefined)[]): bigint | null =>
  ratios.reduce<bigint | null>((low, one) => (one !== null && one !== undefined && (low === null || one < low) ? one : low), null)

/** Returns the lower reserve ratio of both assets. */
export const lowestReserves = (data: Overview): bigint | null => least([reservesOf(data, 'usd'), reservesOf(data, 'coin')])

/** Returns the lowest pool coverage in percent; null without liabilities. */
export const coverOf = (data: Overview): bigint | null => least(data.rewardPool.map((row) => row.coverage))

/** Jobs whose last run failed. */
export const failingOf = (data: Overview) => (data.jobs ?? []).filter((job) => job.error !== null)
