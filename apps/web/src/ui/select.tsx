import type { ComponentProps } from 'react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { cx } from './cx.ts'
import { useFieldBinding } from './field-context.ts'

export interface SelectOption {
  value: string
  label: string
  disabled?: boolean | undefined
}

export interface SelectProps extends ComponentProps<'select'> {
  options?: readonly SelectOption[] | undefined
  /** First option, which selects nothing. */
  placeholder?: string | undefined
}

/** Styled native select. Pass `options` or `<option>` children. */
export function Select({ options, placeholder, className, children, ...rest }: SelectProps) {
  return (
    <span className={cx('relative block', className)}>
      <select {...useFieldBinding()} {...rest} className="control appearance-none truncate pe-9">
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options?.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
        {children}
      </select>
      <ChevronDown size={16} aria-hidden="true" className="pointer-events-none absolute top-1/2 end-3 -translate-y-1/2 text-faint" />
    </span>
  )
}
