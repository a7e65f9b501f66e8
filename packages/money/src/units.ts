/**
 * Amounts. Every amount, coin or USD, is a `bigint` in units of 10^-8 (CO-45). No code here or above uses floating point:
 * text goes in, text comes out.
 */

/** Amount, rate or percentage in units of 10^-8. */
export type Units = bigint

/** Decimals of an amount. */
export const DECIMALS = 8

/** One coin, dollar or percent, in units. */
export const ONE: Units = 100_000_000n

/** Largest amount of a 64-bit column, in units. */
export const MAX_UNITS: Units = 9_223_372_036_854_775_807n

const DECIMAL_TEXT = /^(-?)(\d{1,24})(?:\.(\d{1,24}))?$/

/**
 * Parses a plain decimal such as `12.5` to units.
 * @param text decimal text without exponent, separators or blanks
 * @param maxDecimals decimals allowed after the dot, 0 to 8; trailing zeros beyond them are accepted
 * @returns units, or null if malformed or above 64 bits
 */
export function parseUnits(text: string, maxDecimals = DECIMALS): Units | null {
  const match = DECIMAL_TEXT.exec(text)
  if (match === null) return null
  const fraction = (match[3] ?? '').replace(/0+$/, '')
  if (fraction.length > maxDecimals) return null
  const units = BigInt(match[2] + fraction.padEnd(DECIMALS, '0'))
  if (units > MAX_UNITS) return null
  return match[1] === '-' ? -units : units
}

/** Returns a number's shortest decimal text without exponent; null for NaN, infinities, and numbers of 10^21 and more. */
function plainText(value: number): string | null {
  if (!Number.isFinite(value)) return null
  const text = String(value)
  if (!text.includes('e')) return text
  const [mantissa = '', exponent = ''] = text.split('e')
  const shift = -Number(exponent)
  if (shift <= 0) return null
  const digits = mantissa.replace('-', '').replace('.', '')
  return `${mantissa.startsWith('-') ? '-' : ''}0.${'0'.repeat(shift - 1)}${digits}`
}

/**
 * Converts a JSON number to units by its shortest decimal text, without float arithmetic.
 * @param value a finite number; NaN, infinities and numbers of 10^21 and more give null
 * @param maxDecimals decimals allowed, 0 to 8
 * @returns units, or null with more decimals or above 64 bits
 */
export function unitsFromNumber(value: number, maxDecimals = DECIMALS): Units | null {
  const text = plainText(value)
  return text === null ? null : parseUnits(text, maxDecimals)
}

/**
 * Reads a JSON number computed by another server, such as 3.287671232876712, into the nearest units: half up, away from
 * zero. For display only, never for input of a person.
 * @param value a finite number; NaN, infinities and numbers of 10^21 and more give null
 */
export function nearestUnits(value: number): Units | null {
  const text = plainText(value)
  if (text === null) return null
  const [whole = '', fraction = ''] = text.split('.')
  const truncated = parseUnits(`${whole}.${fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0')}`)
  if (truncated === null || !/^[5-9]/.test(fraction.slice(DECIMALS))) return truncated
  return text.startsWith('-') ? truncated - 1n : truncated + 1n
}

const EXACT_TEXT = /^(\d{1,40})(?:\.(\d{1,80}))?(?:[eE]([+-]?\d{1,2}))?$/

/**
 * Reads an amount with more decimals than ours, such as `1.0000000099` or `5e-9`, rounded down.
 * @param text a decimal of at least 0, with or without an exponent
 * @returns the amount in units, or null when the text is no such decimal or does not fit in 64 bits
 */
export function unitsRoundedDown(text: string): Units | null {
  const [, whole = '', fraction = '', exponent = '0'] = EXACT_TEXT.exec(text) ?? []
  if (whole === '') return null
  const integerDigits = Math.max(0, whole.length + Number(exponent) + DECIMALS)
  const units = BigInt((whole + fraction).slice(0, integerDigits).padEnd(integerDigits, '0') || '0')
  return units > MAX_UNITS ? null : units
}

/** Formats units as the shortest exact decimal, for the wire and receipts: `1250000000n` is `12.5`. */
export function formatUnits(units: Units): string {
  const negative = units < 0n
  const digits = (negative ? -units : units).toString().padStart(DECIMALS + 1, '0')
  const whole = digits.slice(0, -DECIMALS)
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '')
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/**
 * Formats units with fixed decimals, rounded half away from zero for display (CO-45).
 * @param decimals 0 to 8
 */
export function formatFixed(units: Units, decimals = 2): string {
  const step = 10n ** BigInt(DECIMALS - decimals)
  const negative = units < 0n
  const magnitude = negative ? -units : units
  const rounded = ((magnitude + step / 2n) / step) * step
  const digits = rounded.toString().padStart(DECIMALS + 1, '0')
  const whole = digits.slice(0, -DECIMALS)
  const fraction = digits.slice(-DECIMALS, digits.length - DECIMALS + decimals)
  const sign = negative && rounded > 0n ? '-' : ''
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

/**
 * Rounds units half up to 2 decimals, for wire figures with 2 decimals (VA-60).
 * @param units a non-negative amount in units
 */
export function roundHalfUp(units: Units): Units {
  const step = 10n ** BigInt(DECIMALS - 2)
  return ((units + step / 2n) / step) * step
}

/**
 * Returns true if a client's amount is the exact amount, or the exact amount rounded to 2 decimals. Clients with floating point
 * round x.xx5 either way, so both neighbours are accepted.
 * @param shown the client's units
 * @param exact the server's units
 */
export function isRounded(shown: Units, exact: Units): boolean {
  const apart = shown < exact ? exact - shown : shown - exact
  return apart === 0n || (shown % (ONE / 100n) === 0n && apart <= ONE / 200n)
}
