import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { useFieldBinding } from './field-context.ts'

/** Multi-line field; grows with its text where the browser supports it. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useFieldBinding()}
      rows={rows}
      {...rest}
      className={cx('control field-sizing-content max-h-80 min-h-24 resize-y', className)}
    />
  )
}
