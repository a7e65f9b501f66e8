import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

export interface PageProps {
  title: string
  /** Under the title: what it shows, how old that is. */
  hint: ReactNode
  /** At the right of the title. */
  right?: ReactNode
  className?: string
  /** Pixels, where it is no page of the usual width. */
  width?: number
  children: ReactNode
}

/** A view that is one page: its title, and what stands below. */
export function Page({ title, hint, right, className, width, children }: PageProps) {
  return (
    <div className="view on">
      <div className={cx('page', className)} style={{ maxWidth: width }}>
        <div className="head">
          <div className="grow">
            <h2 className="title">{title}</h2>
            <p className="mut">{hint}</p>
          </div>
          {right}
        </div>
        {children}
      </div>
    </div>
  )
}
