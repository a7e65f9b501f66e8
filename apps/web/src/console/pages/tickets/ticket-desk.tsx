import ReceiptText from 'lucide-react/icons/receipt-text'
import { Link } from 'wouter'
import { Amount } from '../../kit/amount.tsx'
import type { Colleague, PresenceActivity } from '../../kit/presence.ts'
import { PresenceLine } from '../../kit/presence-marks.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { briefly } from '../../kit/when.ts'
import { Composer } from './composer.tsx'
import { Holder } from './assignee.tsx'
import { Tags } from './tags.tsx'
import { Talk } from './thread.tsx'
import type { StaffTicket } from './tickets.queries.ts'
import { BackButton, Pane, PaneBar } from '../../../ui/split.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Notice } from '../../../ui/notice.tsx'

export interface TicketDeskProps {
  ticket: StaffTicket
  people: readonly Colleague[]
  onBack: () => void
  onNext: () => void
  onActivity: (activity: PresenceActivity) => void
}

/** Shows a ticket: subject, conversation, notes and the reply. */
export function TicketDesk({ ticket, people, onBack, onNext, onActivity }: TicketDeskProps) {
  const open = ticket.status !== 'CLOSED'
  return (
    <Pane aria-label={`Ticket ${ticket.number ?? ''} of ${plain(ticket.member.name)}`}>
      <PaneBar>
        <BackButton onClick={onBack} />
        <h2 className="font-semi truncate">{plain(ticket.title)}</h2>
        <span className="font-mono text-xs text-faint">{ticket.number}</span>
        <span className="flex min-w-0 items-center ml-auto gap-1.5">
          <PresenceLine people={people.filter((one) => one.activity === 'viewing')} />
          {open ? <Holder ticket={ticket} onNext={onNext} /> : <Badge>Closed</Badge>}
        </span>
      </PaneBar>
      <div className="min-h-0 flex-1 md:overflow-auto">
        <div className="px-4 pt-3.5 pb-5 md:px-5 md:pt-4 pt-3.5">
          <Attached ticket={ticket} />
          <Talk ticket={ticket} />
        </div>
      </div>
      {open && (
        <div className="flex min-h-[30px] flex-none items-center gap-2.5 px-[18px] pb-1.5">
          <PresenceLine people={people.filter((one) => one.activity !== 'viewing')} />
          <Tags ticket={ticket} />
        </div>
      )}
      {open ? (
        <Composer ticket={ticket} onClosed={onNext} onActivity={onActivity} />
      ) : (
        <Notice icon={null} className="mx-4 mb-3.5">
          This ticket is closed and takes no more messages. A new one can be opened by the member.
        </Notice>
      )}
    </Pane>
  )
}

/** Shows the row that the member reported. */
function Attached({ ticket: { attached, about } }: { ticket: StaffTicket }) {
  if (attached === undefined)
    return about === undefined ? null : <Notice icon={null}>The row that was reported cannot be found any more.</Notice>
  const address = attached.transferId === undefined ? undefined : `/staff/ledger/-/${attached.transferId}`
  return (
    <div className="flex items-center gap-3 rounded-lg border px-3 py-2.5">
      <ReceiptText size={16} className="text-warning" aria-hidden="true" />
      <span className="min-w-0 flex-1">
        <span className="font-semi">
          {plain(attached.title)}, <Amount value={attached.amount} asset={attached.asset} />
          {attached.status === undefined ? '' : `, ${attached.status.toLowerCase()}`} {briefly(attached.at)} UTC
        </span>
        <span className="text-xs text-muted block">
          The member pressed “Report a problem” on this row. {plain(attached.from)} to {plain(attached.to)}.
        </span>
      </span>
      {address !== undefined && (
        <Link className="text-xs link" href={address}>
          Open
        </Link>
      )}
    </div>
  )
}
