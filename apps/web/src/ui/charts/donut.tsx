import { arc, pie } from 'd3-shape'
import type { ReactNode } from 'react'
import { ChartTable } from './chart-table.tsx'
import { Legend, chartColor } from './legend.tsx'
import type { Share } from './stacked-bar-line.tsx'

export interface DonutProps {
  label: string
  parts: readonly Share[]
  size?: number | undefined
  legend?: boolean | undefined
  /** In the middle: the total. */
  children?: ReactNode
}

/** What a whole is made of, as a ring. */
export function Donut({ label, parts, size = 148, legend = true, children }: DonutProps) {
  const items = parts.map((part, i) => ({ ...part, value: Math.max(0, part.value), color: part.color ?? i + 1 }))
  const total = items.reduce((all, part) => all + part.value, 0)
  const ring = arc<{ startAngle: number; endAngle: number }>()
    .innerRadius(size / 2 - 15)
    .outerRadius(size / 2)
    .cornerRadius(3)
    .padAngle(total && items.filter((i) => i.value).length > 1 ? 0.025 : 0)
  const slices = pie<(typeof items)[number]>()
    .sortValues(null)
    .value((part) => part.value)(items)
  const percent = (value: number): string => (total ? `${Math.round((value / total) * 100)}%` : '0%')
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
      <div className="relative grid shrink-0 place-items-center">
        <svg width={size} height={size} viewBox={`${-size / 2} ${-size / 2} ${size} ${size}`} aria-hidden="true">
          {total === 0 && <path d={ring({ startAngle: 0, endAngle: 2 * Math.PI }) ?? ''} fill="var(--hover)" />}
          {total > 0 &&
            slices.map(
              (slice) => slice.value > 0 && <path key={slice.data.key} d={ring(slice) ?? ''} fill={chartColor(slice.data.color)} />,
            )}
        </svg>
        <div className="absolute max-w-[65%] text-center font-strong">{children}</div>
      </div>
      {legend && (
        <div aria-hidden="true" className="min-w-36 flex-1">
          <Legend
            className="flex-col *:justify-start *:[li]:w-full *:[li]:[&>b]:ml-auto"
            items={items.map((item) => ({ key: item.key, label: item.label, color: item.color, value: item.text ?? percent(item.value) }))}
          />
        </div>
      )}
      <ChartTable caption={label} head={['Part', 'Share']} rows={items.map((item) => [item.label, percent(item.value)])} />
    </div>
  )
}
