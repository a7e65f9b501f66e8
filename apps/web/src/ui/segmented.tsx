import { useId } from 'react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface SegmentedProps<T extends string> {
  /** Group name for screen readers. */
  label: string
  options: ReadonlyArray<{ value: T; label: ReactNode; disabled?: boolean | undefined }>
  value: T
  onChange: (value: T) => void
  block?: boolean | undefined
  className?: string | undefined
}

/** Radio options side by side; native radios provide the arrow keys. */
export function Segmented<T extends string>({ label, options, value, onChange, block, className }: SegmentedProps<T>) {
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cx('rounded-lg border border-line bg-raised p-0.5', block ? 'flex' : 'inline-flex', className)}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            'relative flex min-h-8 items-center justify-center rounded-md border border-transparent px-3 text-center text-sm text-muted transition-colors',
            'hover:text-ink has-checked:border-line has-checked:bg-surface has-checked:font-semi has-checked:text-ink has-disabled:opacity-50',
            'has-focus-visible:outline-2 has-focus-visible:outline-accent-line',
            block && 'flex-1',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
