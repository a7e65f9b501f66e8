import { t } from '@tizara/languages'
import { formatFixed, type Units } from '@tizara/money'

/** 100 percent, in units. */
export const HUNDRED_PERCENT: Units = 10_000_000_000n
const TENTH_OF_PERCENT: Units = 10_000_000n

/** Formats a ratio, rounded down so that partial coverage never reads as full: `99.9%`, from 10 on `15 times`. */
export function formatShare(ratio: Units): string {
  if (ratio < 10n * HUNDRED_PERCENT) return `${formatFixed(ratio - (ratio % TENTH_OF_PERCENT), 1)}%`
  return t('{ratio} times', { ratio: (ratio / HUNDRED_PERCENT).toLocaleString('en-US') })
}
