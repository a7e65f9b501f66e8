import { inputMessage } from '@tizara/contract'
import { DECIMALS, ONE, formatUnits, type Units } from '@tizara/money'
import type { Asset } from '@tizara/contract/wallets'

/** Decimals that a member types: 2 of USD, 8 of coin (CO-45). */
const typedDecimals: Readonly<Record<Asset, number>> = { usd: 2, coin: 8 }

/** Text of an empty field. */
export const REQUIRED = 'This field is required'

/** `.5` and `5.` are typed by people; both are amounts. */
function tidy(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '.') return trimmed
  return `${trimmed.startsWith('.') ? '0' : ''}${trimmed.endsWith('.') ? trimmed.slice(0, -1) : trimmed}`
}

/**
 * Reads an amount that a member typed.
 * @param asset decides how many decimals there may be (CO-45)
 * @returns units, also more than any wallet can hold: it is for the limits to refuse that; null when it is no such amount
 */
export function readTyped(text: string, asset: Asset): Units | null {
  const [, whole, fraction = ''] = /^(\d{1,24})(?:\.(\d{1,24}))?$/.exec(tidy(text)) ?? []
  const kept = fraction.replace(/0+$/, '')
  return whole === undefined || kept.length > typedDecimals[asset] ? null : BigInt(whole + kept.padEnd(DECIMALS, '0'))
}

/**
 * Why a text is no amount.
 * @param text as it stands in the field, not empty
 * @param asset decides how many decimals there may be
 * @returns the text to show at the field; undefined when it is an amount
 */
export function formatFault(text: string, asset: Asset): string | undefined {
  if (readTyped(text, asset) !== null) return undefined
  // Copied from a page, or typed by a hand that writes a comma before the decimals: which of both, nobody can know.
  if (/^\d[\d.,'’\s]*$/.test(text.trim()) && /[,'’\s]/.test(text.trim()))
    return 'Write 1000.5, with a dot before the decimals and nothing else'
  return `Enter digits and a dot, such as 12.5, with at most ${typedDecimals[asset]} decimals`
}

/** Bounds of a typed amount, in units, both included. */
export interface Bounds {
  min?: Units
  max?: Units
  /** What the amount must be a multiple of. */
  step?: Units
}

/**
 * What is wrong with a typed amount.
 * @param bounds limits; without `min` the amount has to be above 0
 * @returns the text to show at the field, or undefined
 */
export function amountFault(text: string, asset: Asset, { min, max, step }: Bounds = {}): string | undefined {
  if (text.trim() === '') return REQUIRED
  const units = readTyped(text, asset)
  if (units === null) return formatFault(text, asset)
  if (min !== undefined && units < min) return inputMessage('BELOW_MINIMUM', { minimum: formatUnits(min) })
  if (units === 0n) return 'The amount must be above 0'
  if (max === 0n) return 'There is nothing in this wallet yet'
  if (max !== undefined && units > max) return inputMessage('ABOVE_MAXIMUM', { maximum: formatUnits(max) })
  if (step !== undefined && units % step !== 0n) return `Amounts go in steps of ${formatUnits(step)}`
  return undefined
}

/**
 * What "Max" fills in: the largest amount of the balance that may be typed.
 * @param balance units, undefined while it is not known
 * @param bounds its `max` and `step` count
 */
export function maxTyped(balance: Units | undefined, asset: Asset, { max, step }: Bounds = {}): string | undefined {
  if (balance === undefined || balance < 0n) return undefined
  const most = max !== undefined && max < balance ? max : balance
  const grain = step ?? (asset === 'usd' ? ONE / 100n : 1n)
  return formatUnits((most / grain) * grain)
}
