import { answerTicket, type SavedReply } from '@tizara/contract/staff-tickets'
import X from 'lucide-react/icons/x'
import Zap from 'lucide-react/icons/zap'
import { type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { call } from '../../../lib/http/api.ts'
import { formatAmount } from '../../../ui/money-format.ts'
import { toast } from '../../../ui/toast-store.ts'
import { errorTextOf } from '../../kit/error-text.ts'
import { useUnit } from '../../kit/amount.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { isOffline, Offline, SendButton } from '../../kit/offline.tsx'
import { useMe } from '../../kit/me.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { useKeys } from '../../kit/use-keys.ts'
import { detachReceipt, useReceipts } from './attached-receipts.ts'
import { FormError } from '../../kit/form-error.tsx'
import { Field, FIELD_BAR } from './composer-parts.tsx'
import { fill, openGap } from './fill.ts'
import { SavedReplies } from './saved-replies.tsx'
import { reloadTickets } from './reload-tickets.ts'
import type { StaffTicket } from './tickets.queries.ts'
import { chipClass } from '../../../ui/chip.ts'
import { Button } from '../../../ui/button.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { MOD } from '../../kit/mod-key.ts'

/** Edits the reply to the member. */
export function Reply({
  ticket,
  first,
  field,
  onClosed,
  onType,
}: {
  ticket: StaffTicket
  first: string
  field: RefObject<HTMLTextAreaElement | null>
  onClosed: () => void
  /** Called with the field's text after each change; empty once sent. */
  onType: (text: string) => void
}) {
  const me = useMe()
  const unit = useUnit()
  const [text, setText] = useDraft(`${me.person.id}:ticket:${ticket.id}`)
  const [errorText, setErrorText] = useState<string>()
  const [saved, setSaved] = useState<string>()
  const [choosing, setChoosing] = useState(false)
  const receipts = useReceipts(ticket.id)
  const { attached } = ticket

  const write = (next: string) => {
    setErrorText(undefined)
    if (next === '/') return setChoosing(true)
    setText(next)
    onType(next)
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
    closeSavedReplies()
  }
  /** Closes the list of saved replies, and moves the focus to the field, because the pressed button disappears. */
  function closeSavedReplies(): void {
    flushSync(() => setChoosing(false))
    field.current?.focus()
  }
  async function send(close: boolean): Promise<void> {
    if (isOffline()) return
    const message = text.trim()
    const gap = openGap(message)
    if (message === '') return setErrorText('Please write an answer')
    if (gap !== undefined) return setErrorText(`Please fill ${gap} first`)
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
      onType('')
      detachReceipt(ticket.id)
      toast(close ? `Sent to ${first}, and closed` : `Sent to ${first}`)
      if (close) onClosed()
    } catch (error) {
      setErrorText(errorTextOf(error))
    } finally {
      await reloadTickets()
    }
  }
  useKeys({ 'mod+Enter': text.trim() === '' ? undefined : () => void send(false) })
  return (
    <>
      <FormError text={errorText} />
      <Offline />
      {choosing && <SavedReplies onUse={use} onClose={closeSavedReplies} />}
      <Field id="reply" label="Reply" placeholder={`Reply to ${first}`} value={text} onChange={write} field={field} />
      {receipts.length > 0 && (
        <p className="flex min-w-0 items-center gap-2 flex-wrap px-3 pb-1.5">
          {receipts.map((one) => (
            <span key={one.name} className={chipClass(true)}>
              Receipt: {plain(one.title)}
              <button
                type="button"
                aria-label={`Leave out the receipt ${plain(one.title)}`}
                onClick={() => detachReceipt(ticket.id, one.name)}
              >
                <X size={12} aria-hidden="true" />
              </button>
            </span>
          ))}
        </p>
      )}
      <div className={FIELD_BAR}>
        <Button
          variant="ghost"
          size="sm"
          icon={<Zap size={14} aria-hidden="true" />}
          aria-expanded={choosing}
          onClick={() => setChoosing(!choosing)}
        >
          Saved replies
          <Kbd>/</Kbd>
        </Button>
        <span className="min-w-0 flex-1" />
        <SendButton size="sm" onClick={() => send(true)}>
          Send and close
        </SendButton>
        <SendButton variant="primary" size="sm" onClick={() => send(false)}>
          Send to {first}
          <Kbd>{MOD} ↵</Kbd>
        </SendButton>
      </div>
    </>
  )
}
