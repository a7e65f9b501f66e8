import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  /** Also the field's label on phones. */
  header: string
  /** Use `right` for numbers. */
  align?: 'left' | 'right' | 'center' | undefined
  /** `index` counts from 0 over the whole list, not the page. */
  cell: (row: Row, index: number) => ReactNode
  className?: string | undefined
}

/** Cell alignment in the table layout. */
export const ALIGN = { left: 'tbl:text-left', right: 'tbl:text-right', center: 'tbl:text-center' }

/** Classes for a card field or table cell. */
export const CELL =
  'flex items-baseline justify-between gap-4 py-1 text-right tbl:table-cell tbl:px-3 tbl:py-3 tbl:align-middle tbl:first:pl-4 tbl:last:pr-4'
