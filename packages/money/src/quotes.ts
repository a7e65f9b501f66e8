import { divide, mulDiv, multiply, percentOf } from './rounding.ts'
import { ONE, roundHalfUp, type Units } from './units.ts'

/** What a token purchase costs: the exact charge, and the 2-decimal figure that the wire carries (VA-60, CO-45). */
export interface BuyQuote {
  /** USD units that leave the deposit wallet: the exact product, rounded up at the eighth decimal. */
  charged: Units
  /** USD units with 2 decimals, as shown and sent in `totalPrice`. */
  totalPrice: Units
}

/**
 * Quotes a purchase of coin (MF-12).
 * @param coinAmount coin units
 * @param coinPrice USD units for one coin
 */
export function quoteBuy(coinAmount: Units, coinPrice: Units): BuyQuote {
  const charged = multiply(coinAmount, coinPrice, 'up')
  return { charged, totalPrice: roundHalfUp(charged) }
}

/**
 * USD for coin, the house pays: rounded down (MF-10, MF-11).
 * @param coin coin units
 * @param coinPrice USD units for one coin
 */
export function usdForCoin(coin: Units, coinPrice: Units): Units {
  return multiply(coin, coinPrice, 'down')
}

/**
 * Coin for USD at a convert rate, the house pays: rounded down (MF-06).
 * @param usd USD units
 * @param convertRate USD units for one coin
 */
export function coinForUsd(usd: Units, convertRate: Units): Units {
  return divide(usd, convertRate, 'down')
}

/**
 * The coin price of something priced in USD, the member pays: rounded up (MF-14, VA-72).
 * @param usd USD units
 * @param coinPrice USD units for one coin
 */
export function coinPriceOf(usd: Units, coinPrice: Units): Units {
  return divide(usd, coinPrice, 'up')
}

/** How a withdrawal is split; the three parts add up to the amount (LS-37). */
export interface WithdrawalQuote {
  platformFee: Units
  networkFee: Units
  received: Units
}

/**
 * Splits a withdrawal into fees and what arrives (MF-03, VA-33): fees are rounded up, the rest arrives.
 * @param amount USD units
 * @param platformFeePercent units of percent (5 % is 500000000n)
 * @param networkFeePercent units of percent
 */
export function quoteWithdrawal(amount: Units, platformFeePercent: Units, networkFeePercent: Units): WithdrawalQuote {
  const platformFee = percentOf(amount, platformFeePercent, 'up')
  const networkFee = percentOf(amount, networkFeePercent, 'up')
  return { platformFee, networkFee, received: amount - platformFee - networkFee }
}

/**
 * The coin that may be moved from the ICO wallet in one exchange (UI-M-EXCHANGE-03, VA-45): the percentage with
 * 2 decimals, half up as it is shown, and never more than the wallet holds.
 * @param balance coin units of the ICO wallet
 * @param limitPercent units of percent
 */
export function exchangeShare(balance: Units, limitPercent: Units): Units {
  const share = roundHalfUp(percentOf(balance, limitPercent, 'down'))
  return share > balance ? balance : share
}

/**
 * The reward of one day of a stake: amount ÷ 100 × apy ÷ duration (VA-67, VA-68), rounded down, so that the whole life
 * never pays more than amount × apy ÷ 100 (invariant I10).
 * @param stakeAmount coin units
 * @param apyPercent total percent of the plan, in units
 * @param durationDays days, above 0
 */
export function dailyReward(stakeAmount: Units, apyPercent: Units, durationDays: number): Units {
  return mulDiv(stakeAmount, apyPercent, 100n * ONE * BigInt(durationDays), 'down')
}

/**
 * The monthly reward of an NFT: price ÷ 100 × total percent ÷ months (VA-73), rounded down.
 * @param price USD units
 * @param totalPercent units of percent
 * @param durationMonths months, above 0
 */
export function monthlyReward(price: Units, totalPercent: Units, durationMonths: number): Units {
  return mulDiv(price, totalPercent, 100n * ONE * BigInt(durationMonths), 'down')
}
