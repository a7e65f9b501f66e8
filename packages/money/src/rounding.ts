import { ONE, type Units } from './units.ts'

/** Rounding of the last unit: `down` when the platform pays, `up` when the member pays (CO-45, invariant I19). */
export type Rounding = 'down' | 'up'

/**
 * Computes a × b ÷ c in integers, rounded once.
 * @param c divisor above 0
 * @throws RangeError on a negative factor or a divisor of 0 or less
 */
export function mulDiv(a: bigint, b: bigint, c: bigint, rounding: Rounding): bigint {
  if (a < 0n || b < 0n || c <= 0n) throw new RangeError('mulDiv takes non-negative factors and a positive divisor')
  const product = a * b
  return rounding === 'down' ? product / c : (product + c - 1n) / c
}

/**
 * Amount × rate, both in units: 3 coin at 0.008 USD is 0.024 USD.
 * @param amount units
 * @param rate units of price for one whole unit of the amount
 */
export function multiply(amount: Units, rate: Units, rounding: Rounding): Units {
  return mulDiv(amount, rate, ONE, rounding)
}

/**
 * Amount ÷ rate, both in units: 1 USD at 0.008 is 125 coin.
 * @param amount units
 * @param rate units, above 0
 */
export function divide(amount: Units, rate: Units, rounding: Rounding): Units {
  return mulDiv(amount, ONE, rate, rounding)
}

/**
 * Returns a percentage of an amount; the percentage is in units too (5 % is `500000000n`).
 * @param amount units
 * @param percent units of percent
 */
export function percentOf(amount: Units, percent: Units, rounding: Rounding): Units {
  return mulDiv(amount, percent, 100n * ONE, rounding)
}
