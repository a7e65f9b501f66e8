import type { ReactNode } from 'react'

export interface PageHeaderProps {
  title: ReactNode
  subtitle?: ReactNode
  /** Page's main buttons; on phones they share the width evenly. */
  actions?: ReactNode
  /** Back link above the title. */
  back?: ReactNode
}

/** The page's only h1 and its actions. The h1 can take focus after a navigation. */
export function PageHeader({ title, subtitle, actions, back }: PageHeaderProps) {
  return (
    <header className="mb-5 flex flex-wrap items-end gap-x-6 gap-y-3.5 sm:mb-6">
      <div className="min-w-0 flex-[1_1_260px]">
        {back && <div className="mb-1.5 text-sm">{back}</div>}
        <h1 tabIndex={-1} className="text-2xl font-strong tracking-num">
          {title}
        </h1>
        {subtitle && <p className="mt-1 text-muted">{subtitle}</p>}
      </div>
      {actions && (
        <div className="grid w-full auto-cols-fr grid-cols-2 gap-2 sm:flex sm:w-auto sm:flex-wrap *:only:col-span-2">{actions}</div>
      )}
    </header>
  )
}
