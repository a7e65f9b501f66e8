import { joinList, t } from '@tizara/languages'
import { curveMonotoneX, line } from 'd3-shape'
import { useState } from 'react'
import { ChartAxes, formatAmountShort, formatDay, timeAxes } from './chart-axes.tsx'
import { ChartFrame, ChartTip } from './chart-frame.tsx'
import { ChartTable } from './chart-table.tsx'
import { chartColor, Legend } from './legend.tsx'
import { useWidth } from './use-width.ts'

export interface LineSeries {
  key: string
  label: string
  /** Chart colour, 1 to 6. */
  color: number
}

export interface LinePoint {
  /** Milliseconds since 1970. */
  t: number
  /** Series key → value for drawing, with its exact text. A series without a value has a gap here. */
  values: Readonly<Record<string, { v: number; text: string } | undefined>>
}

export interface LineChartProps {
  label: string
  series: readonly LineSeries[]
  /** Oldest first. At least one point has a value. */
  points: readonly LinePoint[]
  height?: number | undefined
  /** Readout of a series without a value. */
  missingText: string
}

/** Above this ratio, the lower of two lines would lie on the zero line of a linear axis. */
const LINEAR_UP_TO = 20

/**
 * Several lines over time on one pair of axes, with a legend and a readout by pointer or keyboard. The value axis starts at zero, and is
 * logarithmic if the lines differ by more than 20 times.
 */
export function LineChart({ label, series, points, height = 220, missingText }: LineChartProps) {
  const [ref, width] = useWidth()
  const [active, setActive] = useState(-1)
  const shown = points[active]
  const selected = shown ?? points.at(-1)
  const heights = series.map(({ key }) => Math.max(...points.map(({ values }) => values[key]?.v ?? 0))).filter((highest) => highest > 0)
  const logarithmic = Math.max(...heights) > LINEAR_UP_TO * Math.min(...heights)
  const axes = timeAxes({
    times: points.map((point) => point.t),
    logarithmic,
    values: points.flatMap(({ values }) => Object.values(values).flatMap((value) => value?.v ?? [])),
    width,
    height,
    zero: true,
    formatTick: formatAmountShort,
  })
  const { x, y, bottom } = axes
  const read = (point: LinePoint, key: string): string => point.values[key]?.text ?? missingText
  const draw = (key: string) =>
    line<LinePoint>(
      (point) => x(point.t),
      ({ values }) => y(values[key]?.v ?? 0),
    )
      .defined(({ values }) => values[key] !== undefined)
      .curve(curveMonotoneX)([...points]) ?? ''
  /** Returns the points that need a dot: the selected point, and each point between two gaps, to which no line leads. */
  const dots = (key: string) =>
    points.filter((point, i) => {
      const isDefined = (one: LinePoint | undefined) => one?.values[key] !== undefined
      return isDefined(point) && (point === selected || (!isDefined(points[i - 1]) && !isDefined(points[i + 1])))
    })

  return (
    <div ref={ref} className="min-w-0">
      <Legend className="mb-3" items={series.map(({ key, label: name, color }) => ({ key, label: name, color }))} />
      <ChartFrame
        label={label}
        height={height}
        count={points.length}
        active={active}
        onActive={setActive}
        nearest={axes.nearest}
        text={selected ? `${formatDay(selected.t)}: ${joinList(series.map((one) => `${one.label} ${read(selected, one.key)}`))}` : ''}
      >
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true" className="block overflow-visible">
            <ChartAxes axes={axes} />
            {shown && <line x1={x(shown.t)} x2={x(shown.t)} y1={4} y2={bottom} stroke="var(--line-strong)" />}
            {series.map(({ key, color }) => (
              <g key={key} stroke={chartColor(color)}>
                <path d={draw(key)} fill="none" strokeWidth="1.75" strokeLinejoin="round" strokeLinecap="round" />
                {dots(key).map((point) => (
                  <circle
                    key={point.t}
                    cx={x(point.t)}
                    cy={y(point.values[key]?.v ?? 0)}
                    r="3.5"
                    fill={chartColor(color)}
                    stroke="var(--surface)"
                    strokeWidth="2"
                  />
                ))}
              </g>
            ))}
          </svg>
        )}
        {shown && (
          <ChartTip x={x(shown.t)} width={width}>
            <span className="block text-faint">{formatDay(shown.t)}</span>
            {series.map(({ key, label: name, color }) => (
              <span key={key} className="mt-0.5 flex items-center justify-between gap-4">
                <span className="flex items-center gap-1.5 text-muted">
                  <svg width="8" height="8">
                    <rect width="8" height="8" rx="2.5" fill={chartColor(color)} />
                  </svg>
                  {name}
                </span>
                <span className="font-medium">{read(shown, key)}</span>
              </span>
            ))}
          </ChartTip>
        )}
      </ChartFrame>
      {logarithmic && <p className="mt-1 text-[12px] text-faint">{t('Logarithmic scale: each step up is a multiple, not a sum.')}</p>}
      <ChartTable
        caption={label}
        head={[t('Date'), ...series.map((one) => one.label)]}
        rows={points.map((point) => [formatDay(point.t), ...series.map(({ key }) => read(point, key))])}
      />
    </div>
  )
}
