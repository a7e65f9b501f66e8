import { formatUnits, parseUnits, type Units, unitsFromNumber } from '@tizara/money'

/** Reads a figure out of stored JSON; 0 for what is none. */
export function figure(value: unknown): Units {
  if (typeof value === 'number') return unitsFromNumber(value, 8) ?? 0n
  return typeof value === 'string' ? (parseUnits(value, 8) ?? 0n) : 0n
}

/**
 * An amount for people: thousands apart, cut after some decimals.
 * @param decimals at most; those that are there are shown, at least two of a figure that has any
 */
export function grouped(units: Units, decimals = 2): string {
  const [whole = '0', rest = ''] = formatUnits(units < 0n ? -units : units).split('.')
  const cut = rest.slice(0, decimals).replace(/0+$/, '')
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${units < 0n ? '−' : ''}${text}${cut === '' ? '' : `.${cut.padEnd(Math.min(2, decimals), '0')}`}`
}

/** A percentage in units, for people. */
export const percentText = (units: Units): string => `${grouped(units)} %`
