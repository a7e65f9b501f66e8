import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

export interface CardProps extends ComponentProps<'section'> {
  /** `none` for tables and images that reach the edge. */
  padding?: 'md' | 'sm' | 'none' | undefined
}

export function Card({ padding = 'md', className, ...rest }: CardProps) {
  const space = padding === 'md' ? 'p-4 sm:p-5' : padding === 'sm' ? 'p-3.5' : ''
  return <section {...rest} className={cx('min-w-0 rounded-xl border bg-surface', space, className)} />
}

export interface CardHeaderProps {
  title: ReactNode
  /** State, beside the title. */
  badge?: ReactNode
  hint?: ReactNode
  /** Right side: a link, small button or legend. */
  action?: ReactNode
  id?: string | undefined
  className?: string | undefined
}

export function CardHeader({ title, badge, hint, action, id, className }: CardHeaderProps) {
  return (
    <div className={cx('mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2.5', className)}>
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h2 id={id} className="text-md font-strong tracking-head">
            {title}
          </h2>
          {badge}
        </div>
        {hint && <p className="mt-0.5 text-sm text-faint">{hint}</p>}
      </div>
      {action && <div className="flex shrink-0 flex-wrap items-center gap-2 text-sm">{action}</div>}
    </div>
  )
}
