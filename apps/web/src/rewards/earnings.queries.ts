import type { RewardKind } from '@tizara/contract/rewards'
import { earnings, promisedRewards } from '@tizara/contract/rewards-earnings'
import type { Asset } from '@tizara/contract/wallets'
import type { Units } from '@tizara/money'
import { useQuery } from '@tanstack/react-query'
import { read } from '../lib/http/query.ts'

/** Loads the sums of a year; empty: the current one. Servers that implement only the specification lack this call. */
export const useEarnings = (year: string) => useQuery(read(earnings, { query: year === '' ? {} : { year } }))

/** Loads the rewards promised to the member. Servers that implement only the specification lack this call. */
export const usePromisedRewards = () => useQuery(read(promisedRewards))

/** A kind's sum in a month. */
export interface MonthSum {
  month: string
  kind: RewardKind
  asset: Asset
  amount: Units
}

/** Sums of a month in both units. */
export interface MonthTotal {
  month: string
  coin: Units
  usd: Units
}

/** Adds up amounts of one unit. */
export const totalOf = (sums: readonly { asset: Asset; amount: Units }[], asset: Asset): Units =>
  sums.filter((one) => one.asset === asset).reduce((total, one) => total + one.amount, 0n)

/** Adds up the kinds of each month, in the order of the months. */
export const totalsByMonth = (sums: readonly MonthSum[]): MonthTotal[] =>
  [...Map.groupBy(sums, ({ month }) => month)].map(([month, ofMonth]) => ({
    month,
    coin: totalOf(ofMonth, 'coin'),
    usd: totalOf(ofMonth, 'usd'),
  }))
