import { scaleLinear } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'
import { useId, useState } from 'react'
import { ChartFrame, ChartTip } from './chart-frame.tsx'
import { ChartTable } from './chart-table.tsx'
import { timeTicks } from './time-ticks.ts'
import { useWidth } from './use-width.ts'

export interface ChartPoint {
  /** Milliseconds since 1970. */
  t: number
  /** Used for drawing only; readouts use `text` or `formatValue`. */
  v: number
  /** Exact value for the readout. */
  text?: string | undefined
}

export interface AreaChartProps {
  /** Chart name, for example "Portfolio value". */
  label: string
  points: readonly ChartPoint[]
  formatValue?: ((value: number) => string) | undefined
  formatTime?: ((t: number) => string) | undefined
  /** Short form for the axes. */
  formatTick?: ((value: number) => string) | undefined
  /** Column heads of the hidden table. */
  timeLabel?: string | undefined
  valueLabel?: string | undefined
  height?: number | undefined
  /** Chart colour, 1 to 6. */
  color?: number | undefined
  /** Starts the value axis at zero. */
  zero?: boolean | undefined
  emptyText?: string | undefined
}

/** Cached formatters: constructing an `Intl` formatter is slow. */
const made = new Map<string, { format(value: number): string }>()
function formatter(key: string, make: () => { format(value: number): string }): (value: number) => string {
  return (value) => {
    const found = made.get(key) ?? make()
    made.set(key, found)
    return found.format(value)
  }
}
const date = (key: string, options: Intl.DateTimeFormatOptions) =>
  formatter(key, () => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }))
const day = date('day', { day: 'numeric', month: 'short', year: 'numeric' })
const short = date('short', { day: 'numeric', month: 'short' })
const clock = date('clock', { hour: '2-digit', minute: '2-digit' })
const compact = formatter('compact', () => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 }))
const number = formatter('number', () => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 8 }))

/** Time series with a line, a filled area, two axes and a readout by pointer or keyboard. */
export function AreaChart(props: AreaChartProps) {
  const {
    label,
    points,
    height = 180,
    color = 1,
    zero,
    emptyText = 'Nothing to draw yet',
    timeLabel = 'Date',
    valueLabel = 'Value',
  } = props
  const { formatValue = number, formatTime = day, formatTick = compact } = props
  const id = useId()
  const [ref, width] = useWidth()
  const [active, setActive] = useState(-1)
  const last = points.at(-1)
  const first = points[0]
  if (!first || !last) {
    return (
      <div className="grid place-items-center rounded-lg bg-raised text-sm text-faint" style={{ height }}>
        {emptyText}
      </div>
    )
  }

  const values = points.map((p) => p.v)
  const low = zero ? Math.min(0, ...values) : Math.min(...values)
  const high = Math.max(...values)
  const room = (high - low || Math.abs(high) || 1) * 0.08
  // Values that are never negative get no axis room below zero.
  const bottomValue = zero ? low : low >= 0 ? Math.max(0, low - room) : low - room
  const y = scaleLinear([bottomValue, high + room], [height - 24, 8]).nice(4)
  const ticks = y.ticks(Math.max(2, Math.floor(height / 44)))
  const left = Math.max(...ticks.map((v) => formatTick(v).length)) * 6.4 + 12
  const alone = first.t === last.t
  const x = scaleLinear(alone ? [first.t - 864e5, last.t + 864e5] : [first.t, last.t], [left, Math.max(left + 1, width - 8)])
  const span = last.t - first.t
  const tick = span < 2 * 864e5 && !alone ? clock : short
  const times = alone
    ? [first.t]
    : timeTicks(first.t, last.t, Math.max(2, Math.floor((width - left) / 96))).filter(
        (t, i, all) => x(t) < width - 18 && (i === 0 || tick(t) !== tick(all[i - 1] ?? 0)),
      )
  const bottom = height - 24
  const drawLine =
    line<ChartPoint>(
      (p) => x(p.t),
      (p) => y(p.v),
    ).curve(curveMonotoneX)([...points]) ?? ''
  const drawArea =
    area<ChartPoint>(
      (p) => x(p.t),
      bottom,
      (p) => y(p.v),
    ).curve(curveMonotoneX)([...points]) ?? ''
  const read = (p: ChartPoint): string => p.text ?? formatValue(p.v)
  const shown = points[active]
  const stroke = `var(--c${color})`

  function nearest(at: number): number {
    let best = 0
    points.forEach((p, i) => {
      const current = points[best]
      if (current && Math.abs(x(p.t) - at) < Math.abs(x(current.t) - at)) best = i
    })
    return best
  }

  return (
    <div ref={ref} className="min-w-0">
      <ChartFrame
        label={label}
        height={height}
        count={points.length}
        active={active}
        onActive={setActive}
        nearest={nearest}
        text={`${formatTime((shown ?? last).t)}: ${read(shown ?? last)}`}
      >
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true" className="block overflow-visible">
            <defs>
              <linearGradient id={id} x2="0" y2="1">
                <stop stopColor={stroke} stopOpacity=".2" />
                <stop offset="1" stopColor={stroke} stopOpacity="0" />
              </linearGradient>
            </defs>
            {ticks.map((v) => (
              <g key={v}>
                <line x1={left} x2={width - 8} y1={y(v)} y2={y(v)} stroke="var(--line)" strokeDasharray={v === 0 ? undefined : '2 4'} />
                <text x={left - 10} y={y(v) + 4} textAnchor="end" fontSize="11" fill="var(--ink-3)">
                  {formatTick(v)}
                </text>
              </g>
            ))}
            {times.map((t) => (
              <text key={t} x={x(t)} y={height - 4} textAnchor={x(t) - left < 16 ? 'start' : 'middle'} fontSize="11" fill="var(--ink-3)">
                {tick(t)}
              </text>
            ))}
            <path d={drawArea} fill={`url(#${id})`} />
            <path d={drawLine} fill="none" stroke={stroke} strokeWidth="1.75" strokeLinejoin="round" strokeLinecap="round" />
            {shown && <line x1={x(shown.t)} x2={x(shown.t)} y1={4} y2={bottom} stroke="var(--line-strong)" />}
            <circle
              cx={x((shown ?? last).t)}
              cy={y((shown ?? last).v)}
              r={shown || alone ? 4.5 : 3.5}
              fill={stroke}
              stroke="var(--surface)"
              strokeWidth="2"
            />
          </svg>
        )}
        {shown && (
          <ChartTip x={x(shown.t)} width={width}>
            <span className="block text-faint">{formatTime(shown.t)}</span>
            <b className="text-sm font-strong">{read(shown)}</b>
          </ChartTip>
        )}
      </ChartFrame>
      <ChartTable caption={label} head={[timeLabel, valueLabel]} rows={points.map((p) => [formatTime(p.t), read(p)])} />
    </div>
  )
}
