import { PAGE_SIZE } from '@tizara/contract'
import type { Ticket } from '@tizara/contract/support'
import { lazy, Suspense, useEffect } from 'react'
import { Link } from 'wouter'
import { Moment } from '../lib/moment.tsx'
import { usePage } from '../lib/use-search-param.ts'
import { buttonClass } from '../ui/button-class.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { TicketStatus } from './ticket-status.tsx'
import { useTickets } from './support.queries.ts'

const Picture = lazy(async () => ({ default: (await import('./picture.tsx')).Picture }))

/** UI-TICKETS-02, UI-TICKETS-03, LS-46. */
const columns: readonly Column<Ticket>[] = [
  {
    key: 'image',
    header: 'Image',
    cell: (row) =>
      row.image ? (
        <Suspense fallback={null}>
          <Picture thumb image={row.image} alt={`Picture of ${row.title}`} />
        </Suspense>
      ) : (
        <span className="text-faint">None</span>
      ),
  },
  { key: 'title', header: 'Title', cell: (row) => <span className="font-semi">{row.title}</span> },
  {
    key: 'description',
    header: 'Description',
    cell: (row) => <span className="line-clamp-2 max-w-[52ch] text-muted">{row.description}</span>,
  },
  { key: 'date', header: 'Date', cell: (row) => <Moment at={row.createdAt} className="whitespace-nowrap" /> },
  { key: 'status', header: 'Status', cell: (row) => <TicketStatus status={row.status} /> },
  {
    key: 'view',
    header: 'Ticket',
    cell: (row) => (
      <Link href={`/ticket/show/${encodeURIComponent(row.id)}`} className="link whitespace-nowrap">
        View<span className="sr-only">: {row.title}</span>
      </Link>
    ),
  },
]

/** `/support` (UI-TICKETS rows). */
export default function SupportScreen() {
  const [page, setPage] = usePage()
  const { data, error, isPlaceholderData } = useTickets(page)
  useEffect(() => {
    if (error !== null) console.error('The tickets could not be loaded', error)
  }, [error])
  const create = (
    <Link href="/create-ticket" className={buttonClass('primary')}>
      Create Ticket
    </Link>
  )
  const rows = data?.data ?? (error === null ? undefined : [])
  const whole = rows !== undefined && rows.length > PAGE_SIZE ? rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE) : rows
  return (
    <>
      <PageHeader title="Support" subtitle="Your questions and the answers to them." actions={create} />
      <DataTable
        caption="Tickets"
        columns={columns}
        rows={whole}
        rowKey={(row) => row.id}
        fetching={isPlaceholderData}
        page={page}
        limit={PAGE_SIZE}
        total={data?.meta.total}
        onPage={setPage}
        emptyHint="Something unclear, or something wrong? Open a ticket and we answer here."
      />
    </>
  )
}
