import { inputErrors } from '@tizara/contract'
import { DECIMALS, ONE, formatUnits, type Units } from '@tizara/money'
import type { Asset } from '@tizara/contract/wallets'
import { t } from '@tizara/languages'

/** Decimals allowed in input: 2 for USD, 8 for coin (CO-45). */
const typedDecimals: Readonly<Record<Asset, number>> = { usd: 2, coin: 8 }

/** Accepts `.5` and `5.`. */
function tidy(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '.') return trimmed
  return `${trimmed.startsWith('.') ? '0' : ''}${trimmed.endsWith('.') ? trimmed.slice(0, -1) : trimmed}`
}

/**
 * Parses an amount typed by a member.
 * @param asset sets the allowed decimals (CO-45)
 * @returns units, possibly above any limit, which callers check; null if malformed
 */
export function readTyped(text: string, asset: Asset): Units | null {
  const [, whole, fraction = ''] = /^(\d{1,24})(?:\.(\d{1,24}))?$/.exec(tidy(text)) ?? []
  const decimalDigits = fraction.replace(/0+$/, '')
  return whole === undefined || decimalDigits.length > typedDecimals[asset] ? null : BigInt(whole + decimalDigits.padEnd(DECIMALS, '0'))
}

/**
 * Explains why a text is not an amount.
 * @param text field content, not empty
 * @param asset sets the allowed decimals
 * @returns the field error; undefined for a valid amount
 */
export function formatError(text: string, asset: Asset): string | undefined {
  if (readTyped(text, asset) !== null) return undefined
  // A comma may separate thousands or decimals, so the text is ambiguous.
  if (/^\d[\d.,'’\s]*$/.test(text.trim()) && /[,'’\s]/.test(text.trim()))
    return t('Enter a number like 1000.5, with a dot before the decimals')
  return t('Enter digits and a dot, such as 12.5, with at most {typedDecimals} decimals', { typedDecimals: typedDecimals[asset] })
}

/** Bounds for a typed amount in units, inclusive. */
export interface Bounds {
  min?: Units
  max?: Units
  /** Step: amounts must be a multiple. */
  step?: Units
}

/**
 * Validates a typed amount.
 * @param bounds limits; without `min` the amount must be above 0
 * @returns the field error, or undefined
 */
export function amountError(text: string, asset: Asset, { min, max, step }: Bounds = {}): string | undefined {
  if (text.trim() === '') return t('This field is required')
  const units = readTyped(text, asset)
  if (units === null) return formatError(text, asset)
  if (min !== undefined && units < min) return t(inputErrors.BELOW_MINIMUM.message, { minimum: formatUnits(min) })
  if (units === 0n) return t('The amount must be above 0')
  if (max === 0n) return t('This wallet is empty')
  if (max !== undefined && units > max) return t(inputErrors.ABOVE_MAXIMUM.message, { maximum: formatUnits(max) })
  if (step !== undefined && units % step !== 0n) return t('Amounts go in steps of {step}', { step: formatUnits(step) })
  return undefined
}

/**
 * Returns the amount for "Max": the balance's largest valid amount.
 * @param balance units, undefined while unknown
 * @param bounds `max` and `step` apply
 */
export function maxTyped(balance: Units | undefined, asset: Asset, { max, step }: Bounds = {}): string | undefined {
  if (balance === undefined || balance < 0n) return undefined
  const maxAmount = max !== undefined && max < balance ? max : balance
  const grain = step ?? (asset === 'usd' ? ONE / 100n : 1n)
  return formatUnits((maxAmount / grain) * grain)
}
