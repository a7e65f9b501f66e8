import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import { useFieldBinding } from './field-context.ts'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode
  error?: string | undefined
}

/** A checkbox with its text beside it, the whole line is its target. */
export function Checkbox({ label, error, className, ...rest }: CheckboxProps) {
  const bound = useFieldBinding()
  return (
    <label className={cx('flex items-start gap-2.5 py-1 text-sm text-muted', className)}>
      <input
        aria-describedby={bound['aria-describedby']}
        aria-invalid={error ? true : bound['aria-invalid']}
        {...rest}
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 rounded-sm"
      />
      <span>
        {label}
        {error && <span className="block text-danger">{error}</span>}
      </span>
    </label>
  )
}
