import { t } from '@tizara/languages'
import { cx } from './cx.ts'

export interface SpinnerProps {
  label?: string | undefined
  size?: number | undefined
  className?: string | undefined
}

/** Spinner that names the pending operation. */
export function Spinner({ label = t('Loading'), size = 16, className }: SpinnerProps) {
  return (
    <output className={cx('inline-flex', className)}>
      <svg width={size} height={size} viewBox="0 0 16 16" fill="none" className="animate-spin" aria-hidden="true">
        <circle cx="8" cy="8" r="6.5" stroke="currentColor" strokeOpacity=".25" strokeWidth="2" />
        <path d="M14.5 8A6.5 6.5 0 0 0 8 1.500" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      <span className="sr-only">{label}</span>
    </output>
  )
}
