import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Legend, chartColor } from './legend.tsx'

export interface Share {
  key: string
  label: string
  /** Only for the width. */
  value: number
  /** Beside the label; the percentage otherwise. */
  text?: ReactNode
  color?: number | undefined
}

export interface StackedBarLineProps {
  label: string
  parts: readonly Share[]
  legend?: boolean | undefined
  className?: string | undefined
}

function percent(part: number): string {
  const value = part * 100
  return value > 0 && value < 1 ? '<1%' : `${Math.round(value)}%`
}

/** What a whole is made of: one line in parts, and their names. */
export function StackedBarLine({ label, parts, legend = true, className }: StackedBarLineProps) {
  const total = parts.reduce((all, part) => all + Math.max(0, part.value), 0)
  const items = parts.map((part, i) => ({ ...part, color: part.color ?? i + 1, share: total ? Math.max(0, part.value) / total : 0 }))
  return (
    <div className={className}>
      <p className="sr-only">{`${label}: ${items.map((item) => `${item.label} ${percent(item.share)}`).join(', ')}`}</p>
      <div aria-hidden="true" className="flex h-2 gap-0.5 overflow-hidden rounded-full bg-hover">
        {items.map(
          (item) =>
            item.share > 0 && (
              <span
                key={item.key}
                className="h-full min-w-1"
                style={{ flexGrow: item.share, flexBasis: 0, background: chartColor(item.color) }}
              />
            ),
        )}
      </div>
      {legend && (
        <Legend
          className={cx('mt-3')}
          items={items.map((item) => ({ key: item.key, label: item.label, color: item.color, value: item.text ?? percent(item.share) }))}
        />
      )}
    </div>
  )
}
