import { mulDiv, ONE, type Units } from '@tizara/money'
import { DAY_MS, utcDay } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { coverageOf, forecastByMonth } from '../../rewards/index.ts'

/** Liabilities of one month. */
interface Month {
  /** Format `2026-07`. */
  month: string
  amount: Units
}

/** Returns the coverage of the liabilities and the date on which the pool is depleted, per asset. */
export async function poolForecast(db: Db, now: Date) {
  const [coin, usd, forecast] = await Promise.all([coverageOf(db, 'COIN'), coverageOf(db, 'USD'), forecastByMonth(db, utcDay(now))])
  const inUsd = (kind: string) => kind.startsWith('nft-')
  return [
    { asset: 'coin' as const, coverage: coin, of: forecast.filter((row) => !inUsd(row.kind)) },
    { asset: 'usd' as const, coverage: usd, of: forecast.filter((row) => inUsd(row.kind)) },
  ].map(({ asset, coverage, of }) => {
    const months = [...Map.groupBy(of, (row) => row.month)].map(([month, rows]) => ({
      month,
      amount: rows.reduce((sum, row) => sum + row.amount, 0n),
    }))
    const due = coverage.promised + coverage.owed
    return {
      asset,
      balance: coverage.pool,
      owed: coverage.owed,
      promised: coverage.promised,
      committed: coverage.committed,
      coverage: due === 0n ? null : mulDiv(coverage.pool + coverage.committed, 100n * ONE, due, 'down'),
      poolDepletionDate: poolDepletionDate(coverage.pool - coverage.owed, months, now),
      forecast: months,
    }
  })
}

/**
 * Returns the UTC day on which liabilities deplete the pool; null if the pool covers all of them. A month's liabilities are spread evenly.
 * @param left pool balance after debts, in units
 */
export function poolDepletionDate(left: Units, months: readonly Month[], now: Date): string | null {
  if (left < 0n) return utcDay(now)
  for (const { month, amount } of months) {
    if (amount > left) {
      const begins = Math.max(now.getTime(), Date.parse(`${month}-01T00:00:00Z`))
      const [year = 0, number = 1] = month.split('-').map(Number)
      const days = Math.max(1, Math.floor((Date.UTC(year, number, 1) - begins) / DAY_MS))
      return utcDay(new Date(begins + Number((left * BigInt(days)) / amount) * DAY_MS))
    }
    left -= amount
  }
  return null
}
