import { changeReply, savedReplies, saveReply, type SavedReply } from '@tizara/contract/staff-tickets'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { call, toApiError } from '../../../lib/http/api.ts'
import { read, refetch } from '../../../lib/http/query.ts'
import { toast } from '../../../ui/toast-store.ts'
import { errorTextOf } from '../../kit/error-text.ts'
import { useMay } from '../../kit/me.tsx'
import { SendButton } from '../../kit/offline.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { FormError } from '../../kit/form-error.tsx'
import { Button } from '../../../ui/button.tsx'

/** Lists saved replies, the most used first. Staff add and delete them here. */
export function SavedReplies({ onUse, onClose }: { onUse: (reply: SavedReply) => void; onClose: () => void }) {
  const { data = [] } = useQuery(read(savedReplies))
  const may = useMay('saveReply')
  const [search, setSearch] = useState('')
  const [writes, setWrites] = useState<SavedReply | 'new'>()
  const find = useRef<HTMLInputElement>(null)
  useEffect(() => find.current?.focus(), [writes])
  const fitting = data.filter((one) => `${one.name} ${one.text}`.toLowerCase().includes(search.toLowerCase()))
  /** Closes on Escape, and prevents its other meaning: to leave the reply's field, which has the focus by then. */
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
  }
  return (
    <section className="max-h-[260px] overflow-auto border-b" aria-label="Saved replies" onKeyDown={press}>
      {writes !== undefined ? (
        <Write reply={writes === 'new' ? undefined : writes} onDone={() => setWrites(undefined)} />
      ) : (
        <>
          <div className="flex min-w-0 items-center gap-2 p-2">
            <input
              ref={find}
              className="control"
              aria-label="Find a reply"
              placeholder="Find a reply"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
            {may && (
              <Button size="sm" onClick={() => setWrites('new')}>
                New
              </Button>
            )}
            <Button size="sm" onClick={onClose}>
              Back
            </Button>
          </div>
          <ul>
            {fitting.map((one) => (
              <li key={one.id} className="flex min-w-0 items-center gap-2 border-t px-3 py-1.5">
                <button type="button" className="min-w-0 flex-1 text-left" onClick={() => onUse(one)}>
                  <span className="font-semi">{plain(one.name)}</span> <span className="text-xs text-faint">used {one.uses} times</span>
                  <span className="text-xs text-muted truncate block">{plain(one.text)}</span>
                </button>
                {may && (
                  <Button size="sm" aria-label={`Change ${plain(one.name)}`} onClick={() => setWrites(one)}>
                    Change
                  </Button>
                )}
                {may && <DeleteReply reply={one} />}
              </li>
            ))}
            {fitting.length === 0 && (
              <li className="border-t px-3 py-1.5 text-xs text-muted">
                {data.length === 0 ? 'No saved replies yet.' : 'No reply matches.'}
              </li>
            )}
          </ul>
        </>
      )}
    </section>
  )
}

function DeleteReply({ reply }: { reply: SavedReply }) {
  async function remove(): Promise<void> {
    await call(changeReply, { params: { id: reply.id }, body: { gone: true } }).catch((error: unknown) =>
      toast(toApiError(error).message, { tone: 'danger' }),
    )
    await refetch(savedReplies)
  }
  return (
    <SendButton size="sm" aria-label={`Delete ${plain(reply.name)}`} onClick={remove}>
      Delete
    </SendButton>
  )
}

function Write({ reply, onDone }: { reply: SavedReply | undefined; onDone: () => void }) {
  const [name, setName] = useState(reply?.name ?? '')
  const [text, setText] = useState(reply?.text ?? '')
  const [errorText, setErrorText] = useState<string>()
  async function save(): Promise<void> {
    try {
      const body = { name: name.trim(), text: text.trim() }
      if (reply === undefined) await call(saveReply, { body: { ...body, tags: [] } })
      else await call(changeReply, { params: { id: reply.id }, body })
      await refetch(savedReplies)
      onDone()
    } catch (error) {
      setErrorText(errorTextOf(error))
    }
  }
  return (
    <div className="p-2.5">
      <label className="mb-1 block font-medium" htmlFor="reply-name">
        Name
      </label>
      <input id="reply-name" className="control" maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />
      <label className="mb-1 block font-medium mt-2" htmlFor="reply-text">
        Text
      </label>
      <textarea
        id="reply-text"
        className="control"
        rows={3}
        maxLength={5000}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="text-xs text-faint">
        {'{firstName}'}, {'{amount}'} and {'{receipt}'} are filled before it is sent.
      </p>
      <FormError text={errorText} className="mt-2" />
      <div className="flex min-w-0 items-center gap-2 mt-2 justify-end">
        <Button size="sm" onClick={onDone}>
          Back
        </Button>
        <SendButton variant="primary" size="sm" onClick={save}>
          Save
        </SendButton>
      </div>
    </div>
  )
}
