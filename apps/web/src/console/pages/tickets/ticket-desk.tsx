import ArrowLeft from 'lucide-react/icons/arrow-left'
import ReceiptText from 'lucide-react/icons/receipt-text'
import { Link } from 'wouter'
import { Amount } from '../../kit/amount.tsx'
import type { Colleague, Doing } from '../../kit/presence.ts'
import { PresenceLine } from '../../kit/presence-marks.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { briefly } from '../../kit/when.ts'
import { Composer } from './composer.tsx'
import { Holder } from './assignee.tsx'
import { Tags } from './tags.tsx'
import { Talk } from './thread.tsx'
import type { StaffTicket } from './tickets.queries.ts'

export interface TicketDeskProps {
  ticket: StaffTicket
  people: readonly Colleague[]
  onBack: () => void
  onNext: () => void
  onDoing: (doing: Doing) => void
}

/** A ticket: what it is about, what was said and noted, and the answer of the house. */
export function TicketDesk({ ticket, people, onBack, onNext, onDoing }: TicketDeskProps) {
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
          <PresenceLine people={people.filter((one) => one.doing === 'looking')} />
          {open ? <Holder ticket={ticket} onNext={onNext} /> : <span className="badge">Closed</span>}
        </span>
      </div>
      <div className="scroll">
        <div className="pad" style={{ paddingTop: 14 }}>
          <Attached ticket={ticket} />
          <Talk ticket={ticket} />
        </div>
      </div>
      {open && (
        <div className="sort">
          <PresenceLine people={people.filter((one) => one.doing !== 'looking')} />
          <Tags ticket={ticket} />
        </div>
      )}
      {open ? (
        <Composer ticket={ticket} onClosed={onNext} onDoing={onDoing} />
      ) : (
        <p className="note" style={{ margin: '0 16px 14px' }}>
          This ticket is closed and takes no more messages. A new one can be opened by the member.
        </p>
      )}
    </section>
  )
}

/** The row that the member reported. */
function Attached({ ticket: { attached, about } }: { ticket: StaffTicket }) {
  if (attached === undefined)
    return about === undefined ? null : <p className="note">The row that was reported cannot be found any more.</p>
  const address = attached.transferId === undefined ? undefined : `/staff/ledger/-/${attached.transferId}`
  return (
    <div className="pin">
      <ReceiptText size={16} className="warn" aria-hidden="true" />
      <span className="grow">
        <span className="b">
          {plain(attached.title)}, <Amount value={attached.amount} asset={attached.asset} />
          {attached.status === undefined ? '' : `, ${attached.status.toLowerCase()}`} {briefly(attached.at)} UTC
        </span>
        <span className="sm mut" style={{ display: 'block' }}>
          The member pressed “Report a problem” on this row. {plain(attached.from)} to {plain(attached.to)}.
        </span>
      </span>
      {address !== undefined && (
        <Link className="sm link" href={address}>
          Open
        </Link>
      )}
    </div>
  )
}
