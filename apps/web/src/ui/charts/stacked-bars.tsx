import { joinList, t } from '@tizara/languages'
import { scaleBand, scaleLinear } from 'd3-scale'
import { useState } from 'react'
import { ChartFrame, ChartTip } from './chart-frame.tsx'
import { ChartTable } from './chart-table.tsx'
import { Legend, chartColor } from './legend.tsx'
import { useWidth } from './use-width.ts'

export interface BarSeries {
  key: string
  label: string
  /** Chart colour, 1 to 6; defaults to the series index. */
  color?: number | undefined
}

export interface BarGroup {
  key: string
  /** Short label under the bar. */
  label: string
  /** Title in the readout, for example "Week 35, 25–31 Aug". */
  title?: string | undefined
  /** Series key → value, not negative. */
  values: Readonly<Record<string, number>>
}

export interface StackedBarsProps {
  label: string
  series: readonly BarSeries[]
  groups: readonly BarGroup[]
  formatValue?: ((value: number) => string) | undefined
  formatTick?: ((value: number) => string) | undefined
  groupLabel?: string | undefined
  totalLabel?: string | undefined
  height?: number | undefined
  legend?: boolean | undefined
  emptyText?: string | undefined
}

const compact = (v: number): string => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 }).format(v)
const number = (v: number): string => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(v)

/** Stacked bars, one per period, with a readout by pointer or keyboard. A single series has no separate total. */
export function StackedBars(props: StackedBarsProps) {
  const {
    label,
    series,
    groups,
    height = 190,
    legend = true,
    emptyText = t('Nothing to draw yet'),
    groupLabel = t('Period'),
    totalLabel = t('Total'),
  } = props
  const { formatValue = number, formatTick = compact } = props
  const [ref, width] = useWidth()
  const [active, setActive] = useState(-1)
  const sum = (group: BarGroup): number => series.reduce((all, s) => all + (group.values[s.key] ?? 0), 0)
  const high = Math.max(0, ...groups.map(sum))
  const color = (i: number): string => chartColor(series[i]?.color ?? i + 1)
  if (!high) {
    return (
      <div
        className="grid place-items-center h-full rounded-lg bg-raised px-4 text-center text-sm text-faint"
        style={{ minHeight: height }}
      >
        {emptyText}
      </div>
    )
  }

  const y = scaleLinear([0, high], [height - 24, 8]).nice(4)
  const isCount = groups.every((group) => Number.isInteger(sum(group)))
  const ticks = y.ticks(4).filter((tick) => !isCount || Number.isInteger(tick))
  const left = Math.max(...ticks.map((tick) => formatTick(tick).length)) * 6.4 + 12
  const x = scaleBand(
    groups.map((g) => g.key),
    [left, Math.max(left + 1, width)],
  )
    .paddingInner(0.34)
    .paddingOuter(0.12)
  const bar = Math.min(36, x.bandwidth())
  const widest = Math.max(...groups.map((group) => group.label.length)) * 6.2 + 10
  const every = Math.ceil(Math.max(34, widest) / x.step())
  const middle = (group: BarGroup): number => (x(group.key) ?? 0) + x.bandwidth() / 2
  const shown = groups[active]
  const isStacked = series.length > 1
  const readout = (group: BarGroup): string => {
    const total = `${isStacked ? totalLabel : (series[0]?.label ?? totalLabel)} ${formatValue(sum(group))}`
    return joinList([total, ...(isStacked ? lines(group) : [])])
  }
  const lines = (group: BarGroup): string[] =>
    series.filter((s) => group.values[s.key]).map((s) => `${s.label} ${formatValue(group.values[s.key] ?? 0)}`)
  const selected = shown ?? groups.at(-1)

  return (
    <div ref={ref} className="min-w-0">
      {legend && <Legend className="mb-3" items={series.map((s, i) => ({ key: s.key, label: s.label, color: s.color ?? i + 1 }))} />}
      <ChartFrame
        label={label}
        height={height}
        count={groups.length}
        active={active}
        onActive={setActive}
        nearest={(at) => Math.max(0, Math.min(groups.length - 1, Math.floor((at - left) / x.step())))}
        text={selected ? `${selected.title ?? selected.label}: ${readout(selected)}` : ''}
      >
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true" className="block overflow-visible">
            {ticks.map((tick) => (
              <g key={tick}>
                <line
                  x1={left}
                  x2={width}
                  y1={y(tick)}
                  y2={y(tick)}
                  stroke="var(--line)"
                  strokeDasharray={tick === 0 ? undefined : '2 4'}
                />
                <text x={left - 10} y={y(tick) + 4} textAnchor="end" fontSize="11" fill="var(--ink-3)">
                  {formatTick(tick)}
                </text>
              </g>
            ))}
            {groups.map((group, i) => {
              let base = 0
              return (
                <g key={group.key} opacity={shown && i !== active ? 0.45 : 1}>
                  {series.map((s, k) => {
                    const value = group.values[s.key] ?? 0
                    if (value <= 0) return null
                    const top = y(base + value)
                    const tall = y(base) - top
                    base += value
                    return (
                      <rect
                        key={s.key}
                        x={middle(group) - bar / 2}
                        y={top}
                        width={bar}
                        height={Math.max(0.75, tall - 1.5)}
                        rx={Math.min(3, tall / 3, bar / 4)}
                        fill={color(k)}
                      />
                    )
                  })}
                  {i % every === 0 && (
                    <text x={middle(group)} y={height - 4} textAnchor="middle" fontSize="11" fill="var(--ink-3)">
                      {group.label}
                    </text>
                  )}
                </g>
              )
            })}
          </svg>
        )}
        {shown && (
          <ChartTip x={middle(shown)} width={width}>
            <span className="block text-faint">{shown.title ?? shown.label}</span>
            <b className="block text-sm font-strong">{formatValue(sum(shown))}</b>
            {series.map(
              (s, k) =>
                isStacked &&
                Boolean(shown.values[s.key]) && (
                  <span key={s.key} className="mt-0.5 flex items-center justify-between gap-4">
                    <span className="flex items-center gap-1.5 text-muted">
                      <svg width="8" height="8">
                        <rect width="8" height="8" rx="2.5" fill={color(k)} />
                      </svg>
                      {s.label}
                    </span>
                    <span className="font-medium">{formatValue(shown.values[s.key] ?? 0)}</span>
                  </span>
                ),
            )}
          </ChartTip>
        )}
      </ChartFrame>
      <ChartTable
        caption={label}
        head={[groupLabel, ...series.map((s) => s.label), ...(isStacked ? [totalLabel] : [])]}
        rows={groups.map((g) => [
          g.title ?? g.label,
          ...series.map((s) => formatValue(g.values[s.key] ?? 0)),
          ...(isStacked ? [formatValue(sum(g))] : []),
        ])}
      />
    </div>
  )
}
