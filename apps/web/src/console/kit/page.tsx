import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

export interface PageProps {
  title: string
  /** Shown under the title: content and age of the data. */
  hint: ReactNode
  /** At the right of the title. */
  right?: ReactNode
  className?: string
  /** Width in px, if it differs from the usual page. */
  width?: number
  children: ReactNode
}

/** A view of one page: title, then content. */
export function Page({ title, hint, right, className, width, children }: PageProps) {
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <div className={cx('mx-auto max-w-[1200px] px-4 pt-3.5 pb-7 md:px-6 md:pt-5 md:pb-10', className)} style={{ maxWidth: width }}>
        <div className="mb-3 flex flex-wrap items-end gap-4 md:mb-4 md:flex-nowrap">
          <div className="min-w-0 flex-1 max-md:basis-64">
            <h2 className="text-xl font-strong tracking-head">{title}</h2>
            <p className="text-muted">{hint}</p>
          </div>
          {right}
        </div>
        {children}
      </div>
    </div>
  )
}
