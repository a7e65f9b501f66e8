import { t } from '@tizara/languages'
import { CopyButton } from './copy-button.tsx'
import type { CopyButtonProps } from './copy-button.tsx'
import { cx } from './cx.ts'

export interface CopyFieldProps extends Pick<CopyButtonProps, 'onCopied' | 'onFailed'> {
  value: string
  /** Text's name, for screen readers and the button. */
  label: string
  copyLabel?: string | undefined
  className?: string | undefined
}

/** Read-only text with a copy button; a click selects it all. */
export function CopyField({ value, label, copyLabel = t('Copy'), className, ...copy }: CopyFieldProps) {
  return (
    <div className={cx('flex items-center gap-2', className)}>
      <input
        readOnly
        value={value}
        aria-label={label}
        onFocus={(event) => event.target.select()}
        className="control min-w-0 flex-1 truncate font-mono text-sm"
      />
      <CopyButton {...copy} text={value} label={copyLabel} size="md" />
    </div>
  )
}
