import { getTicket, type Ticket } from '@tizara/contract/support'
import { t } from '@tizara/languages'
import { lazy, Suspense, useState } from 'react'
import { call, toApiError } from '../lib/http/api.ts'
import { Moment } from '../lib/moment.tsx'
import { readReceiptText } from '../lib/receipts/receipt-link.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { toast } from '../ui/toast-store.ts'
import { TicketImage } from './ticket-image.tsx'
import { messages } from './support.messages.ts'
import { isMember } from './support.rules.ts'
import { T } from '../ui/t.tsx'

const ReceiptDrawer = lazy(async () => ({ default: (await import('../lib/receipts/receipt-drawer.tsx')).ReceiptDrawer }))

interface TicketMessage {
  id: string
  role: string
  message: string
  image?: string | null | undefined
  createdAt?: Date | null | undefined
  receipts?: readonly { kind: string; id: string; title: string }[] | undefined
}

/** Shows the ticket text, then its messages (UI-TICKET-02, UI-TICKET-09). */
export function Thread({ ticket }: { ticket: Ticket }) {
  // Messages shown when the reader loaded more. They prevent a gap before the newest messages.
  const [stored, setStored] = useState<{ rows: readonly TicketMessage[]; more: boolean }>()
  const known = new Set(stored?.rows.map((message) => message.id))
  const newest = ticket.updates ?? []
  const shown: readonly TicketMessage[] = [...(stored?.rows ?? []), ...newest.filter((message) => !known.has(message.id))]

  async function showEarlier(): Promise<void> {
    const before = shown[0]?.id
    if (before === undefined) return
    try {
      const { data } = await call(getTicket, { params: { id: ticket.id }, query: { before } })
      setStored({ rows: [...(data.updates ?? []), ...shown], more: data.hasEarlier === true })
    } catch (error) {
      toast(toApiError(error).serverMessage ?? messages.failed, { tone: 'danger' })
    }
  }

  const first: TicketMessage = { id: 'ticket', role: 'USER', message: ticket.description, image: ticket.image, createdAt: ticket.createdAt }
  return (
    <ol aria-label={t('Messages')} className="mx-auto max-w-3xl space-y-5">
      <Message message={first} />
      {(stored?.more ?? ticket.hasEarlier === true) && (
        <li className="text-center">
          <Button variant="ghost" pendingLabel={t('Loading')} onClick={showEarlier}>
            {t('Show earlier messages')}
          </Button>
        </li>
      )}
      {shown.map((message) => (
        <Message key={message.id} message={message} />
      ))}
    </ol>
  )
}

/** Member messages are on the left, staff messages on the right (UI-TICKET-03, RO-13). */
function Message({ message }: { message: TicketMessage }) {
  const isOwn = isMember(message.role)
  return (
    <li data-role={message.role} className={cx('flex flex-col', isOwn ? 'items-start text-start' : 'items-end')}>
      <div
        className={cx(
          'max-w-[min(100%,34rem)] rounded-2xl border px-4 py-3',
          isOwn ? 'rounded-es-md bg-surface' : 'rounded-ee-md border-transparent bg-accent-soft',
        )}
      >
        <p className="break-words whitespace-pre-wrap">{message.message}</p>
        {(message.receipts ?? []).map((row) => (
          <NamedReceipt key={row.id} row={row} />
        ))}
        {message.image && (
          <div className="mt-3">
            <TicketImage image={message.image} alt={isOwn ? t('Image sent by you') : t('Image sent by support')} />
          </div>
        )}
      </div>
      <p className="mt-1 px-1 text-xs text-faint">
        {isOwn ? t('You') : t('Support')}
        {message.createdAt && <T text=", {more}" more={<Moment at={message.createdAt} time />} />}
      </p>
    </li>
  )
}

/** Receipt linked in a staff answer; it opens here. */
function NamedReceipt({ row }: { row: { kind: string; id: string; title: string } }) {
  const [open, setOpen] = useState(false)
  const receipt = readReceiptText(`${row.kind}.${row.id}`)
  if (receipt === undefined) return null
  return (
    <p className="mt-2">
      <button type="button" className="link text-sm" onClick={() => setOpen(true)}>
        <T text="Receipt: {title}" title={row.title} />
      </button>
      {open && (
        <Suspense fallback={null}>
          <ReceiptDrawer open receipt={receipt} subject={row.title} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </p>
  )
}
