import { t } from '@tizara/languages'
import type { KeyboardEvent } from 'react'
import { Input } from './input.tsx'
import type { InputProps } from './input.tsx'

export interface AmountInputProps extends Omit<InputProps, 'type' | 'inputMode' | 'start' | 'end'> {
  unit?: string | undefined
  /** Shows the Max button; the parent fills in the balance. */
  onMax?: (() => void) | undefined
  /** Keys to ignore, as in `KeyboardEvent.key`: `['-', 'e']`. */
  blockedKeys?: readonly string[] | undefined
}

/** Text field for an amount with its unit. Avoids `type=number`, which allows exponents, wheel changes and rounding. */
export function AmountInput({ unit, onMax, blockedKeys, onKeyDown, ...rest }: AmountInputProps) {
  function guard(event: KeyboardEvent<HTMLInputElement>): void {
    const typed = !event.ctrlKey && !event.metaKey && !event.altKey
    if (typed && blockedKeys?.some((key) => key.toLowerCase() === event.key.toLowerCase())) event.preventDefault()
    onKeyDown?.(event)
  }
  return (
    <Input
      autoComplete="off"
      {...rest}
      type="text"
      inputMode="decimal"
      onKeyDown={guard}
      end={
        (unit || onMax) && (
          <>
            {unit && <span className="text-sm text-faint">{unit}</span>}
            {onMax && (
              <button
                type="button"
                disabled={rest.disabled}
                onClick={onMax}
                className="-me-1.5 min-h-7 rounded-md border border-line-strong px-2.5 text-xs font-semi text-ink transition-colors hover:bg-hover disabled:opacity-50"
              >
                {t('Max')}
              </button>
            )}
          </>
        )
      }
    />
  )
}
