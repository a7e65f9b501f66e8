import { MESSAGE_MAX_LENGTH } from '@tizara/contract'
import { answerTicket, noteOnTicket, type SavedReply } from '@tizara/contract/staff-tickets'
import Lock from 'lucide-react/icons/lock'
import Send from 'lucide-react/icons/send'
import X from 'lucide-react/icons/x'
import Zap from 'lucide-react/icons/zap'
import { type Ref, useRef, useState } from 'react'
import { call, toApiError } from '../../lib/api.ts'
import { formatAmount } from '../../ui/money-format.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast-store.ts'
import { useUnit } from '../lib/amount.tsx'
import { useDraft } from '../lib/drafts.ts'
import { useMay, useMe, useWhoCan } from '../lib/me.tsx'
import { plain } from '../lib/plain.ts'
import { useKeys } from '../lib/use-keys.ts'
import { dropReceipt, useReceipts } from './attached-receipts.ts'
import { fill, openGap } from './fill.ts'
import { SavedReplies } from './saved-replies.tsx'
import { reloadTickets } from './reload-tickets.ts'
import type { StaffTicket } from './tickets.view.tsx'

/**
 * The answer and the note: two fields with drafts of their own, in two colours, with verbs of their own. Changing the tab
 * never moves text, so that a note cannot become an answer (staff.md 4, Tickets).
 */
export function Composer({ ticket, onClosed }: { ticket: StaffTicket; onClosed: () => void }) {
  const [may, mayNote] = [useMay('answerTicket'), useMay('noteOnTicket')]
  const whoCan = useWhoCan('answerTicket')
  const [tab, setTab] = useState<'reply' | 'note'>('reply')
  const field = useRef<HTMLTextAreaElement>(null)
  const first = plain(ticket.member.name).split(' ')[0] ?? ''
  const go = (to: 'reply' | 'note') => {
    setTab(to)
    // The field of the other tab is drawn first.
    setTimeout(() => field.current?.focus(), 0)
  }
  useKeys({ r: () => go('reply'), n: mayNote ? () => go('note') : undefined, Escape: () => field.current?.blur() })
  if (!may)
    return (
      <p className="note" style={{ margin: '0 16px 14px' }}>
        Your role reads tickets. {whoCan}.
      </p>
    )
  return (
    <div className={tab === 'note' ? 'comp int' : 'comp'}>
      <div className="who2">
        <button type="button" className={tab === 'reply' ? 'on' : ''} aria-pressed={tab === 'reply'} onClick={() => go('reply')}>
          <Send size={14} aria-hidden="true" />
          Reply to {first}
        </button>
        <button type="button" className={tab === 'note' ? 'on' : ''} aria-pressed={tab === 'note'} onClick={() => go('note')}>
          <Lock size={14} aria-hidden="true" />
          Internal note
          <kbd className="kbd">N</kbd>
        </button>
      </div>
      {tab === 'reply' ? <Reply ticket={ticket} first={first} field={field} onClosed={onClosed} /> : <Note ticket={ticket} field={field} />}
    </div>
  )
}

interface FieldProps {
  id: string
  label: string
  placeholder: string
  value: string
  onChange: (text: string) => void
  field: Ref<HTMLTextAreaElement>
}

function Field({ id, label, placeholder, value, onChange, field }: FieldProps) {
  return (
    <>
      <label className="sr" htmlFor={id}>
        {label}
      </label>
      <textarea
        ref={field}
        id={id}
        className="tx"
        rows={3}
        maxLength={MESSAGE_MAX_LENGTH}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  )
}

function Fault({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p role="alert" className="note bad" style={{ margin: '8px 10px' }}>
      {text}
    </p>
  )
}

const faultOf = (error: unknown): string => {
  const { errorMessages, message } = toApiError(error)
  return errorMessages[0]?.message ?? message
}

