import type { ReactNode } from 'react'

export interface EmptyStateProps {
  title: ReactNode
  text?: ReactNode
  /** A drawing or an icon. */
  art?: ReactNode
  /** The way forward. */
  action?: ReactNode
}

/** Nothing here yet: says so, and what to do next. */
export function EmptyState({ title, text, art, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-4 py-10 text-center">
      {art && <div className="mb-4 text-faint">{art}</div>}
      <p className="text-md font-semi">{title}</p>
      {text && <p className="mt-1 max-w-[46ch] text-sm text-muted">{text}</p>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
