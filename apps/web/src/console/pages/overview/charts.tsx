import type { ReactNode } from 'react'
import { ChartTable } from '../../../ui/charts/chart-table.tsx'
import { useWidth } from '../../../ui/charts/use-width.ts'

/** Approximates an amount for drawing only. The legend and the hidden table show exact figures. */
export const drawn = (units: bigint): number => Number(units / 1_000_000n) / 100

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
/** `2.5 M` */
export const short = (value: number): string => compact.format(value).replace(/([A-Z])$/, ' $1')
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const shortMonth = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })
/** `26 Aug` of `2025-08-26`, `Nov` of `2025-11`. */
export const dayName = (day: string): string =>
  (day.length === 7 ? shortMonth : shortDay).format(new Date(day.length === 7 ? `${day}-01` : day))

const LEFT = 46
const RIGHT = 10
const TOP = 8
const BOTTOM = 24

/** Returns about four round tick values between two bounds. */
function ticksOf(low: number, high: number): number[] {
  const rough = (high - low || 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((part) => part * power).find((one) => one >= rough) ?? rough
  const first = Math.floor(low / step)
  return Array.from({ length: Math.ceil(high / step) - first + 1 }, (_, index) => (first + index) * step)
}

interface Frame {
  x: (index: number) => number
  y: (value: number) => number
  width: number
  height: number
}

interface ChartProps {
  label: string
  head: readonly string[]
  /** Rows of the hidden table, one per position on the axis. */
  rows: readonly (readonly string[])[]
  low: number
  high: number
  height: number
  /** Labels below the axis, evenly spread. */
  names: readonly string[]
  /** Positions are between lines (bars) instead of on them. */
  bars?: boolean
  /** Shows negative figures without sign, as outflow. */
  unsigned?: boolean
  children: (frame: Frame) => ReactNode
}

/** Frame of a chart: grid lines with figures, labels below, and a table for screen readers. */
export function Chart({ label, head, rows, low, high, height, names, bars, unsigned, children }: ChartProps) {
  const [box, width] = useWidth()
  const ticks = ticksOf(low, high)
  const [bottom, top] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const inner = Math.max(1, width - LEFT - RIGHT)
  const count = Math.max(1, names.length)
  const x = (index: number) => LEFT + (bars === true ? ((index + 0.5) / count) * inner : (index / Math.max(1, count - 1)) * inner)
  const y = (value: number) => TOP + (1 - (value - bottom) / (top - bottom || 1)) * (height - TOP - BOTTOM)
  const every = Math.max(1, Math.ceil(count / Math.max(2, Math.floor(inner / 90))))
  return (
    <div ref={box} style={{ minHeight: height }}>
      <ChartTable caption={label} head={head} rows={rows} />
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true" className="block overflow-visible text-[11px] [&_text]:fill-faint">
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} className={tick === 0 ? 'stroke-line-strong' : 'stroke-line'} />
              <text x={LEFT - 10} y={y(tick) + 4} textAnchor="end">
                {short(unsigned === true ? Math.abs(tick) : tick)}
              </text>
            </g>
          ))}
          {names.map(
            (name, index) =>
              index % every === 0 && (
                <text key={index} x={x(index)} y={height - 4} textAnchor={index === 0 && bars !== true ? 'start' : 'middle'}>
                  {name}
                </text>
              ),
          )}
          {children({ x, y, width: inner / count, height })}
        </svg>
      )}
    </div>
  )
}

export const pathOf = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

/** Legend entry: a colour's meaning and figure. */
export function Key({ color, children }: { color: string; children: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <i className="inline-block size-2 flex-none rounded-[3px]" style={{ background: `var(${color})` }} aria-hidden="true" />
      <span>{children}</span>
    </span>
  )
}
