const HOUR = 3_600_000
const DAY = 24 * HOUR
const STEPS = [HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY] as const
const MONTH = 30.44 * DAY
/** First Monday in 1970, the origin for week ticks. */
const FIRST_MONDAY = 4 * DAY
const SIZES: readonly number[] = [...STEPS, ...[1, 3, 6, 12, 60, 120].map((months) => months * MONTH)]

/**
 * Returns round UTC times for an axis: hours, days, Mondays or first days of a month.
 * @param from epoch milliseconds
 * @param to epoch milliseconds, not before `from`
 */
export function timeTicks(from: number, to: number, count: number): number[] {
  const target = Math.max(1, (to - from) / Math.max(1, count))
  const off = (size: number): number => Math.abs(Math.log(size / target))
  // Picks the step nearest by ratio with at least two ticks, because one tick shows no scale.
  const sizes = SIZES.toSorted((a, b) => off(a) - off(b))
  const size = sizes.find((one) => ticksOf(from, to, one).length > 1) ?? sizes[0] ?? DAY
  return ticksOf(from, to, size)
}

function ticksOf(from: number, to: number, step: number): number[] {
  if (step > 14 * DAY) return monthTicks(from, to, Math.round(step / MONTH))
  const base = step >= 7 * DAY ? FIRST_MONDAY : 0
  const first = Math.ceil((from - base) / step) * step + base
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step)
}

function monthTicks(from: number, to: number, step: number): number[] {
  const start = new Date(from)
  const first = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth()) / step) * step
  const found: number[] = []
  for (let month = first; ; month += step) {
    const at = Date.UTC(Math.floor(month / 12), month % 12)
    if (at > to) return found
    if (at >= from) found.push(at)
  }
}
