import type { Units } from '@tizara/money'
import { formatAmount } from '../ui/money-format.ts'

const CENT = 1_000_000n
let compact: Intl.NumberFormat | undefined

/** Converts an amount to whole hundredths for chart geometry only. Readouts use {@link drawnText}. */
export const drawnCents = (units: Units): number => Number(units / CENT)

/** Formats a chart figure from hundredths. */
export const drawnText = (cents: number): string => formatAmount(BigInt(Math.round(cents)) * CENT)

/** Formats a chart figure for an axis. */
export function drawnTick(cents: number): string {
  compact ??= new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 })
  return compact.format(cents / 100)
}
