import type { ReplyOf } from '@tizara/contract'
import type { staffRewardPool } from '@tizara/contract/staff-rewards'

type Pool = ReplyOf<typeof staffRewardPool>
export type PoolAsset = Pool['assets'][number]

const HUNDRED = 10_000_000_000n
const DAY_MS = 86_400_000

/**
 * Returns pool and commitment in percent of liabilities, in units; null without liabilities.
 * @param more units added to the pool
 */
export function coverageWith({ pool, committed, promised, owed }: PoolAsset, more = 0n): bigint | null {
  const due = promised + owed
  return due === 0n ? null : ((pool + more + committed) * HUNDRED) / due
}

/**
 * Returns the UTC day on which the pool alone runs out, with each month's payments spread evenly; null if it lasts.
 * @param more units added to the pool
 */
export function poolDepletionDate({ pool, owed, forecast = [] }: PoolAsset, more: bigint, now = Date.now()): Date | null {
  let left = pool + more - owed
  if (left < 0n) return new Date(now)
  for (const { month, amount } of forecast) {
    if (amount > left) {
      const begins = Math.max(now, Date.parse(`${month}-01T00:00:00Z`))
      const [year = 0, number = 1] = month.split('-').map(Number)
      const days = Math.max(1, Math.floor((Date.UTC(year, number, 1) - begins) / DAY_MS))
      return new Date(begins + Number((left * BigInt(days)) / amount) * DAY_MS)
    }
    left -= amount
  }
  return null
}
