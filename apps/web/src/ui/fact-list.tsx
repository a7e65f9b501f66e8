import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

export interface FactListProps extends ComponentProps<'dl'> {
  /** Omits the lines between the facts. */
  tight?: boolean | undefined
  /** Wraps long labels instead of values. */
  wrap?: boolean | undefined
  /** Aligns values left, for sentences. */
  left?: boolean | undefined
}

/** Two-column list with `dt` and `dd` as direct children. */
export function FactList({ tight, wrap, left, className, ...rest }: FactListProps) {
  return (
    <dl
      {...rest}
      className={cx(
        'grid [&_dd]:min-w-0 [&_dd]:ps-4 [&_dd]:font-medium [&_dt]:text-muted',
        wrap ? 'grid-cols-[minmax(9rem,1fr)_fit-content(60%)]' : 'grid-cols-[auto_minmax(0,1fr)] [&_dt]:whitespace-nowrap',
        left ? '[&_dd]:text-start' : '[&_dd]:text-end',
        tight ? '[&>*]:py-[3px]' : '[&>*]:border-t [&>*]:py-1.5 [&>*:nth-child(-n+2)]:border-t-0',
        className,
      )}
    />
  )
}
