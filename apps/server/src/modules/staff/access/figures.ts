import { formatUnits, parseUnits, type Units, unitsFromNumber } from '@tizara/money'

/** Reads an amount from stored JSON; 0 if it is invalid. */
export function figure(value: unknown): Units {
  if (typeof value === 'number') return unitsFromNumber(value, 8) ?? 0n
  return typeof value === 'string' ? (parseUnits(value, 8) ?? 0n) : 0n
}

/**
 * Formats an amount with thousands separators, truncated to some decimals.
 * @param decimals maximum decimals; a fraction has at least two
 */
export function grouped(units: Units, decimals = 2): string {
  const [whole = '0', rest = ''] = formatUnits(units < 0n ? -units : units).split('.')
  const cut = rest.slice(0, decimals).replace(/0+$/, '')
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${units < 0n ? '−' : ''}${text}${cut === '' ? '' : `.${cut.padEnd(Math.min(2, decimals), '0')}`}`
}

/** Formats a percentage in units. */
export const percentText = (units: Units): string => `${grouped(units)} %`
