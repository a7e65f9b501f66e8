import type { ReplyOf } from '@tizara/contract'
import { type TicketView, staffTicketDetail, staffTicketFigures, staffTickets, ticketViews } from '@tizara/contract/staff-tickets'
import { useQuery } from '@tanstack/react-query'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { Link } from 'wouter'
import { Avatar } from '../../kit/avatar.tsx'
import { ListState, ListTabs, More, RowList } from '../../kit/list-parts.tsx'
import { useOverview } from '../../kit/overview.ts'
import { TargetRing } from '../../kit/panel.tsx'
import { usePageLocation } from '../../kit/page-location.ts'
import { plain } from '../../kit/strip-control-characters.ts'
import { type Colleague, type PresenceActivity, useColleagues, useColleaguesAt } from '../../kit/presence.ts'
import { PresenceMarks } from '../../kit/presence-marks.tsx'
import { useKeys } from '../../kit/use-keys.ts'
import { usePages } from '../../kit/use-pages.ts'
import { watch } from '../../kit/watch.ts'
import { age, utcAndLocal, brief } from '../../kit/when.ts'
import { TicketDesk } from './ticket-desk.tsx'
import { TicketMember } from './ticket-member.tsx'
import { Pane, PaneBar, PaneFoot, Split } from '../../../ui/split.tsx'
import { chipClass } from '../../../ui/chip.ts'
import { Tag } from '../../../ui/tag.tsx'

type Row = ReplyOf<typeof staffTickets>['data'][number]

const PATH = '/staff/tickets'
const HOUR_MS = 3_600_000

const WORDS: Readonly<Record<TicketView, { tab: string; none: string }>> = {
  waiting: { tab: 'Waiting', none: 'No ticket is waiting for an answer' },
  mine: { tab: 'Mine', none: 'No ticket is assigned to you' },
  answered: { tab: 'Answered', none: 'No answered tickets' },
  closed: { tab: 'Closed', none: 'No closed tickets yet' },
}

