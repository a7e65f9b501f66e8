import type { ReactNode } from 'react'
import { Card } from './card.tsx'
import { cx } from './cx.ts'
import { Skeleton } from './skeleton.tsx'

export interface StatCardProps {
  label: ReactNode
  /** `<Money/>` or plain text; the card's main number. */
  value: ReactNode
  /** Small unit beside the value, if the value does not include it. */
  unit?: ReactNode
  /** One line under the value. */
  sub?: ReactNode
  icon?: ReactNode
  /** Mark before the label, in the colour assigned to this kind everywhere. */
  mark?: string | undefined
  actions?: ReactNode
  size?: 'md' | 'sm' | undefined
  loading?: boolean | undefined
  className?: string | undefined
}

export const DOT = ['', 'bg-chart-1', 'bg-chart-2', 'bg-chart-3', 'bg-chart-4', 'bg-chart-5', 'bg-chart-6'] as const

export function StatCard({ label, value, unit, sub, icon, mark, actions, size = 'md', loading, className }: StatCardProps) {
  const small = size === 'sm'
  return (
    <Card padding={small ? 'sm' : 'md'} className={cx('flex flex-col', className)}>
      {/* Reserves two label lines, so that neighbouring figures align. */}
      <div className={cx('flex items-center justify-between gap-2 text-sm text-muted', !sub && !actions && 'mb-auto')}>
        <span className="flex min-w-0 items-center gap-2">
          {mark !== undefined && <span aria-hidden="true" className="size-2 shrink-0 rounded-[3px]" style={{ background: mark }} />}
          <span>{label}</span>
        </span>
        {icon && <span className="text-faint *:[svg]:size-4">{icon}</span>}
      </div>
      <div className={cx('mt-1.5 font-strong tracking-num', small ? 'text-lg' : 'text-xl')}>
        {loading ? (
          <Skeleton className="my-[5px] h-[18px] w-28 max-w-full" />
        ) : (
          <>
            {value}
            {unit && <span className="ms-1.5 text-xs font-medium tracking-normal text-faint">{unit}</span>}
          </>
        )}
      </div>
      {sub && <div className="mt-0.5 text-xs text-faint">{loading ? <Skeleton className="my-1 h-2.5 w-20" /> : sub}</div>}
      {actions && <div className="mt-auto flex flex-wrap gap-2 pt-3.5">{actions}</div>}
    </Card>
  )
}
