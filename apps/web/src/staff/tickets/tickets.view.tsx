import './tickets.css'
import type { ReplyOf } from '@tizara/contract'
import { staffTicketDetail, staffTickets } from '@tizara/contract/staff-tickets'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { Avatar } from '../lib/avatar.tsx'
import { ListState, ListTabs, RowList } from '../lib/list-parts.tsx'
import { plain } from '../lib/plain.ts'
import { useKeys } from '../lib/use-keys.ts'
import { watch } from '../lib/watch.ts'
import { age, bothClocks } from '../lib/when.ts'
import { TicketDesk } from './ticket-desk.tsx'

export type StaffTicket = ReplyOf<typeof staffTicketDetail>
const PATH = '/staff/tickets'

/** `/staff/tickets`: what members ask, the longest wait first. */
export default function TicketsView() {
  const [pathname] = useLocation()
  const search = useSearch()
  const id = pathname.slice(PATH.length + 1) || undefined
  const closed = new URLSearchParams(search).get('view') === 'closed'
  const suffix = closed ? '?view=closed' : ''
  const list = useQuery(watch(staffTickets, { query: { limit: 100, view: closed ? 'closed' : 'waiting' } }))
  const detail = useQuery({ ...watch(staffTicketDetail, { params: { id: id ?? '' } }), enabled: id !== undefined, retry: false })
  const rows = list.data?.data ?? []
  const at = rows.findIndex((row) => row.id === id)
  const open = (next: string | undefined) =>
    navigate(next === undefined ? `${PATH}${suffix}` : `${PATH}/${next}${suffix}`, { replace: id !== undefined })
  const step = (by: number) => open(rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.id)
  useKeys({ j: () => step(1), k: () => step(at < 0 ? 1 : -1) })
  return (
    <div className={id === undefined ? 'view panes p-two on' : 'view panes p-two on open'}>
      <section className="pane" aria-label="Desk">
        <div className="bar">
          <ListTabs
            tabs={[
              { label: 'Open', href: PATH, isOn: !closed },
              { label: 'Closed', href: `${PATH}?view=closed`, isOn: closed },
            ]}
          />
        </div>
        <div className="scroll">
          <ListState query={list} rows={rows.length} none={closed ? 'No ticket was closed yet' : 'Nobody waits for an answer'} />
          {rows.length > 0 && (
            <RowList label="Tickets" rows={rows} current={id} onOpen={(row) => open(row.id)} className={() => 'tk'}>
              {(row) => (
                <>
                  <Avatar name={row.member.name} />
                  <span className="tr b">{plain(row.title)}</span>
                  <span className="sm fnt" title={bothClocks(row.lastMessageAt ?? row.createdAt)}>
                    {age(row.lastMessageAt ?? row.createdAt)}
                  </span>
                  <span className="sm mut tr">{plain(row.member.name)}</span>
                  {row.awaitsStaff === true && <span className="badge warn">waits</span>}
                </>
              )}
            </RowList>
          )}
        </div>
      </section>
      {detail.data === undefined || id === undefined ? (
        <section className="pane" aria-label="Ticket">
          <p className={id === undefined ? 'nothing hide' : 'nothing'}>
            {id === undefined ? 'Choose one with J, or press a row.' : detail.error === null ? 'Reading' : 'There is no such ticket'}
          </p>
        </section>
      ) : (
        <TicketDesk key={id} ticket={detail.data} onBack={() => open(undefined)} onNext={() => step(1)} />
      )}
    </div>
  )
}
