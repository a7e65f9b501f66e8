import { staffTicketDetail } from '@tizara/contract/staff-tickets'
import Lock from 'lucide-react/icons/lock'
import { useState } from 'react'
import { queryClient, read } from '../../../lib/http/query.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Lines } from '../../kit/lines.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { age, utcAndLocal, briefly } from '../../kit/when.ts'
import { STAFF_NOTE } from '../../kit/staff-note-class.ts'
import { TicketImage } from './ticket-image.tsx'
import type { StaffTicket } from './tickets.queries.ts'

type TicketMessage = StaffTicket['updates'][number]

/** Lists messages and notes in order of time. */
export function Talk({ ticket }: { ticket: StaffTicket }) {
  const [earlier, setEarlier] = useState<readonly TicketMessage[]>([])
  const [more, setMore] = useState(ticket.hasEarlier === true)
  const updates = [...earlier.filter((message) => !ticket.updates.some((one) => one.id === message.id)), ...ticket.updates]
  const first: TicketMessage = { id: 'ticket', role: 'USER', message: ticket.description, image: ticket.image, createdAt: ticket.createdAt }
  async function loadEarlier(): Promise<void> {
    const before = updates[0]?.id
    if (before === undefined) return
    const { updates: older, hasEarlier: still } = await queryClient.fetchQuery(
      read(staffTicketDetail, { params: { id: ticket.id }, query: { before } }),
    )
    setEarlier([...older, ...earlier])
    setMore(still === true)
  }
  const last = updates.at(-1)
  const messages = [...(more ? [] : [first]), ...updates].map((one) => ({
    at: one.createdAt ?? ticket.createdAt,
    key: `m${one.id}`,
    item: <Message message={one} ticket={ticket} waits={one === (last ?? first)} />,
  }))
  const notes = ticket.notes.map((note) => ({
    at: note.at,
    key: `n${note.id}`,
    item: (
      <>
        <div className="flex min-w-0 items-center gap-2 text-xs">
          <Lock size={12} className="text-warning" aria-hidden="true" />
          <b className="font-semi">Internal, only staff</b>
          <span className="text-faint" title={utcAndLocal(note.at)}>
            {plain(note.by.name)}, {briefly(note.at)}
          </span>
        </div>
        <Lines text={note.text} />
      </>
    ),
  }))
  const all = [...messages, ...notes].toSorted((a, b) => a.at.getTime() - b.at.getTime())
  return (
    <ol aria-label="Messages">
      {more && (
        <li>
          <Button size="sm" onClick={loadEarlier}>
            Show earlier messages
          </Button>
        </li>
      )}
      {all.map(({ key, item }) => (
        <li key={key} className={key.startsWith('n') ? 'mt-3.5' : undefined}>
          {key.startsWith('n') ? <div className={STAFF_NOTE}>{item}</div> : item}
        </li>
      ))}
    </ol>
  )
}

function Message({ message, ticket, waits }: { message: TicketMessage; ticket: StaffTicket; waits: boolean }) {
  const us = message.role !== 'USER'
  const author = us ? (message.by?.name ?? 'Support') : ticket.member.name
  return (
    <div className={cx('mt-3.5 max-w-[560px]', us && 'ml-auto')}>
      <div className={cx('mb-[3px] flex items-baseline gap-2 text-[12px] text-faint', us && 'justify-end')}>
        <b className="font-semi text-ink">{plain(author)}</b>
        {message.createdAt && (
          <time title={utcAndLocal(message.createdAt)}>
            {briefly(message.createdAt)} UTC
            {waits && ticket.waitingSince !== undefined && ` · waiting ${age(ticket.waitingSince)}`}
          </time>
        )}
      </div>
      <div className={cx('px-3 py-[9px]', us ? 'rounded-[12px_4px_12px_12px] bg-accent-soft' : 'rounded-[4px_12px_12px_12px] bg-raised')}>
        <Lines text={message.message} />
        {(message.receipts ?? []).map((receipt) => (
          <p key={receipt.id} className="text-xs text-muted">
            Receipt: {plain(receipt.title)}
          </p>
        ))}
        {message.image && <TicketImage ticketId={ticket.id} image={message.image} alt={`Image of ${plain(author)}`} />}
      </div>
    </div>
  )
}
