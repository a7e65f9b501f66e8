/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label --
   see data-table.tsx */
import { cx } from './cx.ts'
import { CELL, DUO_ROW, phoneClasses } from './data-table-column.ts'
import type { Column } from './data-table-column.ts'
import { Skeleton } from './skeleton.tsx'

export interface TableSkeletonProps<Row> {
  columns: ReadonlyArray<Column<Row>>
  count: number
  /** Reserves space for the row button. */
  details: boolean
}

/** Placeholder rows, shaped like the loading rows. */
export function TableSkeleton<Row>({ columns, count, details }: TableSkeletonProps<Row>) {
  return Array.from({ length: count }, (_, i) => (
    <tr key={i} role="row" className={cx('block border-b px-4 py-2.5 last:border-0 tbl:table-row tbl:p-0', DUO_ROW)}>
      {columns.map((column) => (
        <td key={column.key} role="cell" className={cx(CELL, phoneClasses(column, columns))}>
          <span aria-hidden="true" className="text-faint duo:hidden tbl:hidden">
            {column.header}
          </span>
          <Skeleton className={cx('my-1 h-3 w-24 max-w-full tbl:w-3/5', column.align === 'right' && 'tbl:ms-auto')} />
        </td>
      ))}
      {details && (
        <td
          role="cell"
          className="block h-[34px] duo:col-start-3 duo:row-span-2 duo:row-start-1 duo:h-10 duo:w-8 tbl:table-cell tbl:h-auto"
        />
      )}
    </tr>
  ))
}
