import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface ProgressProps {
  value: number
  max?: number | undefined
  /** Measured value's name, for screen readers. */
  label: string
  /** Read out instead of a percentage: "112 of 365 days". */
  valueText?: string | undefined
  tone?: 'accent' | 'success' | 'warning' | 'danger' | undefined
  className?: string | undefined
}

const FILL = { accent: 'text-accent-line', success: 'text-success', warning: 'text-chart-3', danger: 'text-danger' }

function share(value: number, max: number): number {
  return max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
}

function meter({ value, max = 100, label, valueText }: ProgressProps) {
  return {
    role: 'progressbar',
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': max,
    'aria-valuenow': value,
    'aria-valuetext': valueText,
  }
}

export function ProgressBar(props: ProgressProps) {
  const part = share(props.value, props.max ?? 100)
  return (
    <div {...meter(props)} className={cx('h-1.5 overflow-hidden rounded-full bg-hover', FILL[props.tone ?? 'accent'], props.className)}>
      <div className="h-full rounded-full bg-current transition-[width]" style={{ width: part ? `max(6px, ${part * 100}%)` : 0 }} />
    </div>
  )
}

export interface ProgressRingProps extends ProgressProps {
  size?: number | undefined
  /** Content in the centre. */
  children?: ReactNode
}

const THICKNESS = 5

/** Progress ring, filled clockwise from the top. */
export function ProgressRing({ size = 56, children, ...props }: ProgressRingProps) {
  const r = (size - THICKNESS) / 2
  const part = share(props.value, props.max ?? 100)
  const circle = { cx: size / 2, cy: size / 2, r, fill: 'none', strokeWidth: THICKNESS }
  return (
    <div
      {...meter(props)}
      className={cx('relative inline-grid shrink-0 place-items-center', FILL[props.tone ?? 'accent'], props.className)}
    >
      <svg width={size} height={size} aria-hidden="true" className="-rotate-90">
        <circle {...circle} stroke="var(--hover)" />
        {part > 0 && (
          <circle {...circle} stroke="currentColor" strokeLinecap="round" pathLength={100} strokeDasharray={`${part * 100} 100`} />
        )}
      </svg>
      <span className="absolute text-xs font-strong text-ink">{children}</span>
    </div>
  )
}
