import { noteOnMember } from '@tizara/contract/staff-member-acts'
import { staffMemberNotes } from '@tizara/contract/staff-member-pages'
import { staffMemberDetail } from '@tizara/contract/staff-members'
import { MESSAGE_MAX_LENGTH } from '@tizara/contract'
import Lock from 'lucide-react/icons/lock'
import { useState } from 'react'
import { call, toApiError } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { toast } from '../../../ui/toast-store.ts'
import { useDraft } from '../../kit/drafts.ts'
import { Lines } from '../../kit/lines.tsx'
import { ListState, More } from '../../kit/list-parts.tsx'
import { useMay, useMe, useWhoCan } from '../../kit/me.tsx'
import { Offline, SendButton } from '../../kit/offline.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { useNextPages } from '../../kit/use-next-pages.ts'
import { utcAndLocal, briefly } from '../../kit/when.ts'
import { STAFF_NOTE } from '../../kit/staff-note-class.ts'
import { cx } from '../../../ui/cx.ts'
import { FormError } from '../../kit/form-error.tsx'

/** Shows staff notes: amber, dashed, with a lock, as on all pages. */
export function NotesTab({ id }: { id: string }) {
  const me = useMe()
  const may = useMay('noteOnMember')
  const whoCan = useWhoCan('noteOnMember')
  const list = useNextPages(staffMemberNotes, { params: { id } })
  const [text, setText] = useDraft(`${me.person.id}:member-note:${id}`)
  const [errorText, setErrorText] = useState<string>()
  async function save(): Promise<void> {
    if (text.trim() === '') return setErrorText('Please write a note')
    try {
      await call(noteOnMember, { params: { id }, body: { text: text.trim() } })
      setText('')
      toast('Note saved. Only staff can read it')
      await refetch(staffMemberNotes, staffMemberDetail)
    } catch (error) {
      setErrorText(toApiError(error).message)
    }
  }
  return (
    <>
      <div className={STAFF_NOTE}>
        <label className="flex min-w-0 items-center gap-2 text-xs font-semi" htmlFor="member-note">
          <Lock size={12} className="text-warning" aria-hidden="true" />
          Internal, only staff
        </label>
        <textarea
          id="member-note"
          className="control mt-1"
          rows={3}
          maxLength={MESSAGE_MAX_LENGTH}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setErrorText(undefined)
          }}
        />
        <FormError text={errorText} className="mt-2" />
        <Offline />
        <div className="flex min-w-0 items-center gap-2 mt-2 justify-end">
          <SendButton size="sm" aria-disabled={!may} title={may ? undefined : whoCan} onClick={save}>
            Save note
          </SendButton>
        </div>
      </div>
      <ListState query={list} rows={list.rows.length} none="No notes yet" />
      <ol>
        {list.rows.map((note) => (
          <li key={note.id} className={cx('mt-2', STAFF_NOTE)}>
            <div className="flex min-w-0 items-center gap-2 text-xs">
              <b className="font-semi">{plain(note.by.name)}</b>
              <time className="text-faint" title={utcAndLocal(note.at)}>
                {briefly(note.at)} UTC
              </time>
            </div>
            <Lines text={note.text} />
          </li>
        ))}
      </ol>
      <More pages={list} />
    </>
  )
}
