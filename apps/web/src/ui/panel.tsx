import type { ReactNode } from 'react'
import { cx } from './cx.ts'

/** Returns panel classes, for sections with a custom layout. */
export const panelClass = (extra?: string): string => cx('min-w-0 rounded-xl border bg-surface', extra)

export interface PanelProps {
  title: string
  /** Below the title: a legend or source. */
  hint?: ReactNode
  /** Right of the title: a link or switch. */
  action?: ReactNode
  className?: string | undefined
  children: ReactNode
}

/** Framed section with a title. Content reaches the edges, so that tables and images fit. */
export function Panel({ title, hint, action, className, children }: PanelProps) {
  return (
    <section className={panelClass(className)} aria-label={title}>
      {/* A title is at least as wide as its longest word: the action wraps to a line of its own before a word breaks. */}
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-4 pt-3">
        <div className="min-w-min flex-1">
          <h2 className="text-base font-semi tracking-head">{title}</h2>
          {hint !== undefined && <div className="text-xs text-muted">{hint}</div>}
        </div>
        {action !== undefined && <div className="ms-auto text-xs">{action}</div>}
      </header>
      {children}
    </section>
  )
}
