import { t } from '@tizara/languages'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

export interface EmptyStateProps {
  title: ReactNode
  text?: ReactNode
  /** Illustration or icon. */
  art?: ReactNode
  /** Link or button to the next step. */
  action?: ReactNode
  /** Shows `Try again` instead of the action. */
  onRetry?: (() => void) | undefined
}

/** Message for an empty list, with the next step. */
export function EmptyState({ title, text, art, action, onRetry }: EmptyStateProps) {
  const shown = onRetry === undefined ? action : <Button onClick={onRetry}>{t('Try again')}</Button>
  return (
    <div className="flex flex-col items-center px-4 py-10 text-center">
      {art && <div className="mb-4 text-faint">{art}</div>}
      <p className="text-md font-semi">{title}</p>
      {text && <p className="mt-1 max-w-[46ch] text-sm text-muted">{text}</p>}
      {shown && <div className="mt-4 flex flex-wrap justify-center gap-2">{shown}</div>}
    </div>
  )
}
