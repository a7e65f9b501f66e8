/** Fraction digits of a bigint amount: one unit is 1e-8. */
const SCALE = 8

/** Exact decimal string, or a bigint in units of 1e-8. */
export type Amount = string | bigint

function parts(amount: Amount): { negative: boolean; whole: string; fraction: string } {
  if (typeof amount === 'bigint') {
    const negative = amount < 0n
    const digits = (negative ? -amount : amount).toString().padStart(SCALE + 1, '0')
    return { negative, whole: digits.slice(0, -SCALE), fraction: digits.slice(-SCALE) }
  }
  const match = /^\s*([+-]?)(\d*)(?:\.(\d*))?\s*$/.exec(amount)
  if (!match || !(match[2] || match[3])) throw new RangeError(`Not a decimal: ${amount}`)
  return { negative: match[1] === '-', whole: (match[2] ?? '').replace(/^0+(?=\d)/, '') || '0', fraction: match[3] ?? '' }
}

function group(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Rounds half away from zero and groups thousands: `1,234.50`. Uses exact integer arithmetic. */
export function formatAmount(amount: Amount, decimals = 2): string {
  const { negative, whole, fraction } = parts(amount)
  const decimalDigits = fraction.padEnd(decimals, '0').slice(0, decimals)
  let digits = BigInt(whole + decimalDigits)
  if ((fraction[decimals] ?? '0') >= '5') digits += 1n
  const text = digits.toString().padStart(decimals + 1, '0')
  const body = decimals ? `${group(text.slice(0, -decimals))}.${text.slice(-decimals)}` : group(text)
  return negative && digits !== 0n ? `-${body}` : body
}

/** Formats the exact value with at least `decimals` digits, without rounding. */
export function exactAmount(amount: Amount, decimals = 2): string {
  const { negative, whole, fraction } = parts(amount)
  const used = fraction.replace(/0+$/, '').padEnd(decimals, '0')
  const body = group(whole) + (used ? `.${used}` : '')
  return negative && /[1-9]/.test(body) ? `-${body}` : body
}

/** `short` in lists, cards and summaries; `exact` where a member checks an amount: receipts, forms before a payment, invoices, prices. */
export type Precision = 'short' | 'exact'

/**
 * Decides how many decimals an amount shows (CO-45, docs/decisions/0055-two-decimals.md): `short` has two, and all of them below 0.01,
 * so that no payment reads as zero. `exact` has all of them, at least two.
 */
export function decimalsFor(amount: Amount, precision: Precision): number {
  const { whole, fraction } = parts(amount)
  const used = fraction.replace(/0+$/, '').length
  return precision === 'exact' || (whole === '0' && fraction.startsWith('00')) ? Math.max(2, used) : 2
}

/** −1, 0 or 1. */
export function amountSign(amount: Amount): -1 | 0 | 1 {
  const { negative, whole, fraction } = parts(amount)
  return /[1-9]/.test(whole + fraction) ? (negative ? -1 : 1) : 0
}
