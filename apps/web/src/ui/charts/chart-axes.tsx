import { dateLocale } from '@tizara/languages'
import { type ScaleContinuousNumeric, type ScaleLinear, scaleLinear, scaleLog } from 'd3-scale'
import { timeTicks } from './time-ticks.ts'

/** Cached formatters: constructing an `Intl` formatter is slow. */
const formatters = new Map<string, { format(value: number): string }>()
function formatter(key: string, make: () => { format(value: number): string }): (value: number) => string {
  return (value) => {
    const found = formatters.get(key) ?? make()
    formatters.set(key, found)
    return found.format(value)
  }
}
const date = (key: string, options: Intl.DateTimeFormatOptions) =>
  formatter(key, () => new Intl.DateTimeFormat(dateLocale('en-GB'), { ...options, timeZone: 'UTC' }))
/** Formats a time as its UTC day. */
export const formatDay = date('day', { day: 'numeric', month: 'short', year: 'numeric' })
const short = date('short', { day: 'numeric', month: 'short' })
const clock = date('clock', { hour: '2-digit', minute: '2-digit' })
/** Formats an amount for an axis, such as `1.57M`. */
export const formatAmountShort = formatter(
  'compact',
  () => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 }),
)
/** Formats an amount with two to eight decimals. */
export const formatAmount = formatter(
  'number',
  () => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 8 }),
)

export interface TimeAxes {
  x: ScaleLinear<number, number>
  y: ScaleContinuousNumeric<number, number>
  /** Right edge of the labels, and lower edge of the plot, in pixels. */
  left: number
  bottom: number
  width: number
  height: number
  valueTicks: { at: number; text: string }[]
  timeTicks: { at: number; text: string }[]
  /** Returns true if all points have the same time. */
  isSingle: boolean
  /** Returns the index of the point nearest to a distance from the left edge, in pixels. */
  nearest(x: number): number
}

interface TimeAxesInput {
  /** Milliseconds since 1970, oldest first, at least one. */
  times: readonly number[]
  /** Values of all lines, at least one. */
  values: readonly number[]
  width: number
  height: number
  /** Starts the value axis at zero. */
  zero?: boolean | undefined
  /** Makes each power of ten equally high. Zero is at the lower edge. No value may be negative, and one must be positive. */
  logarithmic?: boolean | undefined
  formatTick: (value: number) => string
}

/** Lays out the axes of a chart over time. */
export function timeAxes({ times, values, width, height, zero, logarithmic, formatTick }: TimeAxesInput): TimeAxes {
  const [first = 0, last = first] = [times[0], times.at(-1)]
  const { y, ticks } = logarithmic ? logarithmicAxis(values, height) : linearAxis(values, height, zero)
  const left = Math.max(...ticks.map((v) => formatTick(v).length)) * 6.4 + 12
  const isSingle = first === last
  const x = scaleLinear(isSingle ? [first - 864e5, last + 864e5] : [first, last], [left, Math.max(left + 1, width - 8)])
  const tick = last - first < 2 * 864e5 && !isSingle ? clock : short
  const labelled = isSingle
    ? [first]
    : timeTicks(first, last, Math.max(2, Math.floor((width - left) / 96))).filter(
        (t, i, all) => x(t) < width - 18 && (i === 0 || tick(t) !== tick(all[i - 1] ?? 0)),
      )
  return {
    x,
    y,
    left,
    bottom: height - 24,
    width,
    height,
    valueTicks: ticks.map((at) => ({ at, text: formatTick(at) })),
    timeTicks: labelled.map((at) => ({ at, text: tick(at) })),
    isSingle,
    nearest: (position) =>
      times.reduce((best, t, i) => (Math.abs(x(t) - position) < Math.abs(x(times[best] ?? 0) - position) ? i : best), 0),
  }
}

function linearAxis(values: readonly number[], height: number, zero: boolean | undefined) {
  const low = zero ? Math.min(0, ...values) : Math.min(...values)
  const high = Math.max(...values)
  const room = (high - low || Math.abs(high) || 1) * 0.08
  // Values that are never negative get no axis room below zero.
  const bottomValue = zero ? low : low >= 0 ? Math.max(0, low - room) : low - room
  const y = scaleLinear([bottomValue, high + room], [height - 24, 8]).nice(4)
  return { y, ticks: y.ticks(Math.max(2, Math.floor(height / 44))) }
}

function logarithmicAxis(values: readonly number[], height: number) {
  const above = values.filter((value) => value > 0)
  const powers = [Math.floor(Math.log10(Math.min(...above))), Math.ceil(Math.log10(Math.max(...above)))] as const
  const y = scaleLog([10 ** powers[0], 10 ** powers[1]], [height - 24, 8]).clamp(true)
  const step = Math.ceil((powers[1] - powers[0]) / Math.max(2, Math.floor(height / 44))) || 1
  const ticks = []
  for (let power = powers[0]; power <= powers[1]; power += step) ticks.push(10 ** power)
  return { y, ticks }
}

/** Draws both axes as part of an SVG. */
export function ChartAxes({ axes: { x, y, left, width, height, valueTicks, timeTicks: labels } }: { axes: TimeAxes }) {
  return (
    <>
      {valueTicks.map(({ at, text }) => (
        <g key={at}>
          <line x1={left} x2={width - 8} y1={y(at)} y2={y(at)} stroke="var(--line)" strokeDasharray={at === 0 ? undefined : '2 4'} />
          <text x={left - 10} y={y(at) + 4} textAnchor="end" fontSize="11" fill="var(--ink-3)">
            {text}
          </text>
        </g>
      ))}
      {labels.map(({ at, text }) => (
        <text key={at} x={x(at)} y={height - 4} textAnchor={x(at) - left < 16 ? 'start' : 'middle'} fontSize="11" fill="var(--ink-3)">
          {text}
        </text>
      ))}
    </>
  )
}