function Reply({
  ticket,
  first,
  field,
  onClosed,
}: {
  ticket: StaffTicket
  first: string
  field: Ref<HTMLTextAreaElement>
  onClosed: () => void
}) {
  const me = useMe()
  const unit = useUnit()
  const [text, setText] = useDraft(`${me.person.id}:ticket:${ticket.id}`)
  const [fault, setFault] = useState<string>()
  const [saved, setSaved] = useState<string>()
  const [choosing, setChoosing] = useState(false)
  const receipts = useReceipts(ticket.id)
  const { attached } = ticket

  const write = (next: string) => {
    setFault(undefined)
    if (next === '/') return setChoosing(true)
    setText(next)
  }
  function use(reply: SavedReply): void {
    const gaps = {
      firstName: first,
      ...(attached === undefined
        ? {}
        : { amount: `${formatAmount(attached.amount)} ${unit(attached.asset)}`, receipt: plain(attached.title) }),
    }
    setText(text === '' ? fill(reply.text, gaps) : `${text}\n${fill(reply.text, gaps)}`)
    setSaved(reply.id)
    setChoosing(false)
  }
  async function send(close: boolean): Promise<void> {
    const message = text.trim()
    const gap = openGap(message)
    if (message === '') return setFault('Please write an answer')
    if (gap !== undefined) return setFault(`Please fill ${gap} first`)
    const body = {
      message,
      seen: ticket.seen,
      ...(close ? { close: 'true' as const } : {}),
      ...(receipts.length === 0 ? {} : { receipts: receipts.map((one) => one.name).join(' ') }),
      ...(saved === undefined ? {} : { saved }),
    }
    try {
      await call(answerTicket, { params: { id: ticket.id }, body })
      setText('')
      dropReceipt(ticket.id)
      toast(close ? `Sent to ${first}, and closed` : `Sent to ${first}`)
      if (close) onClosed()
    } catch (error) {
      setFault(faultOf(error))
    } finally {
      await reloadTickets()
    }
  }
  useKeys({ 'mod+Enter': text.trim() === '' ? undefined : () => void send(false) })
  return (
    <>
      <Fault text={fault} />
      {choosing && <SavedReplies onUse={use} onClose={() => setChoosing(false)} />}
      <Field id="reply" label="Reply" placeholder={`Reply to ${first}`} value={text} onChange={write} field={field} />
      {receipts.length > 0 && (
        <p className="row wrap" style={{ padding: '0 12px 6px' }}>
          {receipts.map((one) => (
            <span key={one.name} className="chip on">
              Receipt: {plain(one.title)}
              <button
                type="button"
                aria-label={`Leave out the receipt ${plain(one.title)}`}
                onClick={() => dropReceipt(ticket.id, one.name)}
              >
                <X size={12} aria-hidden="true" />
              </button>
            </span>
          ))}
        </p>
      )}
      <div className="ft">
        <button type="button" className="btn gho sm" aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
          <Zap size={14} aria-hidden="true" />
          Saved replies
          <kbd className="kbd">/</kbd>
        </button>
        <span className="grow" />
        <Button className="btn sm" onClick={() => send(true)}>
          Send and close
        </Button>
        <Button variant="primary" className="btn pri sm" onClick={() => send(false)}>
          Send to {first}
          <kbd className="kbd">⌘ ↵</kbd>
        </Button>
      </div>
    </>
  )
}

function Note({ ticket, field }: { ticket: StaffTicket; field: Ref<HTMLTextAreaElement> }) {
  const me = useMe()
  const [text, setText] = useDraft(`${me.person.id}:note:${ticket.id}`)
  const [fault, setFault] = useState<string>()
  async function save(): Promise<void> {
    if (text.trim() === '') return setFault('Please write a note')
    try {
      await call(noteOnTicket, { params: { id: ticket.id }, body: { text: text.trim() } })
      setText('')
      toast('Noted, only staff can read it')
    } catch (error) {
      setFault(faultOf(error))
    } finally {
      await reloadTickets()
    }
  }
  const write = (next: string) => {
    setFault(undefined)
    setText(next)
  }
  useKeys({ 'mod+Enter': text.trim() === '' ? undefined : () => void save() })
  return (
    <>
      <Fault text={fault} />
      <Field id="note" label="Internal note" placeholder="Only staff can read this" value={text} onChange={write} field={field} />
      <div className="ft">
        <span className="sm mut row" style={{ gap: 6 }}>
          <Lock size={12} aria-hidden="true" />
          Never leaves the house
        </span>
        <span className="grow" />
        <Button className="btn sm" onClick={save}>
          Save note
          <kbd className="kbd">⌘ ↵</kbd>
        </Button>
      </div>
    </>
  )
}
