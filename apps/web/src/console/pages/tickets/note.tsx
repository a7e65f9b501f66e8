import { noteOnTicket } from '@tizara/contract/staff-tickets'
import Lock from 'lucide-react/icons/lock'
import { type Ref, useState } from 'react'
import { call } from '../../../lib/http/api.ts'
import { toast } from '../../../ui/toast-store.ts'
import { errorTextOf } from '../../kit/error-text.ts'
import { useDraft } from '../../kit/drafts.ts'
import { useMe } from '../../kit/me.tsx'
import { isOffline, Offline, SendButton } from '../../kit/offline.tsx'
import { useKeys } from '../../kit/use-keys.ts'
import { FormError } from '../../kit/form-error.tsx'
import { Field, FIELD_BAR } from './composer-parts.tsx'
import { reloadTickets } from './reload-tickets.ts'
import type { StaffTicket } from './tickets.queries.ts'
import { Kbd } from '../../../ui/kbd.tsx'
import { MOD } from '../../kit/mod-key.ts'

/** Edits an internal note on a ticket. Only staff read it. */
export function Note({ ticket, field, onType }: { ticket: StaffTicket; field: Ref<HTMLTextAreaElement>; onType: (text: string) => void }) {
  const me = useMe()
  const [text, setText] = useDraft(`${me.person.id}:note:${ticket.id}`)
  const [errorText, setErrorText] = useState<string>()
  async function save(): Promise<void> {
    if (isOffline()) return
    if (text.trim() === '') return setErrorText('Please write a note')
    try {
      await call(noteOnTicket, { params: { id: ticket.id }, body: { text: text.trim() } })
      setText('')
      onType('')
      toast('Note saved. Only staff can read it')
    } catch (error) {
      setErrorText(errorTextOf(error))
    } finally {
      await reloadTickets()
    }
  }
  const write = (next: string) => {
    setErrorText(undefined)
    setText(next)
    onType(next)
  }
  useKeys({ 'mod+Enter': text.trim() === '' ? undefined : () => void save() })
  return (
    <>
      <FormError className="mx-2.5 my-2" text={errorText} />
      <Offline />
      <Field id="note" label="Internal note" placeholder="Only staff can read this" value={text} onChange={write} field={field} />
      <div className={FIELD_BAR}>
        <span className="text-xs text-muted flex min-w-0 items-center gap-1.5">
          <Lock size={12} aria-hidden="true" />
          Never sent to the member
        </span>
        <span className="min-w-0 flex-1" />
        <SendButton size="sm" onClick={save}>
          Save note
          <Kbd>{MOD} ↵</Kbd>
        </SendButton>
      </div>
    </>
  )
}
