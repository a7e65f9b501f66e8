import type { ReactNode } from 'react'
import { cx } from './cx.ts'

/** Position in a row of two lines on phones: `title` and `amount` in the first line, `second` and `state` in the second. */
export type PhonePosition = 'title' | 'amount' | 'second' | 'state'

export interface Column<Row> {
  key: string
  /** Also the field's label on phones. */
  header: string
  /** Use `right` for numbers. */
  align?: 'left' | 'right' | 'center' | undefined
  /** `index` counts from 0 over the whole list, not the page. */
  cell: (row: Row, index: number) => ReactNode
  className?: string | undefined
  /**
   * Position on phones. A column without a position is shown only in the details of the row. If no column of a table has a
   * position, phones show each row as a card with all columns.
   */
  phone?: PhonePosition | undefined
  /** Mark of a row that phones show in front of `second`, because the amount's cell has no room for it. */
  mark?: ((row: Row) => ReactNode) | undefined
}

/** Cell alignment in the table layout. */
export const ALIGN = { left: 'tbl:text-start', right: 'tbl:text-end', center: 'tbl:text-center' }

/** Classes for a card field or table cell. */
export const CELL =
  'flex items-baseline justify-between gap-4 py-1 text-end tbl:table-cell tbl:px-3 tbl:py-3 tbl:align-middle tbl:first:ps-4 tbl:last:pe-4'

/** Classes of a cell in a row of two lines. */
const POSITION_CLASSES: Readonly<Record<PhonePosition, string>> = {
  title: 'duo:col-start-1 duo:row-start-1 duo:block duo:truncate duo:text-start duo:font-medium',
  amount: 'duo:col-start-2 duo:row-start-1 duo:justify-end duo:text-end duo:font-medium duo:whitespace-nowrap',
  second: 'duo:col-start-1 duo:row-start-2 duo:block duo:truncate duo:text-start duo:text-xs duo:text-muted',
  state: 'duo:col-start-2 duo:row-start-2 duo:justify-end duo:gap-1 duo:text-end duo:text-xs duo:text-muted',
}

interface Placed {
  phone?: PhonePosition | undefined
}

/**
 * Returns the classes that position a cell in a row of two lines on phones, or hide the cell there. Without a `state`, `second` has the whole
 * second line; without both, the first line is in the middle of the row. Without an `amount`, `title` has the whole first line.
 */
export function phoneClasses({ phone }: Placed, columns: readonly Placed[]): string {
  if (phone === undefined) return 'duo:hidden'
  const lacks = (...positions: readonly PhonePosition[]) => columns.every((column) => !positions.some((one) => one === column.phone))
  const isWide = (phone === 'second' && lacks('state')) || (phone === 'title' && lacks('amount'))
  return cx('duo:py-0', POSITION_CLASSES[phone], isWide && 'duo:col-span-2', lacks('second', 'state') && 'duo:row-span-2')
}

/** Returns true if phones need a column's header beside its value: a number that is not the row's amount. */
export const showsHeaderOnPhone = ({ phone, align }: { phone?: PhonePosition | undefined; align?: string | undefined }): boolean =>
  phone !== undefined && phone !== 'amount' && align === 'right'

/** Classes of a row of two lines, with a column for its button. */
export const DUO_ROW = 'duo:grid duo:grid-cols-[minmax(0,1fr)_auto_auto] duo:items-center duo:gap-x-3 duo:gap-y-0.5 duo:py-3'
