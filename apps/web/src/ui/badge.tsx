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
  /** Instead of the dot: an icon element. */
  icon?: ReactNode
  /** Only the word, for labels that are no state. */
  plain?: boolean | undefined
  className?: string | undefined
  title?: string | undefined
  /** The word: colour never stands alone. */
  children: ReactNode
}

/** A state as a word with a mark. */
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
