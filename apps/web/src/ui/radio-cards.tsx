import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { useFieldBinding } from './field-context.ts'

export interface RadioCard<T extends string> {
  value: T
  label: ReactNode
  /** Under the label: a balance or explanation. */
  hint?: ReactNode
  /** Right side: the price. */
  aside?: ReactNode
  disabled?: boolean | undefined
}

export interface RadioCardsProps<T extends string> {
  name: string
  options: ReadonlyArray<RadioCard<T>>
  /** Empty until an option is chosen. */
  value: T | ''
  onChange: (value: T) => void
  disabled?: boolean | undefined
  className?: string | undefined
}

/** Radio options with explanations. Use it inside a `<Field group>`. */
export function RadioCards<T extends string>({ name, options, value, onChange, disabled, className }: RadioCardsProps<T>) {
  const { 'aria-describedby': describedBy, 'aria-invalid': invalid } = useFieldBinding()
  return (
    <div className={cx('grid gap-2', className)}>
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            'relative flex items-center gap-3 rounded-lg border bg-surface px-3 py-2.5 transition-colors hover:border-line-input',
            'has-checked:border-accent-line has-checked:bg-accent-soft has-disabled:opacity-60',
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-line',
            invalid ? 'border-danger' : 'border-line-strong',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={disabled === true || option.disabled}
            aria-describedby={describedBy}
            onChange={() => onChange(option.value)}
            className="size-4 shrink-0 outline-none"
          />
          <span className="min-w-0 flex-1">
            <span className="block text-sm font-semi">{option.label}</span>
            {option.hint !== undefined && <span className="block text-sm text-muted">{option.hint}</span>}
          </span>
          {option.aside !== undefined && <span className="text-end text-sm font-semi">{option.aside}</span>}
        </label>
      ))}
    </div>
  )
}
