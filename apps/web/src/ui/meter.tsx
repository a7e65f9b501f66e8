import { cx } from './cx.ts'

export interface MeterProps {
  /** Filled part in percent. */
  percent: number
  tone?: 'accent' | 'warning' | 'danger' | undefined
  className?: string | undefined
}

const FILL = { accent: 'bg-accent-line', warning: 'bg-(--warning-line)', danger: 'bg-(--danger-line)' }

/** Thin bar beside a figure with the same value; hidden from screen readers. */
export const Meter = ({ percent, tone = 'accent', className }: MeterProps) => (
  <span aria-hidden="true" className={cx('block h-1 overflow-hidden rounded-full bg-line', className)}>
    <span className={cx('block h-full rounded-full', FILL[tone])} style={{ width: `${Math.min(100, Math.max(0, percent))}%` }} />
  </span>
)
