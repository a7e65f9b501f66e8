import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface SwitchProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean | undefined
  name?: string | undefined
  className?: string | undefined
}

/** Something that is on or off at once; the whole line is its target. */
export function Switch({ label, hint, checked, onChange, disabled, name, className }: SwitchProps) {
  return (
    <label className={cx('flex items-center justify-between gap-4 py-1.5 text-sm', disabled && 'opacity-60', className)}>
      <span>
        <span className="text-ink">{label}</span>
        {hint && <span className="block text-xs text-faint">{hint}</span>}
      </span>
      <span className="relative inline-flex shrink-0">
        <input
          type="checkbox"
          role="switch"
          aria-checked={checked}
          name={name}
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
          className="peer h-6 w-10 appearance-none rounded-full bg-line-input transition-colors checked:bg-accent"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1 left-1 size-4 rounded-full bg-surface transition-[translate] peer-checked:translate-x-4"
        />
      </span>
    </label>
  )
}
