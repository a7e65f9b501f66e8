import { formatUnits } from '@tizara/money'
import { figure, grouped } from '../../access/figures.ts'
import type { Fields } from './proposal-kind.ts'

/** Returns a text or number for a title; empty for anything else. */
export const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Converts `fourEyesAboveUsd` to "Four eyes above USD". */
const labelOf = (key: string) =>
  key.charAt(0).toUpperCase() +
  key
    .slice(1)
    .replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\busd\b/, 'USD')

/** Fields with a separate name or unit in titles. */
const FIELDS: Readonly<Record<string, readonly [name: string, unit: string]>> = {
  apy: ['', ' %'],
  dailyRoi: ['', ' %'],
  price: ['', ' USD'],
  minimum: ['from', ''],
  duration: ['duration', ''],
}

/** Formats a value for a title. */
export function showValue(value: unknown): string {
  if (typeof value === 'number') return grouped(figure(value), 8)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.every((one) => typeof one === 'number') ? value.join(' · ') : `${value.length} entries`
  return textOf(value)
}

/** Formats the price of one coin with at least four decimals: `0.0080`. */
export function showRate(value: unknown): string {
  const [whole = '0', rest = ''] = formatUnits(figure(value)).split('.')
  return `${whole}.${rest.padEnd(4, '0')}`
}

/** Formats `amount` with its asset. */
export const amountOf = (value: Fields): string => `${grouped(figure(value['amount']), 8)} ${value['asset'] === 'usd' ? 'USD' : 'coin'}`

/** Returns the first changed field and the number of further changed fields. */
export function difference(value: Fields, before: Fields | null): string {
  const old = before ?? {}
  const changed = Object.keys(value).filter((key) => key in old && JSON.stringify(old[key]) !== JSON.stringify(value[key]))
  const [first] = changed
  if (first === undefined) return 'nothing'
  const [name = labelOf(first), unit = ''] = FIELDS[first] ?? []
  const more = changed.length > 1 ? `, +${changed.length - 1}` : ''
  return `${name}${name === '' ? '' : ' '}${showValue(old[first])} → ${showValue(value[first])}${unit}${more}`
}
