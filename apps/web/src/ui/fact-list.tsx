import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

export interface FactListProps extends ComponentProps<'dl'> {
  /** Omits the lines between the facts. */
  tight?: boolean | undefined
  /** Aligns values left, for sentences. */
  left?: boolean | undefined
}

/** Two-column list with `dt` and `dd` as direct children. */
export function FactList({ tight, left, className, ...rest }: FactListProps) {
  return (
    <dl
      {...rest}
      className={cx(
        'grid grid-cols-[auto_minmax(0,1fr)] [&_dd]:min-w-0 [&_dd]:pl-4 [&_dd]:font-medium [&_dt]:whitespace-nowrap [&_dt]:text-muted',
        left ? '[&_dd]:text-left' : '[&_dd]:text-right',
        tight ? '[&>*]:py-[3px]' : '[&>*]:border-t [&>*]:py-1.5 [&>*:nth-child(-n+2)]:border-t-0',
        className,
      )}
    />
  )
}
