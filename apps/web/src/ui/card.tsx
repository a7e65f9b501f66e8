import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

export interface CardProps extends ComponentProps<'section'> {
  /** `none` for tables and pictures that reach the edge. */
  padding?: 'md' | 'sm' | 'none' | undefined
}

/** A quiet framed surface. */
export function Card({ padding = 'md', className, ...rest }: CardProps) {
  const space = padding === 'md' ? 'p-4 sm:p-5' : padding === 'sm' ? 'p-3.5' : ''
  return <section {...rest} className={cx('min-w-0 rounded-xl border bg-surface', space, className)} />
}

export interface CardHeaderProps {
  title: ReactNode
  /** The heading's level in the page's outline. */
  level?: 2 | 3 | 4 | undefined
  /** Beside the title: how it stands. */
  badge?: ReactNode
  hint?: ReactNode
  /** At the right: a link, a small button, a legend. */
  action?: ReactNode
  id?: string | undefined
  className?: string | undefined
}

/** The head of a card: title, what it rests on, one action. */
export function CardHeader({ title, level = 2, badge, hint, action, id, className }: CardHeaderProps) {
  const Heading = `h${level}` as const
  return (
    <div className={cx('mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2.5', className)}>
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Heading id={id} className="text-md font-strong tracking-head">
            {title}
          </Heading>
          {badge}
        </div>
        {hint && <p className="mt-0.5 text-sm text-faint">{hint}</p>}
      </div>
      {action && <div className="flex shrink-0 flex-wrap items-center gap-2 text-sm">{action}</div>}
    </div>
  )
}
