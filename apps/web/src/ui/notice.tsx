import type { ReactNode } from 'react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { cx } from './cx.ts'

export interface NoticeProps {
  tone?: 'danger' | 'warning' | 'success' | 'accent' | 'info' | undefined
  title?: ReactNode
  /** Buttons or links for the next step. */
  action?: ReactNode
  className?: string | undefined
  /** Null hides the icon. */
  icon?: null | undefined
  /** Use `status` for a warning added to an open page. Errors get `alert` automatically. */
  role?: 'status' | 'alert' | undefined
  children?: ReactNode
}

const STYLES = {
  danger: ['bg-danger-soft text-danger', CircleAlert],
  warning: ['bg-warning-soft text-warning', TriangleAlert],
  success: ['bg-success-soft text-success', CircleCheck],
  accent: ['bg-accent-soft text-ink', Info],
  info: ['bg-raised text-muted', Info],
} as const

/** Framed message in the page: form errors, or warnings before money moves. Errors are announced. */
export function Notice({ tone = 'info', title, action, className, icon, role, children }: NoticeProps) {
  const [style, Icon] = STYLES[tone]
  return (
    <div role={role ?? (tone === 'danger' ? 'alert' : undefined)} className={cx('flex gap-2.5 rounded-lg p-3 text-sm', style, className)}>
      {icon !== null && <Icon size={16} aria-hidden="true" className="mt-0.5" />}
      <div className="min-w-0 flex-1">
        {title && <p className="font-semi">{title}</p>}
        {children && <div className={title || icon === null ? 'text-ink' : undefined}>{children}</div>}
        {action && <div className="mt-2 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  )
}
