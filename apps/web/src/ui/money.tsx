import { useId, useRef } from 'react'
import { cx } from './cx.ts'
import { amountSign, decimalsFor, exactAmount, formatAmount } from './money-format.ts'
import type { Amount, Precision } from './money-format.ts'
import { positionPopover } from './position-popover.ts'

export type { Amount } from './money-format.ts'

export interface MoneyProps {
  /** Exact decimal string, or a bigint in units of 1e-8. */
  value: Amount
  unit?: string | undefined
  /** A fixed number, or the precision; `short` by default. */
  decimals?: number | Precision | undefined
  /** `always` adds + and colour to incoming amounts. */
  sign?: 'auto' | 'always' | undefined
  /** Adds ≈ before an estimate. */
  approx?: boolean | undefined
  /** Shows the exact value on tap. Renders a button, so do not nest it in a button or link. */
  tap?: boolean | undefined
  className?: string | undefined
}

/** Shows an amount, rounded half up if it is not exact, with the exact value in the title. */
export function Money({ value, unit, decimals = 'short', sign = 'auto', approx, tap, className }: MoneyProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const side = amountSign(value)
  const plus = sign === 'always' && side > 0 ? '+' : ''
  const shown = formatAmount(value, typeof decimals === 'number' ? decimals : decimalsFor(value, decimals)).replace('-', '−')
  const exact = exactAmount(value, typeof decimals === 'number' ? decimals : 2).replace('-', '−') + (unit ? ` ${unit}` : '')
  // The unit may wrap to the next line; digits never wrap. Sign, digits and unit keep their order in every language.
  const style = cx(shown.length > 17 && 'text-[0.86em]', sign === 'always' && side > 0 && 'text-success', className)
  const body = (
    <>
      <span className="whitespace-nowrap">
        {approx && '≈ '}
        {plus}
        {shown}
      </span>
      {unit && (
        <>
          {' '}
          <span className="text-[clamp(0.6875rem,0.58em,1rem)] font-medium tracking-normal text-faint">{unit}</span>
        </>
      )}
    </>
  )
  if (!tap)
    return (
      <span dir="ltr" title={exact} className={style}>
        {body}
      </span>
    )
  return (
    <>
      <button ref={button} dir="ltr" type="button" popoverTarget={id} title={exact} className={cx('rounded-sm text-start', style)}>
        {body}
      </button>
      <span
        id={id}
        popover="auto"
        className="rounded-lg border border-line-strong bg-surface px-3 py-2 text-sm font-medium tracking-normal text-ink shadow-elevate"
        onToggle={(event) => {
          if (event.newState === 'open' && button.current) positionPopover(event.currentTarget, button.current)
        }}
      >
        {exact}
      </span>
    </>
  )
}
