import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

export interface LegendItem {
  key: string
  label: ReactNode
  /** Chart colour, 1 to 6. */
  color: number
  value?: ReactNode
}

/** Returns a chart colour's fill; the colours repeat after six. */
export function chartColor(index: number): string {
  return `var(--c${((index - 1) % 6) + 1})`
}

/** Explains a chart's colours. */
export function Legend({ items, className }: { items: readonly LegendItem[]; className?: string | undefined }) {
  return (
    <ul className={cx('flex flex-wrap gap-x-4 gap-y-1.5 text-xs text-muted', className)}>
      {items.map((item) => (
        <li key={item.key} className="flex items-center gap-1.5">
          <svg width="8" height="8" aria-hidden="true">
            <rect width="8" height="8" rx="2.5" fill={chartColor(item.color)} />
          </svg>
          <span>{item.label}</span>
          {item.value !== undefined && <b className="font-strong text-ink">{item.value}</b>}
        </li>
      ))}
    </ul>
  )
}
