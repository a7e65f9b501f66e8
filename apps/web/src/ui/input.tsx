import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import { useFieldBinding } from './field-context.ts'

export interface InputProps extends ComponentProps<'input'> {
  /** Inside the frame, before the text. */
  start?: ReactNode
  /** Inside the frame, after the text: a unit or button. */
  end?: ReactNode
  mono?: boolean | undefined
}

/** Text field. Takes its id, error and hint from a surrounding Field. */
export function Input({ start, end, mono, className, ...rest }: InputProps) {
  const bound = useFieldBinding()
  const font = mono ? 'font-mono' : ''
  if (!start && !end) return <input {...bound} {...rest} className={cx('control', font, className)} />
  return (
    <span className={cx('control flex items-center gap-2 py-0', className)}>
      {start}
      <input {...bound} {...rest} className={cx('min-h-10 w-full min-w-0 flex-1 bg-transparent outline-none', font)} />
      {end}
    </span>
  )
}
