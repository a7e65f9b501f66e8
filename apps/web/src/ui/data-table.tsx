/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label --
   as cards the table parts are blocks, and some browsers then drop their implicit roles, so they are explicit here */
import { t } from '@tizara/languages'
import { useId } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { EmptyState } from './empty-state.tsx'
import { Pager } from './pager.tsx'
import { ALIGN, CELL, DUO_ROW, phoneClasses, showsHeaderOnPhone } from './data-table-column.ts'
import type { Column } from './data-table-column.ts'
import { TableSkeleton } from './data-table-skeleton.tsx'

export type { Column, PhonePosition } from './data-table-column.ts'

export interface DataTableProps<Row> {
  /** Table name for screen readers. */
  caption: string
  columns: ReadonlyArray<Column<Row>>
  /** `undefined` until the first page arrives. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row, index: number) => string | number
  /** Dims the old rows while the next page loads. */
  fetching?: boolean | undefined
  /** Text under `Data Not Found`: the reason or the next step. */
  emptyHint?: ReactNode
  emptyAction?: ReactNode
  /** Loads the rows again; set if they did not load. */
  onRetry?: (() => void) | undefined
  page?: number | undefined
  limit?: number | undefined
  total?: number | undefined
  onPage?: ((page: number) => void) | undefined
  /** Content spanning all columns, for special rows. */
  wide?: ((row: Row) => ReactNode) | undefined
  /** Called when the row or its button is pressed. */
  onRowOpen?: ((row: Row) => void) | undefined
  /** Row button's name, for example "Open receipt 12". */
  rowLabel?: ((row: Row, index: number) => string) | undefined
  /** Key of the row with the open receipt. */
  selectedKey?: string | number | null | undefined
  /** Above the rows: date range, search, export. */
  toolbar?: ReactNode
}

