import { assignTicket, closeTicketAsStaff } from '@tizara/contract/staff-tickets'
import { useState } from 'react'
import { call, toApiError } from '../../../lib/http/api.ts'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { Avatar } from '../../kit/avatar.tsx'
import { useMay, useMe, useWhoCan } from '../../kit/me.tsx'
import { isOffline, SendButton } from '../../kit/offline.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { useKeys } from '../../kit/use-keys.ts'
import { reloadTickets } from './reload-tickets.ts'
import type { StaffTicket } from './tickets.queries.ts'
import { Kbd } from '../../../ui/kbd.tsx'

/** Shows the assignee. Taking an assigned ticket asks first. */
export function Holder({ ticket, onNext }: { ticket: StaffTicket; onNext: () => void }) {
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
  const withErrorToast = (work: Promise<void>) => work.catch((error: unknown) => toast(toApiError(error).message, { tone: 'danger' }))
  const take = () => {
    if (isOffline()) return
    if (mine) void withErrorToast(give(undefined))
    else if (holder === undefined) void withErrorToast(give(me.person.id))
    else setAsks(true)
  }
  async function close(): Promise<void> {
    if (isOffline()) return
    await withErrorToast(
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
          <span className="text-xs text-muted max-md:hidden">{mine ? 'yours' : plain(holder.name)}</span>
        </>
      )}
      {may && (
        <SendButton size="sm" onClick={take}>
          {mine ? 'Unassign' : 'Assign to me'}
          <Kbd>I</Kbd>
        </SendButton>
      )}
      <SendButton size="sm" aria-disabled={!mayClose} title={mayClose ? undefined : whoCan} onClick={close}>
        Close
        <Kbd>E</Kbd>
      </SendButton>
      {asks && holder !== undefined && (
        <ActDialog
          title={`Reassign ticket ${ticket.number ?? ''} to you`}
          effects={[`${plain(holder.name)} is assigned to this ticket. It moves to you.`, 'Their draft stays with them.']}
          verb="Reassign to me"
          draft={`take:${ticket.id}`}
          needsReason={false}
          onDo={() => give(me.person.id)}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}
