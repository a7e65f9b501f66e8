/** Change against the period before, for people. */
export interface Comparison {
  text: string
  direction: 'up' | 'down' | 'same'
}

/** Factor from which a change is given as a factor: `12 ×` instead of `+1,100 %`. */
const LARGE = 10n

/**
 * Compares a figure with the previous one. If the previous one is not positive, the text says so instead of a percentage.
 * @returns `+12 %`, `−5 %`, `no change`, `12 ×`, `none before`
 */
export function compare(now: bigint, before: bigint): Comparison {
  const direction = now === before ? 'same' : now > before ? 'up' : 'down'
  if (direction === 'same') return { text: 'no change', direction }
  if (before <= 0n) return { text: before === 0n ? 'none before' : 'negative before', direction }
  if (now >= before * LARGE) return { text: `${(now / before).toLocaleString('en-US')} ×`, direction }
  const difference = now > before ? now - before : before - now
  const percent = (difference * 200n + before) / (before * 2n)
  const shown = percent === 0n ? 'under 1' : percent.toLocaleString('en-US')
  return { text: `${direction === 'up' ? '+' : '−'}${shown} %`, direction }
}

/** Returns a share in percent, rounded, or `–` of nothing. */
export const shareOf = (part: number, whole: number): string => (whole <= 0 ? '–' : `${Math.round((part / whole) * 100)} %`)
