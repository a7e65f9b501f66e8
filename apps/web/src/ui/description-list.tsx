import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface DescriptionRow {
  key?: string | undefined
  label: ReactNode
  value: ReactNode
  hint?: ReactNode
  /** Emphasizes the main row, for example the total. */
  strong?: boolean | undefined
  /** Label above a full-width value: addresses, long texts. */
  stacked?: boolean | undefined
}

export interface DescriptionListProps {
  rows: ReadonlyArray<DescriptionRow | false | null | undefined>
  /** Draws a box around the list, for sums inside a form. */
  boxed?: boolean | undefined
  className?: string | undefined
}

/** Label and value rows with divider lines, for receipts and sums. */
export function DescriptionList({ rows, boxed, className }: DescriptionListProps) {
  return (
    <dl className={cx('divide-y text-sm', boxed && 'rounded-xl border bg-raised px-3.5 py-0.5', className)}>
      {rows.map(
        (row, i) =>
          row && (
            <div key={row.key ?? i} className={cx('py-2.5', !row.stacked && 'flex items-baseline justify-between gap-5')}>
              <dt className="min-w-0 text-muted">{row.label}</dt>
              <dd
                className={cx(
                  'min-w-0 text-ink',
                  // The label wraps first, so a unit stays with its figure.
                  row.stacked ? 'mt-1' : 'max-w-[75%] shrink-0 text-end',
                  row.strong ? 'text-base font-strong' : 'font-medium',
                )}
              >
                {row.value}
                {row.hint && <span className="block text-xs font-normal text-faint">{row.hint}</span>}
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}
