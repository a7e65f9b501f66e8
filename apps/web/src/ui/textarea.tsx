import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import { useFieldBinding } from './field-context.ts'

/** A field for several lines; grows with its text where the browser can. */
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
