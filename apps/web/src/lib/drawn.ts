import type { Units } from '@tizara/money'
import { formatAmount } from '../ui/money-format.ts'

const CENT = 1_000_000n
let compact: Intl.NumberFormat | undefined

/**
 * An amount as a whole number of hundredths, for the geometry of a chart only; what is read beside it comes from
 * {@link drawnText}.
 */
export const drawnCents = (units: Units): number => Number(units / CENT)

/** What a drawn figure says: the hundredths it stands for. */
export const drawnText = (cents: number): string => formatAmount(BigInt(Math.round(cents)) * CENT)

/** The short form on an axis. */
export function drawnTick(cents: number): string {
  compact ??= new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 })
  return compact.format(cents / 100)
}
