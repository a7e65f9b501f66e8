import { t } from '@tizara/languages'
import { area, curveMonotoneX, line } from 'd3-shape'
import { useId, useState } from 'react'
import { ChartAxes, formatAmount, formatAmountShort, formatDay, timeAxes } from './chart-axes.tsx'
import { ChartFrame, ChartTip } from './chart-frame.tsx'
import { ChartTable } from './chart-table.tsx'
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

/** Time series with a line, a filled area, two axes and a readout by pointer or keyboard. */
export function AreaChart(props: AreaChartProps) {
  const {
    label,
    points,
    height = 180,
    color = 1,
    zero,
    emptyText = t('Nothing to draw yet'),
    timeLabel = t('Date'),
    valueLabel = t('Value'),
  } = props
  const { formatValue = formatAmount, formatTime = formatDay, formatTick = formatAmountShort } = props
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

  const axes = timeAxes({
    times: points.map((p) => p.t),
    values: points.map((p) => p.v),
    width,
    height,
    zero,
    formatTick,
  })
  const { x, y, bottom, isSingle } = axes
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

  return (
    <div ref={ref} className="min-w-0">
      <ChartFrame
        label={label}
        height={height}
        count={points.length}
        active={active}
        onActive={setActive}
        nearest={axes.nearest}
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
            <ChartAxes axes={axes} />
            <path d={drawArea} fill={`url(#${id})`} />
            <path d={drawLine} fill="none" stroke={stroke} strokeWidth="1.75" strokeLinejoin="round" strokeLinecap="round" />
            {shown && <line x1={x(shown.t)} x2={x(shown.t)} y1={4} y2={bottom} stroke="var(--line-strong)" />}
            <circle
              cx={x((shown ?? last).t)}
              cy={y((shown ?? last).v)}
              r={shown || isSingle ? 4.5 : 3.5}
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
