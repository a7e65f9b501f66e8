import type { Ticket } from '@tizara/contract/support'
import { Moment } from '../lib/moment.tsx'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Picture } from './picture.tsx'
import { isMember } from './support.rules.ts'

interface Said {
  id: string
  role: string
  message: string
  image?: string | null | undefined
  createdAt?: Date | null | undefined
}

/** What was said: the ticket itself first, then its messages (UI-TICKET-02, UI-TICKET-09). */
export function Thread({ ticket, onEarlier, fetching }: { ticket: Ticket; onEarlier: () => unknown; fetching: boolean }) {
  const first: Said = { id: 'ticket', role: 'USER', message: ticket.description, image: ticket.image, createdAt: ticket.createdAt }
  return (
    <ol aria-label="Messages" className="mx-auto max-w-3xl space-y-5">
      <Message said={first} />
      {ticket.earlier === true && (
        <li className="text-center">
          <Button variant="ghost" pending={fetching} pendingLabel="Loading" onClick={onEarlier}>
            Show earlier messages
          </Button>
        </li>
      )}
      {ticket.updates?.map((said) => (
        <Message key={said.id} said={said} />
      ))}
    </ol>
  )
}

/** The member's words at the left, the house's at the right (UI-TICKET-03, RO-13). */
function Message({ said }: { said: Said }) {
  const own = isMember(said.role)
  return (
    <li data-role={said.role} className={cx('flex flex-col', own ? 'items-start text-left' : 'items-end')}>
      <div
        className={cx(
          'max-w-[min(100%,34rem)] rounded-2xl border px-4 py-3',
          own ? 'rounded-bl-md bg-surface' : 'rounded-br-md border-transparent bg-accent-soft',
        )}
      >
        <p className="break-words whitespace-pre-wrap">{said.message}</p>
        {said.image && (
          <div className="mt-3">
            <Picture image={said.image} alt={`Picture sent by ${own ? 'you' : 'support'}`} />
          </div>
        )}
      </div>
      <p className="mt-1 px-1 text-xs text-faint">
        {own ? 'You' : 'Support'}
        {said.createdAt && (
          <>
            {', '}
            <Moment at={said.createdAt} time />
          </>
        )}
      </p>
    </li>
  )
}