/** `/staff/tickets`: open tickets, the longest wait first (staff.md 4, Tickets). */
export default function TicketsView() {
  const location = usePageLocation(PATH)
  const { id } = location
  const view = ticketViews.find((one) => one === location.search.get('view')) ?? 'waiting'
  const tag = location.search.get('tag') ?? undefined
  const list = usePages(staffTickets, { query: { view, ...(tag === undefined ? {} : { tag }) } })
  const detail = useQuery({ ...watch(staffTicketDetail, { params: { id: id ?? '' } }), enabled: id !== undefined })
  const overview = useOverview().data
  const { data: figures } = useQuery({ ...watch(staffTicketFigures, {}), refetchInterval: 5 * 60_000 })
  const { rows } = list
  const [activity, setActivity] = useState<PresenceActivity>('viewing')
  const people = useColleaguesAt(id === undefined ? 'tickets' : `tickets/${id}`, activity)
  const colleagues = useColleagues()
  const at = rows.findIndex((row) => row.id === id)
  const step = (by: number) => location.open(rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.id)
  useKeys({ j: () => step(1), k: () => step(at < 0 ? 1 : -1) })
  const ticket = id === undefined ? undefined : detail.data
  return (
    <Split
      columns="md:grid-cols-[300px_minmax(0,1fr)] md:max-xl:[&>aside]:hidden xl:grid-cols-[336px_minmax(0,1fr)_300px]"
      isOpen={id !== undefined}
      thirdOnPhone
    >
      <Pane aria-label="Desk">
        <PaneBar>
          <ListTabs
            inBar
            tabs={ticketViews.map((one) => ({
              label: WORDS[one].tab,
              href: location.filtered({ view: one === 'waiting' ? undefined : one }),
              isOn: one === view,
              count: one === 'waiting' ? overview?.waiting.tickets : undefined,
            }))}
          />
        </PaneBar>
        {tag !== undefined && (
          <PaneBar className="min-h-10">
            <Link className={chipClass(true)} href={location.filtered({ tag: undefined })} aria-label={`No longer only ${plain(tag)}`}>
              {plain(tag)} <X size={12} aria-hidden="true" />
            </Link>
          </PaneBar>
        )}
        <div className="min-h-0 flex-1 md:overflow-auto">
          <ListState
            query={list}
            rows={rows.length}
            none={WORDS[view].none}
            filtered={tag === undefined ? undefined : { none: 'No ticket matches', clear: location.filtered({ tag: undefined }) }}
          />
          {rows.length > 0 && (
            <RowList
              label="Tickets"
              rows={rows}
              current={id}
              onOpen={(row) => location.open(row.id)}
              className={() =>
                'grid grid-cols-[24px_minmax(0,1fr)_auto] gap-x-2.5 py-2.5 pr-3.5 pl-3 max-md:px-4 max-md:py-[11px] [&>span:first-child]:row-span-2'
              }
            >
              {(row) => (
                <TicketRow
                  row={row}
                  hours={overview?.work?.tickets.targetHours}
                  here={row.id === id ? [] : colleagues(`tickets/${row.id}`)}
                />
              )}
            </RowList>
          )}
          <More pages={list} />
        </div>
        {figures !== undefined && figures.of > 0 && (
          <PaneFoot className="text-xs text-muted max-md:hidden">
            First answer within {figures.targetHours} h: {Math.round((figures.inTime / figures.of) * 100)} % in {figures.days} days
          </PaneFoot>
        )}
      </Pane>
      {ticket === undefined ? (
        <Pane aria-label="Ticket">
          <p
            className={
              id === undefined
                ? 'grid justify-items-center gap-1.5 px-6 py-14 text-center text-muted [&>b]:text-ink max-md:hidden'
                : 'grid justify-items-center gap-1.5 px-6 py-14 text-center text-muted [&>b]:text-ink'
            }
          >
            {id === undefined
              ? rows.length > 0 && 'Select one with J, or click a row.'
              : detail.error === null
                ? 'Loading'
                : 'Ticket not found'}
          </p>
        </Pane>
      ) : (
        <TicketDesk
          key={ticket.id}
          ticket={ticket}
          people={people}
          onBack={() => location.open()}
          onNext={() => step(1)}
          onActivity={setActivity}
        />
      )}
      {ticket === undefined ? <Pane as="aside" aria-label="The member" /> : <TicketMember ticket={ticket} />}
    </Split>
  )
}

/** @param hours target time for a reply; the ring needs it */
function TicketRow({ row, hours, here }: { row: Row; hours: number | undefined; here: readonly Colleague[] }) {
  const since = row.waitingSince
  const isLate = since !== undefined && hours !== undefined && Date.now() - since.getTime() > hours * HOUR_MS
  return (
    <>
      <Avatar name={row.member.name} />
      <span className="flex min-w-0 items-center gap-1.5">
        <span className="font-semi truncate">{plain(row.member.name)}</span>
        <PresenceMarks people={here} />
        {row.tags.slice(0, 2).map((one) => (
          <Tag key={one}>{plain(one)}</Tag>
        ))}
      </span>
      <span className="text-xs text-faint flex min-w-0 items-center gap-1" title={utcAndLocal(since ?? row.lastMessageAt ?? row.createdAt)}>
        {since === undefined ? (
          brief(row.lastMessageAt ?? row.createdAt)
        ) : (
          <>
            {hours !== undefined && <TargetRing since={since} due={new Date(since.getTime() + hours * HOUR_MS)} />}
            <span className="sr-only">waits </span>
            <span className={isLate ? 'text-warning' : undefined}>
              {age(since)}
              {isLate && <span className="sr-only">, past its target</span>}
            </span>
          </>
        )}
      </span>
      <span className="text-xs text-muted truncate">{plain(row.title)}</span>
      <span className="justify-self-end" title={row.assignee ? plain(row.assignee.name) : undefined}>
        {row.assignee && (
          <>
            <Avatar name={row.assignee.name} size="s" staff />
            <span className="sr-only">assigned to {plain(row.assignee.name)}</span>
          </>
        )}
      </span>
    </>
  )
}
