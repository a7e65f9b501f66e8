import { assignTicket, closeTicketAsStaff, staffTicketDetail } from '@tizara/contract/staff-tickets'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Lock from 'lucide-react/icons/lock'
import ReceiptText from 'lucide-react/icons/receipt-text'
import { useState } from 'react'
import { call, toApiError } from '../../lib/api.ts'
import { queryClient, read } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast-store.ts'
import { ActDialog } from '../lib/act-dialog.tsx'
import { Amount } from '../lib/amount.tsx'
import { Avatar } from '../lib/avatar.tsx'
import { useMay, useMe, useWhoCan } from '../lib/me.tsx'
import { plain } from '../lib/plain.ts'
import { useKeys } from '../lib/use-keys.ts'
import { age, bothClocks, brief } from '../lib/when.ts'
import { Composer } from './composer.tsx'
import { Picture } from './picture.tsx'
import { reloadTickets } from './reload-tickets.ts'
import type { StaffTicket } from './tickets.view.tsx'

type Said = StaffTicket['updates'][number]

/** A ticket: what it is about, what was said and noted, and the answer of the house. */
export function TicketDesk({ ticket, onBack, onNext }: { ticket: StaffTicket; onBack: () => void; onNext: () => void }) {
  const open = ticket.status !== 'CLOSED'
  return (
    <section className="pane" aria-label={`Ticket ${ticket.number ?? ''} of ${plain(ticket.member.name)}`}>
      <div className="bar">
        <button type="button" className="ib ph" aria-label="Back" onClick={onBack}>
          <ArrowLeft size={16} aria-hidden="true" />
        </button>
        <h2 className="b tr">{plain(ticket.title)}</h2>
        <span className="mono fnt">{ticket.number}</span>
        <span className="row" style={{ marginLeft: 'auto', gap: 6 }}>
          {open ? <Holder ticket={ticket} onNext={onNext} /> : <span className="badge">Closed</span>}
        </span>
      </div>
      <div className="scroll">
        <div className="pad" style={{ paddingTop: 14 }}>
          <Attached ticket={ticket} />
          <Talk ticket={ticket} />
        </div>
      </div>
      {open ? (
        <Composer ticket={ticket} onClosed={onNext} />
      ) : (
        <p className="note" style={{ margin: '0 16px 14px' }}>
          This ticket is closed and takes no more messages. A new one can be opened by the member.
        </p>
      )}
    </section>
  )
}

