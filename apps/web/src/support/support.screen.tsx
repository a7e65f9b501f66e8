import { PAGE_SIZE } from '@tizara/contract'
import { type Ticket, tickets } from '@tizara/contract/support'
import { t, texts } from '@tizara/languages'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { call } from '../lib/http/api.ts'
import { readOr } from '../lib/lists/damaged-row.ts'
import { ExportButton } from '../lib/lists/export-button.tsx'
import { utcDay } from '../lib/format.ts'
import { type ListColumn, tableColumns } from '../lib/lists/list-columns.tsx'
import { listRequest, type LoadPage } from '../lib/lists/list-source.ts'
import { useListAddress } from '../lib/lists/use-list-address.ts'
import { Badge } from '../ui/badge.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { DataTable } from '../ui/data-table.tsx'
import { retryOf } from '../lib/http/query.ts'
import { DateRange } from '../ui/date-range.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { TicketStatus } from './ticket-status.tsx'
import { useTickets } from './support.queries.ts'
import { T } from '../ui/t.tsx'

const TicketImage = lazy(async () => ({ default: (await import('./ticket-image.tsx')).TicketImage }))
const load: LoadPage<Ticket> = (query, signal) => call(tickets, { query, signal }).then((answer) => answer.data)

const addressOf = (row: Ticket) => `/ticket/show/${encodeURIComponent(row.id)}`

/** UI-TICKETS-02, UI-TICKETS-03, LS-46. */
const columns = texts<readonly ListColumn<Ticket>[]>('header', [
  {
    key: 'image',
    header: 'Image',
    className: 'items-center!',
    value: (row) => row.image,
    cell: (row) =>
      row.image ? (
        <Suspense fallback={null}>
          <TicketImage thumb image={row.image} alt={t('Image of {title}', { title: row.title })} />
        </Suspense>
      ) : (
        <span className="text-faint">{t('None')}</span>
      ),
  },
  {
    key: 'title',
    header: 'Title',
    phone: 'title',
    value: (row) => row.title,
    cell: (row) => (
      <Link href={addressOf(row)} className="link font-semi duo:block duo:min-h-6 duo:truncate">
        {row.title}
      </Link>
    ),
  },
  {
    key: 'description',
    header: 'Description',
    value: (row) => row.description,
    cell: (row) => <span className="line-clamp-2 max-w-[52ch] text-muted">{row.description}</span>,
  },
  { key: 'date', header: 'Date', phone: 'second', value: (row) => row.createdAt },
  { key: 'status', header: 'Status', phone: 'state', value: (row) => row.status, cell: (row) => <TicketState ticket={row} /> },
  {
    key: 'view',
    header: 'Ticket',
    value: (row) => row.id,
    cell: (row) => (
      <Link href={addressOf(row)} className="link whitespace-nowrap">
        <T text="View{title}" title={<span className="sr-only">: {row.title}</span>} />
      </Link>
    ),
  },
])
const table = tableColumns(columns)

/** Shows the status, and whether a staff answer awaits the member. */
function TicketState({ ticket }: { ticket: Ticket }) {
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-1.5 tbl:justify-start">
      <TicketStatus status={ticket.status} />
      {ticket.answered === true && <Badge tone="accent">{t('Answered')}</Badge>}
    </span>
  )
}

/** `/support` (UI-TICKETS rows). */
export default function SupportScreen() {
  const { page, range, setPage, setRange } = useListAddress()
  const [today] = useState(() => utcDay(new Date()))
  const query = useTickets(listRequest(page, PAGE_SIZE, range))
  const { data, error, isPlaceholderData } = query
  const create = (
    <Link href="/create-ticket" className={buttonClass('primary')}>
      {t('Create Ticket')}
    </Link>
  )
  const rows = data?.data ?? (error === null ? undefined : [])
  const whole = rows !== undefined && rows.length > PAGE_SIZE ? rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE) : rows
  const filtered = range.from !== '' || range.to !== ''
  return (
    <>
      <PageHeader title={t('Support')} subtitle={t('Your questions and the answers to them.')} actions={create} />
      <DataTable
        caption={t('Tickets')}
        columns={table}
        rows={whole}
        rowKey={(row, index) => readOr(() => row.id, String(index))}
        fetching={isPlaceholderData}
        page={page}
        limit={PAGE_SIZE}
        total={data?.meta.total}
        onPage={setPage}
        onRetry={retryOf(query)}
        emptyHint={
          filtered && data !== undefined
            ? t('No ticket was opened in these days. Choose other days to see more.')
            : t('Something unclear, or something wrong? Open a ticket and we answer here.')
        }
        toolbar={
          <>
            <DateRange from={range.from} to={range.to} max={today} onChange={setRange} className="sm:me-auto" />
            <ExportButton
              title={t('Tickets')}
              columns={columns}
              loadAll={async (options) => (await import('../lib/lists/whole-list.ts')).loadWholeList(load, range, options)}
              disabled={whole === undefined || whole.length === 0}
            />
          </>
        }
      />
    </>
  )
}
