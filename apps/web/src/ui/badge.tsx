import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export type Tone = 'success' | 'danger' | 'warning' | 'neutral' | 'accent'

const TONE: Record<Tone, string> = {
  success: 'bg-success-soft text-success',
  danger: 'bg-danger-soft text-danger',
  warning: 'bg-warning-soft text-warning',
  neutral: 'bg-raised text-muted',
  accent: 'bg-accent-soft text-accent',
}

export interface BadgeProps {
  tone?: Tone | undefined
  /** Icon element that replaces the dot. */
  icon?: ReactNode
  /** Text only, for labels without a state. */
  plain?: boolean | undefined
  className?: string | undefined
  title?: string | undefined
  /** State text; colour alone is not accessible. */
  children: ReactNode
}

/** Shows a state as text with a mark. */
export function Badge({ tone = 'neutral', icon, plain, className, title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={cx(
        'inline-flex items-center gap-1.5 align-middle rounded-full px-2 py-px text-xs font-semi whitespace-nowrap *:[svg]:size-3',
        TONE[tone],
        className,
      )}
    >
      {icon ?? (!plain && <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />)}
      {children}
    </span>
  )
}