/** Who has the ticket; taking asks when somebody has it. */
function Holder({ ticket, onNext }: { ticket: StaffTicket; onNext: () => void }) {
  const me = useMe()
  const [may, mayClose] = [useMay('assignTicket'), useMay('closeTicketAsStaff')]
  const whoCan = useWhoCan('closeTicketAsStaff')
  const [asks, setAsks] = useState(false)
  const holder = ticket.assignee ?? undefined
  const mine = holder?.id === me.person.id

  async function give(to: string | undefined): Promise<void> {
    const body = { ...(to === undefined ? {} : { to }), ...(holder === undefined ? {} : { from: holder.id }) }
    try {
      await call(assignTicket, { params: { id: ticket.id }, body })
    } finally {
      await reloadTickets()
    }
  }
  const told = (work: Promise<void>) => work.catch((error: unknown) => toast(toApiError(error).message, { tone: 'danger' }))
  const take = () => {
    if (mine) void told(give(undefined))
    else if (holder === undefined) void told(give(me.person.id))
    else setAsks(true)
  }
  async function close(): Promise<void> {
    await told(
      call(closeTicketAsStaff, { params: { id: ticket.id }, body: {} }).then(() => {
        toast('The ticket is closed')
        onNext()
      }),
    )
    await reloadTickets()
  }
  useKeys({ i: may ? take : undefined, e: mayClose ? () => void close() : undefined })
  return (
    <>
      {holder !== undefined && (
        <>
          <Avatar name={holder.name} size="s" staff />
          <span className="sm mut hide">{mine ? 'yours' : plain(holder.name)}</span>
        </>
      )}
      {may && (
        <Button className="btn sm" onClick={take}>
          {mine ? 'Give back' : 'Take'}
          <kbd className="kbd">I</kbd>
        </Button>
      )}
      <Button className="btn sm" aria-disabled={!mayClose} title={mayClose ? undefined : whoCan} onClick={close}>
        Close
        <kbd className="kbd">E</kbd>
      </Button>
      {asks && holder !== undefined && (
        <ActDialog
          title={`Take ticket ${ticket.number ?? ''}`}
          effects={[`${plain(holder.name)} has this ticket, and loses it.`, 'What they typed stays with them.']}
          verb="Take it"
          draft={`take:${ticket.id}`}
          needsReason={false}
          onDo={() => give(me.person.id)}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}

/** The row that the member reported. */
function Attached({ ticket: { attached, about } }: { ticket: StaffTicket }) {
  if (attached === undefined)
    return about === undefined ? null : <p className="note">The row that was reported cannot be found any more.</p>
  const address = attached.transferId === undefined ? undefined : `/staff/ledger/transfer/${attached.transferId}`
  return (
    <div className="pin">
      <ReceiptText size={16} className="warn" aria-hidden="true" />
      <span className="grow">
        <span className="b">
          {plain(attached.title)}, <Amount value={attached.amount} asset={attached.asset} />
          {attached.status === undefined ? '' : `, ${attached.status.toLowerCase()}`} {brief(attached.at)} UTC
        </span>
        <span className="sm mut" style={{ display: 'block' }}>
          The member pressed “Report a problem” on this row. {plain(attached.from)} to {plain(attached.to)}.
        </span>
      </span>
      {address !== undefined && (
        <a className="sm link" href={address}>
          Open
        </a>
      )}
    </div>
  )
}

/** Messages and notes in the order in which they were written. */
function Talk({ ticket }: { ticket: StaffTicket }) {
  const [earlier, setEarlier] = useState<readonly Said[]>([])
  const updates = [...earlier.filter((said) => !ticket.updates.some((one) => one.id === said.id)), ...ticket.updates]
  const first: Said = { id: 'ticket', role: 'USER', message: ticket.description, image: ticket.image, createdAt: ticket.createdAt }
  async function loadEarlier(): Promise<void> {
    const before = updates[0]?.id
    if (before === undefined) return
    const { updates: older } = await queryClient.fetchQuery(read(staffTicketDetail, { params: { id: ticket.id }, query: { before } }))
    setEarlier([...older, ...earlier])
  }
  const last = updates.at(-1)
  const said = [...(ticket.earlier === true && earlier.length === 0 ? [] : [first]), ...updates].map((one) => ({
    at: one.createdAt ?? ticket.createdAt,
    key: `m${one.id}`,
    item: <Message said={one} ticket={ticket} waits={one === (last ?? first)} />,
  }))
  const noted = ticket.notes.map((note) => ({
    at: note.at,
    key: `n${note.id}`,
    item: (
      <>
        <div className="row sm">
          <Lock size={12} className="warn" aria-hidden="true" />
          <b className="b">Internal, only staff</b>
          <span className="fnt" title={bothClocks(note.at)}>
            {plain(note.by.name)}, {brief(note.at)}
          </span>
        </div>
        <Lines text={note.text} />
      </>
    ),
  }))
  const all = [...said, ...noted].toSorted((a, b) => a.at.getTime() - b.at.getTime())
  return (
    <ol aria-label="Messages">
      {ticket.earlier === true && earlier.length === 0 && (
        <li>
          <Button className="btn sm" onClick={loadEarlier}>
            Show earlier messages
          </Button>
        </li>
      )}
      {all.map(({ key, item }) => (
        <li key={key} className={key.startsWith('n') ? 'msg int' : undefined}>
          {key.startsWith('n') ? <div className="tx">{item}</div> : item}
        </li>
      ))}
    </ol>
  )
}

function Lines({ text }: { text: string }) {
  return text.split('\n').map((line, place) => <p key={place}>{plain(line)}</p>)
}

function Message({ said, ticket, waits }: { said: Said; ticket: StaffTicket; waits: boolean }) {
  const us = said.role !== 'USER'
  const who = us ? (said.by?.name ?? 'The house') : ticket.member.name
  return (
    <div className={us ? 'msg us' : 'msg'}>
      <div className="who">
        <b>{plain(who)}</b>
        {said.createdAt && (
          <time title={bothClocks(said.createdAt)}>
            {brief(said.createdAt)} UTC
            {waits && ticket.waitingSince !== undefined && ` · waiting ${age(ticket.waitingSince)}`}
          </time>
        )}
      </div>
      <div className="tx">
        <Lines text={said.message} />
        {(said.receipts ?? []).map((receipt) => (
          <p key={receipt.id} className="sm mut">
            Receipt: {plain(receipt.title)}
          </p>
        ))}
        {said.image && <Picture ticketId={ticket.id} image={said.image} alt={`Picture of ${plain(who)}`} />}
      </div>
    </div>
  )
}
