import { closeTicket, type Ticket } from '@tizara/contract/support'
import { t } from '@tizara/languages'
import { Link } from 'wouter'
import { call, toApiError } from '../lib/http/api.ts'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { Card } from '../ui/card.tsx'
import { retryOf } from '../lib/http/query.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton, SkeletonText } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast-store.ts'
import { ReplyForm } from './reply-form.tsx'
import { messages } from './support.messages.ts'
import { refetchTickets, useMarkTicketRead, useTicket } from './support.queries.ts'
import { isClosed } from './support.rules.ts'
import { Thread } from './thread.tsx'
import { TicketStatus } from './ticket-status.tsx'

/** `/ticket/show/:id` (UI-TICKET rows). */
export default function TicketScreen({ params: { id = '' } }: { params: { id?: string } }) {
  const query = useTicket(id)
  const { data: ticket, error } = query
  useMarkTicketRead(ticket?.id)
  const back = (
    <Link href="/support" className="link">
      {t('All tickets')}
    </Link>
  )
  if (ticket === undefined) {
    return (
      <>
        <PageHeader back={back} title={t('Ticket')} />
        {error === null ? <Waiting /> : isMissing(error) ? <Missing /> : <Failed onRetry={retryOf(query)} />}
      </>
    )
  }
  return (
    <>
      <PageHeader
        back={back}
        title={ticket.title}
        subtitle={isClosed(ticket) ? undefined : <TicketStatus status={ticket.status} />}
        actions={<CloseAction ticket={ticket} />}
      />
      <Thread key={ticket.id} ticket={ticket} />
      <ReplyForm ticket={ticket} />
    </>
  )
}

/** Shows `Mark it close`, or a closed ticket's status (UI-TICKET-05, UI-TICKET-07). */
function CloseAction({ ticket }: { ticket: Ticket }) {
  async function close(): Promise<void> {
    try {
      await call(closeTicket, { params: { id: ticket.id }, body: { status: 'CLOSED' } })
      toast(messages.closed)
    } catch (error) {
      console.error(error)
      toast(messages.closeFailed, { tone: 'danger' })
    }
    await refetchTickets()
  }
  if (!isClosed(ticket)) return <Button onClick={close}>{messages.markClosed}</Button>
  return (
    <span className="justify-self-start">
      <TicketStatus status={ticket.status} />
    </span>
  )
}

/** Other failures are only logged (ER-67). */
const isMissing = (error: unknown): boolean => toApiError(error).statusCode === 404

function Waiting() {
  return (
    <Card aria-busy="true">
      <Skeleton className="mb-4 h-5 w-64 max-w-full" />
      <SkeletonText lines={4} />
    </Card>
  )
}

function Failed({ onRetry }: { onRetry: (() => void) | undefined }) {
  return (
    <Card>
      <EmptyState title={t('Data Not Found')} onRetry={onRetry} />
    </Card>
  )
}

function Missing() {
  return (
    <Card>
      <EmptyState
        title={t('Data Not Found')}
        text={t('Ticket not found.')}
        action={
          <Link href="/support" className={buttonClass('primary')}>
            {t('See all tickets')}
          </Link>
        }
      />
    </Card>
  )
}
