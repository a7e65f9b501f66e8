import { answerTicket, closeTicketAsStaff, staffTicketDetail, staffTickets } from '@tizara/contract/staff-tickets'
import { staffOverview } from '@tizara/contract/staff'
import { MESSAGE_MAX_LENGTH } from '@tizara/contract'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { lazy, Suspense, useRef, useState } from 'react'
import { call, toApiError } from '../../lib/api.ts'
import { queryClient, read, refetch } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useDraft } from '../lib/drafts.ts'
import { useMay, useMe } from '../lib/me.tsx'
import { plain } from '../lib/plain.ts'
import { useKeys } from '../lib/use-keys.ts'
import { bothClocks, brief } from '../lib/when.ts'
import type { StaffTicket } from './tickets.view.tsx'

/** A picture is fetched only when somebody presses for it. */
const Picture = lazy(() => import('../../support/picture.tsx').then((file) => ({ default: file.Picture })))

interface Said {
  id: string
  role: string
  message: string
  image?: string | null | undefined
  createdAt?: Date | null | undefined
}

/** A ticket: what was said, and the answer of the house. */
export function TicketDesk({ ticket, onBack, onNext }: { ticket: StaffTicket; onBack: () => void; onNext: () => void }) {
  const [earlier, setEarlier] = useState<readonly Said[]>([])
  const updates: readonly Said[] = ticket.updates ?? []
  const first: Said = { id: 'ticket', role: 'USER', message: ticket.description, image: ticket.image, createdAt: ticket.createdAt }
  const shown = [...earlier.filter((said) => !updates.some((one) => one.id === said.id)), ...updates]
  const open = ticket.status !== 'CLOSED'
  async function loadEarlier(): Promise<void> {
    const before = shown[0]?.id
    if (before === undefined) return
    const { updates: older } = await queryClient.fetchQuery(read(staffTicketDetail, { params: { id: ticket.id }, query: { before } }))
    setEarlier([...(older ?? []), ...earlier])
  }
  return (
    <section className="pane" aria-label={`Ticket of ${ticket.member.name}`}>
      <div className="bar">
        <button type="button" className="ib ph" aria-label="Back" onClick={onBack}>
          <ArrowLeft size={16} aria-hidden="true" />
        </button>
        <h2 className="b tr">{plain(ticket.title)}</h2>
        <span className={open ? 'badge acc' : 'badge'}>{open ? 'Open' : 'Closed'}</span>
        <span className="sm mut tr" style={{ marginLeft: 'auto' }} title={ticket.member.email}>
          {plain(ticket.member.name)}, {plain(ticket.member.email)}
        </span>
      </div>
      <div className="scroll">
        <ol className="pad" aria-label="Messages">
          <Message said={first} name={ticket.member.name} />
          {ticket.earlier === true && earlier.length === 0 && (
            <li>
              <Button className="btn sm" onClick={loadEarlier}>
                Show earlier messages
              </Button>
            </li>
          )}
          {shown.map((said) => (
            <Message key={said.id} said={said} name={ticket.member.name} />
          ))}
        </ol>
      </div>
      {open ? <Reply ticket={ticket} onNext={onNext} /> : <p className="note decide">This ticket is closed and takes no more messages.</p>}
    </section>
  )
}

function Message({ said, name }: { said: Said; name: string }) {
  const [looks, setLooks] = useState(false)
  const us = said.role !== 'USER'
  return (
    <li className={us ? 'msg us' : 'msg'}>
      <div className="who">
        <b>{us ? 'The house' : plain(name)}</b>
        {said.createdAt && <time title={bothClocks(said.createdAt)}>{brief(said.createdAt)} UTC</time>}
      </div>
      <div className="tx">
        {said.message.split('\n').map((text, place) => (
          <p key={place}>{plain(text)}</p>
        ))}
        {said.image &&
          (looks ? (
            <Suspense fallback={null}>
              <Picture image={said.image} alt={`Picture of ${us ? 'the house' : name}`} />
            </Suspense>
          ) : (
            <button type="button" className="btn sm mt8" onClick={() => setLooks(true)}>
              Show the picture
            </button>
          ))}
      </div>
    </li>
  )
}

const LONGEST = MESSAGE_MAX_LENGTH

function Reply({ ticket, onNext }: { ticket: StaffTicket; onNext: () => void }) {
  const me = useMe()
  const [mayAnswer, mayClose] = [useMay('answerTicket'), useMay('closeTicketAsStaff')]
  const [text, setText] = useDraft(`${me.person.id}:ticket:${ticket.id}`)
  const [fault, setFault] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const seen = ticket.updates?.at(-1)?.id ?? 'none'
  const first = plain(ticket.member.name).split(' ')[0] ?? ''
  const reload = () => refetch(staffTickets, staffTicketDetail, staffOverview)

  async function act(what: () => Promise<unknown>, said: string): Promise<boolean> {
    try {
      await what()
      toast(said)
      return true
    } catch (error) {
      const { errorMessages, message } = toApiError(error)
      setFault(errorMessages[0]?.message ?? message)
      return false
    } finally {
      await reload()
    }
  }
  async function send(): Promise<void> {
    const message = text.trim()
    if (message === '') return setFault('Please write an answer')
    if (await act(() => call(answerTicket, { params: { id: ticket.id }, body: { message, seen } }), `Sent to ${first}`)) setText('')
  }
  async function close(): Promise<void> {
    if (await act(() => call(closeTicketAsStaff, { params: { id: ticket.id }, body: {} }), 'The ticket is closed')) onNext()
  }
  useKeys({
    r: () => field.current?.focus(),
    Escape: () => field.current?.blur(),
    'mod+Enter': text.trim() === '' ? undefined : () => void send(),
  })
  if (!mayAnswer)
    return (
      <div className="decide">
        <p className="note">Your role reads tickets. SUPPORT, FINANCE or ADMIN can answer.</p>
      </div>
    )
  return (
    <div className="decide">
      {fault !== undefined && (
        <p role="alert" className="note bad" style={{ marginBottom: 8 }}>
          {fault}
        </p>
      )}
      <label className="f sr" htmlFor="reply">
        Reply
      </label>
      <textarea
        ref={field}
        id="reply"
        className="control"
        rows={3}
        maxLength={LONGEST}
        placeholder={`Reply to ${first}`}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setFault(undefined)
        }}
      />
      <div className="row mt8">
        <span className="grow hide" />
        {mayClose && (
          <Button className="btn" onClick={close}>
            Close the ticket
          </Button>
        )}
        <Button variant="primary" className="btn pri" onClick={send}>
          Send to {first}
          <kbd className="kbd">⌘ ↵</kbd>
        </Button>
      </div>
    </div>
  )
}