/** Shows a list as a table on wide screens. Phones show rows of two lines, or cards if no column has a position in such rows. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, fetching, emptyHint, emptyAction, onRetry, wide } = props
  const { page = 1, limit = 25, total, onPage, onRowOpen, rowLabel, selectedKey, toolbar } = props
  const id = useId()
  const waiting = rows === undefined
  const first = (page - 1) * limit
  const cols = columns.length <= 5 ? 'few' : columns.length <= 8 ? 'some' : 'many'
  const isDuo = columns.some(({ phone }) => phone !== undefined)
  const markOf = columns.find(({ mark }) => mark !== undefined)?.mark
  const empty = !waiting && rows.length === 0
  // The page number is past the end: a saved URL, or the list became shorter.
  const behind = page > 1 && total !== undefined && total > 0 ? onPage : undefined

  function open(event: MouseEvent, row: Row): void {
    const target = event.target as Element
    // Ignores presses on the row's links and buttons, and text selection.
    if (target.closest('a,button,input,label,select,[popover]') || getSelection()?.toString()) return
    onRowOpen?.(row)
  }

  return (
    <section
      aria-labelledby={id}
      aria-busy={waiting || fetching || undefined}
      className="@container/table min-w-0 rounded-xl border bg-surface"
    >
      {toolbar && <div className="flex flex-wrap items-end gap-2 border-b p-3 sm:px-4">{toolbar}</div>}
      <div data-cols={cols} data-duo={isDuo || undefined} className={cx('transition-opacity', fetching && !waiting && 'opacity-60')}>
        <table role="table" aria-labelledby={id} className="block w-full text-sm tbl:table">
          <thead role="rowgroup" className="sr-only tbl:not-sr-only tbl:table-header-group">
            <tr role="row">
              {columns.map((column) => (
                <th
                  key={column.key}
                  role="columnheader"
                  scope="col"
                  className={cx(
                    'bg-raised text-start text-xs font-semi text-balance text-faint tbl:first:whitespace-nowrap tbl:sticky tbl:top-(--header-h) tbl:z-1 tbl:border-b tbl:px-3 tbl:py-2.5 tbl:align-bottom tbl:first:ps-4 tbl:last:pe-4',
                    !toolbar && 'tbl:first:rounded-ss-[13px] tbl:last:rounded-se-[13px]',
                    ALIGN[column.align ?? 'left'],
                  )}
                >
                  {column.header}
                </th>
              ))}
              {onRowOpen && (
                <th
                  role="columnheader"
                  scope="col"
                  className={cx(
                    'bg-raised tbl:sticky tbl:top-(--header-h) tbl:z-1 tbl:w-12 tbl:border-b',
                    !toolbar && 'tbl:rounded-se-[13px]',
                  )}
                >
                  <span className="sr-only">{t('Details')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody role="rowgroup" className="block tbl:table-row-group">
            {waiting ? (
              <TableSkeleton columns={columns} count={Math.min(limit, 8)} details={Boolean(onRowOpen)} />
            ) : (
              rows?.map((row, i) => {
                const key = rowKey(row, i)
                const whole = wide?.(row)
                const mark = markOf?.(row)
                const opensRow = whole ? undefined : onRowOpen
                return (
                  <tr
                    key={key}
                    role="row"
                    onClick={opensRow && ((event) => open(event, row))}
                    className={cx(
                      'relative block border-b px-4 py-2.5 transition-colors last:border-0 tbl:table-row tbl:p-0',
                      DUO_ROW,
                      opensRow && 'cursor-pointer hover:bg-raised',
                      selectedKey !== undefined && selectedKey === key && 'bg-accent-soft hover:bg-accent-soft',
                    )}
                  >
                    {whole ? (
                      <td
                        role="cell"
                        colSpan={columns.length + (onRowOpen ? 1 : 0)}
                        className="block py-1 duo:col-span-full tbl:table-cell tbl:px-4 tbl:py-2"
                      >
                        {whole}
                      </td>
                    ) : (
                      columns.map((column) => (
                        <td
                          key={column.key}
                          role="cell"
                          className={cx(
                            CELL,
                            ALIGN[column.align ?? 'left'],
                            column.align === 'right' && 'tbl:whitespace-nowrap',
                            column.className,
                            phoneClasses(column, columns),
                          )}
                        >
                          <span
                            aria-hidden="true"
                            className={cx(
                              'shrink-0 text-start text-faint tbl:hidden',
                              showsHeaderOnPhone(column) ? 'duo:me-1' : 'duo:hidden',
                            )}
                          >
                            {column.header}
                          </span>
                          {column.phone === 'second' && mark !== undefined && <span className="hidden duo:inline">{mark} </span>}
                          <span className="min-w-0">{column.cell(row, first + i)}</span>
                        </td>
                      ))
                    )}
                    {opensRow && (
                      <td
                        role="cell"
                        className="block pt-0.5 duo:col-start-3 duo:row-span-2 duo:row-start-1 duo:p-0 tbl:table-cell tbl:w-12 tbl:py-0 tbl:pe-2 tbl:text-end tbl:align-middle"
                      >
                        <button
                          type="button"
                          onClick={() => opensRow(row)}
                          className="relative -me-2 ms-auto flex min-h-8 items-center justify-center gap-1 rounded-md pe-1 ps-2.5 text-xs font-semi text-accent-text hover:bg-hover duo:min-h-10 duo:w-8 duo:px-0 duo:text-muted tbl:me-0 tbl:w-8 tbl:px-0 tbl:text-muted tbl:hover:text-ink"
                        >
                          <span className="duo:hidden tbl:hidden">{t('Details')}</span>{' '}
                          <span className="sr-only">{rowLabel?.(row, first + i) ?? t('Open row {first}', { first: first + i + 1 })}</span>
                          <ChevronRight size={16} aria-hidden="true" className="rtl:-scale-x-100" />
                        </button>
                      </td>
                    )}
                  </tr>
                )
              })
            )}
          </tbody>
        </table>
        {empty && (
          <EmptyState
            title={t('Data Not Found')}
            text={behind ? t('The list ends before this page.') : emptyHint}
            onRetry={onRetry}
            action={behind ? <Button onClick={() => behind(1)}>{t('First page')}</Button> : emptyAction}
          />
        )}
      </div>
      <h2 id={id} className="sr-only">
        {caption}
      </h2>
      <output className="sr-only">{waiting || fetching ? t('Loading') : ''}</output>
      {onPage && total !== undefined && total > 0 && (
        <Pager
          page={page}
          limit={limit}
          total={total}
          onPage={onPage}
          label={t('Pages of {caption}', { caption })}
          className="border-t px-4 py-2.5"
        />
      )}
    </section>
  )
}
