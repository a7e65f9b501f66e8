import { divide, mulDiv, multiply, percentOf } from './rounding.ts'
import { ONE, roundHalfUp, type Units } from './units.ts'

/** Price of a token purchase: the exact charge, and the 2-decimal figure of the wire (VA-60, CO-45). */
export interface BuyQuote {
  /** USD units charged to the deposit wallet: exact product, rounded up to 8 decimals. */
  charged: Units
  /** USD units with 2 decimals, as shown and sent in `totalPrice`. */
  totalPrice: Units
}

/**
 * Quotes a coin purchase (MF-12).
 * @param coinAmount coin units
 * @param coinPrice USD units for one coin
 */
export function quoteBuy(coinAmount: Units, coinPrice: Units): BuyQuote {
  const charged = multiply(coinAmount, coinPrice, 'up')
  return { charged, totalPrice: roundHalfUp(charged) }
}

/**
 * Converts coin to USD, paid by the platform: rounded down (MF-10, MF-11).
 * @param coin coin units
 * @param coinPrice USD units for one coin
 */
export function usdForCoin(coin: Units, coinPrice: Units): Units {
  return multiply(coin, coinPrice, 'down')
}

/**
 * Converts USD to coin at a convert rate, paid by the platform: rounded down (MF-06).
 * @param usd USD units
 * @param convertRate USD units for one coin
 */
export function coinForUsd(usd: Units, convertRate: Units): Units {
  return divide(usd, convertRate, 'down')
}

/**
 * Converts a USD price to coin paid by the member, rounded up (MF-14, VA-72).
 * @param usd USD units
 * @param coinPrice USD units for one coin
 */
export function coinPriceOf(usd: Units, coinPrice: Units): Units {
  return divide(usd, coinPrice, 'up')
}

/** Parts of a withdrawal; the three add up to the amount (LS-37). */
export interface WithdrawalQuote {
  platformFee: Units
  networkFee: Units
  received: Units
}

/**
 * Splits a withdrawal into fees and the paid amount (MF-03, VA-33). Fees are rounded up, and the rest is paid.
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
 * Returns the coin per exchange from the ICO wallet (UI-M-EXCHANGE-03, VA-45): the percentage rounded half up to 2 decimals, at most the
 * balance.
 * @param balance coin units of the ICO wallet
 * @param limitPercent units of percent
 */
export function exchangeShare(balance: Units, limitPercent: Units): Units {
  const share = roundHalfUp(percentOf(balance, limitPercent, 'down'))
  return share > balance ? balance : share
}

/**
 * Returns the daily reward of a stake: amount ÷ 100 × apy ÷ duration (VA-67, VA-68). Rounded down, so that the total never exceeds amount
 * × apy ÷ 100 (invariant I10).
 * @param stakeAmount coin units
 * @param apyPercent total percent of the plan, in units
 * @param durationDays days, above 0
 */
export function dailyReward(stakeAmount: Units, apyPercent: Units, durationDays: number): Units {
  return mulDiv(stakeAmount, apyPercent, 100n * ONE * BigInt(durationDays), 'down')
}

/**
 * Returns the monthly reward of an NFT: price ÷ 100 × total percent ÷ months (VA-73), rounded down.
 * @param price USD units
 * @param totalPercent units of percent
 * @param durationMonths months, above 0
 */
export function monthlyReward(price: Units, totalPercent: Units, durationMonths: number): Units {
  return mulDiv(price, totalPercent, 100n * ONE * BigInt(durationMonths), 'down')
}
