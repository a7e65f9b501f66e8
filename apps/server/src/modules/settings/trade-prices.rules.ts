import type { Units } from '@tizara/money'
import { DAY_MS } from '../../platform/runtime/clock.ts'

/** A coin price and convert rate that are in force from `at` (ms) on. */
export interface PriceStep {
  at: number
  coinPrice: Units
  convertRate: Units
  /** True if the price was approved before its start, so that members knew it in advance. */
  isAnnounced: boolean
}

/** Prices for trades of members, in USD units for one coin. */
export interface TradePrices {
  /** Members buy coin with USD. */
  buyPrice: Units
  /** Members sell coin for USD, or pay a USD price in coin. */
  sellPrice: Units
  /** Members convert USD of the NFT wallet into coin. */
  buyRate: Units
}

/** Time in ms after the start of an announced price in which the earlier price applies too. */
export const BOTH_PRICES_MS = DAY_MS

/** Returns true if a step changes a price. The first step of a path changes none. */
export const changesPrice = (path: readonly PriceStep[], index: number): boolean => {
  const [step, before] = [path[index], path[index - 1]]
  return step !== undefined && before !== undefined && (step.coinPrice !== before.coinPrice || step.convertRate !== before.convertRate)
}

/**
 * Returns the prices for trades [MF-10]. From the approval of an announced price until 24 hours after its start, members buy at the highest
 * and sell at the lowest of the prices before and after it (docs/decisions/0022-price-change-notice.md).
 * @param path all prices in order: the one of 24 hours ago first, and every announced one
 * @param at ms, at or after the first step
 */
export function tradePricesAt(path: readonly PriceStep[], at: number): TradePrices {
  const counted = path.filter(({ at: from }) => from <= at).slice(-1)
  for (const [index, step] of path.entries()) {
    if (step.isAnnounced && step.at + BOTH_PRICES_MS > at && changesPrice(path, index)) counted.push(step, ...path.slice(index - 1, index))
  }
  const [coinPrices, rates] = [counted.map((step) => step.coinPrice), counted.map((step) => step.convertRate)]
  return { buyPrice: highest(coinPrices), sellPrice: -highest(coinPrices.map((price) => -price)), buyRate: highest(rates) }
}

function highest(units: readonly Units[]): Units {
  const [first, ...others] = units
  if (first === undefined) throw new Error('no price is in force')
  return others.reduce((max, one) => (one > max ? one : max), first)
}
