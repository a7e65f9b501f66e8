import { PAGE_SIZE, type Page } from '@tizara/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { t } from '@tizara/languages'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { EmptyArt } from '../../ui/art/empty-art.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { DateRange } from '../../ui/date-range.tsx'
import type { DescriptionRow } from '../../ui/description-list.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { readOr } from './damaged-row.ts'
import { ExportButton } from './export-button.tsx'
import { utcDay } from '../format.ts'
import { inList, type ListColumn, plainText, tableColumns, valueOf } from './list-columns.tsx'
import { ignoresRange, type ListRoute, listRequest, loadFrom, type LoadPage } from './list-source.ts'
import { retryOf } from '../http/query.ts'
import { ReceiptDrawer } from '../receipts/receipt-drawer.tsx'
import type { ReceiptRef } from '../receipts/receipt-link.ts'
import { useListAddress } from './use-list-address.ts'

export type { ListColumn } from './list-columns.tsx'
export type { LoadPage } from './list-source.ts'

/** Fields that this product's server adds to a row. Servers that implement only the specification omit them. */
export interface ListRow {
  id?: string | undefined
  receipt?: ReceiptRef | undefined
}

export interface PagedListProps<Row extends ListRow> {
  /** Heading, exact text from its LS row; also the CSV file name. */
  title: string
  subtitle?: ReactNode
  /** Page buttons. */
  actions?: ReactNode
  /** List route. Its name starts the query key, so that `refetch(route)` reaches the list. */
  list: ListRoute<Row>
  /** Custom page loader, if the route alone is not enough. */
  load?: LoadPage<Row>
  columns: readonly ListColumn<Row>[]
  /** Receipt fields without a column. */
  details?: ((row: Row) => readonly DescriptionRow[]) | undefined
  /** Above the receipt: steps and actions. `close` closes the receipt. */
  receiptHead?: ((row: Row, close: () => void) => ReactNode) | undefined
  /** Text under `Data Not Found`: the list's purpose and next step. */
  emptyHint?: ReactNode
  emptyAction?: { href: string; label: string }
  /** Between heading and list: totals, filters. */
  children?: ReactNode
}

/** Returns a page's rows. Servers that ignore page and limit send all rows. */
function rowsOf<Row>(list: Page<Row> | undefined, page: number): readonly Row[] | undefined {
  if (list === undefined || list.data.length <= PAGE_SIZE) return list?.data
  return list.data.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
}

/** Returns a row's creation time: its first time column. */
function momentOf<Row>(row: Row, columns: readonly ListColumn<Row>[]): Date | undefined {
  return columns.map((column) => valueOf(column, row, 0)).find((value) => value instanceof Date)
}

/** Returns the text under `Data Not Found`. After a failed load it must not claim that the list is empty. */
function emptyHintOf(failed: boolean, filtered: boolean, hint: ReactNode): ReactNode {
  if (filtered && !failed) return t('No entries in this period. Choose other days to see more.')
  return (failed ? undefined : hint) ?? <EmptyArt className="mx-auto mt-3" />
}

const Forward = ({ href, label }: { href: string; label: string }) => (
  <Link href={href} className={buttonClass('primary', 'sm')}>
    {label}
  </Link>
)

/**
 * History list: 25 rows a page (LS-03), page and days in the URL, skeleton (LS-01), `Data Not Found` (LS-02), CSV export and receipts.
 * Errors are only logged (LS-06, ER-67); an empty list that did not load offers another try.
 */
export function PagedList<Row extends ListRow>(props: PagedListProps<Row>) {
  const { title, subtitle, actions, list, load = loadFrom(list), columns, details, receiptHead, emptyHint, emptyAction, children } = props
  const { page, range, receipt: linked, setPage, setRange, closeReceipt } = useListAddress()
  const [today] = useState(() => utcDay(new Date()))
  const [opened, setOpened] = useState<{ row: Row; index: number }>()
  const request = listRequest(page, PAGE_SIZE, range)
  const query = useQuery({
    queryKey: [list.name, {}, request],
    queryFn: ({ signal }) => load(request, signal),
    placeholderData: keepPreviousData,
  })
  const { error } = query

  const failed = error !== null && query.data === undefined
  const rows = failed ? [] : rowsOf(query.data, page)
  const filtered = range.from !== '' || range.to !== ''
  const unranged =
    filtered &&
    !query.isPlaceholderData &&
    ignoresRange(
      range,
      (rows ?? []).map((row) => momentOf(row, columns)),
    )
  // Other servers may send the purchase id, which several rows share.
  const rowKey = (row: Row, index: number): string => `${readOr(() => row.id ?? row.receipt?.id, undefined) ?? ''} ${index}`
  const table = tableColumns(columns, rows ?? [])
  // A link opens only the receipt. The content above the receipt comes from the row, if this page has it.
  const headRow = opened?.row ?? rows?.find((row) => linked !== undefined && readOr(() => row.receipt?.id, undefined) === linked.id)

  function close(): void {
    setOpened(undefined)
    if (linked !== undefined) closeReceipt()
  }

  return (
    <>
      <PageHeader title={title} subtitle={subtitle} actions={actions} />
      {children}
      <DataTable
        caption={title}
        columns={table}
        rows={rows}
        rowKey={rowKey}
        fetching={query.isPlaceholderData}
        page={page}
        limit={PAGE_SIZE}
        total={query.data?.meta.total}
        onPage={setPage}
        onRowOpen={(row) => setOpened({ row, index: (page - 1) * PAGE_SIZE + (rows?.indexOf(row) ?? 0) })}
        rowLabel={(_, index) => t('Open receipt {index}', { index: index + 1 })}
        selectedKey={opened === undefined ? null : rowKey(opened.row, opened.index % PAGE_SIZE)}
        emptyHint={emptyHintOf(failed, filtered, emptyHint)}
        emptyAction={failed || filtered || emptyAction === undefined ? undefined : <Forward {...emptyAction} />}
        onRetry={retryOf(query)}
        toolbar={
          <>
            <DateRange from={range.from} to={range.to} max={today} onChange={setRange} className="sm:me-auto" />
            {unranged && <p className="w-full text-sm text-warning">{t('Days cannot be chosen here: rows of all days are shown.')}</p>}
            <ExportButton
              title={title}
              columns={columns}
              loadAll={async (options) => (await import('./whole-list.ts')).loadWholeList(load, range, options)}
              disabled={rows === undefined || rows.length === 0}
            />
          </>
        }
      />
      <ReceiptDrawer
        open={opened !== undefined || linked !== undefined}
        onClose={close}
        subject={title}
        receipt={opened === undefined ? linked : opened.row.receipt}
        head={headRow && readOr(() => receiptHead?.(headRow, close), undefined)}
        rows={
          opened && [
            ...tableColumns(columns).map((column) => ({
              key: column.key,
              label: column.header,
              value: column.cell(opened.row, opened.index),
            })),
            ...readOr(() => details?.(opened.row) ?? [], []),
          ]
        }
        lines={
          opened && columns.filter(inList).map((column) => `${column.header}: ${plainText(valueOf(column, opened.row, opened.index))}`)
        }
      />
    </>
  )
}
