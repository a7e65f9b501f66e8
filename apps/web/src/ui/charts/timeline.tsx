import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

export interface TimelineItem {
  key: string
  /** For example "Today" or "24 Nov". */
  when: ReactNode
  /** ISO time for the `datetime` attribute. */
  dateTime?: string | undefined
  title: ReactNode
  hint?: ReactNode
  /** Right side: an amount. */
  value?: ReactNode
  /** Fills the mark: current or past. */
  filled?: boolean | undefined
  tone?: 'accent' | 'success' | 'warning' | 'danger' | 'neutral' | undefined
}

export interface TimelineProps {
  label: string
  items: readonly TimelineItem[]
  className?: string | undefined
}

const MARK = {
  accent: 'text-accent-line',
  success: 'text-success',
  warning: 'text-chart-3',
  danger: 'text-danger',
  neutral: 'text-line-input',
}

/** Vertical list with upcoming or past events. */
export function Timeline({ label, items, className }: TimelineProps) {
  return (
    <ol aria-label={label} className={cx('text-sm', className)}>
      {items.map((item, i) => (
        <li key={item.key} className="grid grid-cols-[4rem_12px_minmax(0,1fr)] gap-x-3">
          <time dateTime={item.dateTime} className="py-2.5 text-faint">
            {item.when}
          </time>
          <span aria-hidden="true" className={cx('relative flex justify-center', MARK[item.tone ?? 'accent'])}>
            <span className={cx('absolute w-px bg-line', i === 0 ? 'top-5' : 'top-0', i === items.length - 1 ? 'h-5' : 'bottom-0')} />
            <span
              className={cx('relative mt-[15px] size-2.5 rounded-full border-2 border-current', item.filled ? 'bg-current' : 'bg-surface')}
            />
          </span>
          <div className={cx('flex min-w-0 flex-wrap items-baseline justify-between gap-x-3 py-2.5', i > 0 && 'border-t')}>
            <span className="min-w-0 flex-[1_1_8rem]">
              {item.title}
              {item.hint && <span className="block text-xs text-faint">{item.hint}</span>}
            </span>
            {item.value !== undefined && <span className="font-semi whitespace-nowrap">{item.value}</span>}
          </div>
        </li>
      ))}
    </ol>
  )
}
