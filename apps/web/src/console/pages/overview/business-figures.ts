import type { ReplyOf } from '@tizara/contract'
import type { BusinessFigures, staffBusiness } from '@tizara/contract/staff-business'
import type { Asset } from '@tizara/contract/wallets'

export type Business = ReplyOf<typeof staffBusiness>

/** A figure of the tiles and the chart. */
export interface Figure {
  key: string
  label: string
  /** Unit of an amount; undefined for a count. */
  asset?: Asset
  /** Value of a day or a period: units for an amount, else a count. */
  valueOf: (figures: BusinessFigures) => bigint
}

/** Figures of the tiles, in their order. */
export const FIGURES: readonly [Figure, ...Figure[]] = [
  { key: 'sign-ups', label: 'New members', valueOf: (one) => BigInt(one.registered) },
  { key: 'usd-taken', label: 'USD taken', asset: 'usd', valueOf: (one) => one.usdForCoin + one.usdForNfts },
  { key: 'coin-sold', label: 'Coin sold', asset: 'coin', valueOf: (one) => one.coinSold },
  { key: 'deposits', label: 'Deposits', asset: 'usd', valueOf: (one) => one.usdDeposited },
  { key: 'withdrawn', label: 'Withdrawals paid', asset: 'usd', valueOf: (one) => one.usdPaid },
  { key: 'fees', label: 'Fees', asset: 'usd', valueOf: (one) => one.usdFees },
  { key: 'staked', label: 'Coin staked', asset: 'coin', valueOf: (one) => one.coinStaked },
]

/** Periods of the page, with their labels. */
export const PERIODS = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const satisfies readonly (readonly [string, string])[]
