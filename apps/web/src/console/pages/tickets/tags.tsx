import { tagTicket } from '@tizara/contract/staff-tickets'
import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../../lib/http/api.ts'
import { toast } from '../../../ui/toast-store.ts'
import { errorTextOf } from '../../kit/error-text.ts'
import { useMay } from '../../kit/me.tsx'
import { isOffline, useOffline } from '../../kit/offline.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { reloadTickets } from './reload-tickets.ts'
import type { StaffTicket } from './tickets.queries.ts'
import { Tag, tagClass } from '../../../ui/tag.tsx'

/** Suggested tags. Others can be typed. */
const USUAL = ['Deposit', 'Payout', 'Rewards', 'Purchase', 'Account', '2FA'] as const
const MAX_TAGS = 5

/** Shows the ticket's tags. A press lists all tickets with the tag. */
export function Tags({ ticket: { id, tags } }: { ticket: StaffTicket }) {
  const may = useMay('tagTicket')
  const offline = useOffline()
  const [text, setText] = useState<string>()
  async function sort(next: readonly string[]): Promise<void> {
    if (isOffline()) return
    try {
      await call(tagTicket, { params: { id }, body: { tags: [...next] } })
      setText(undefined)
    } catch (error) {
      toast(errorTextOf(error), { tone: 'danger' })
    }
    await reloadTickets()
  }
  const add = (word: string) => {
    if (word === '' || tags.includes(word)) setText(undefined)
    else void sort([...tags, word])
  }
  return (
    <span className="ml-auto flex min-w-0 flex-wrap items-center gap-[5px]" role="group" aria-label="Tags">
      {tags.map((tag) => (
        <Tag key={tag}>
          <Link href={`/staff/tickets?tag=${encodeURIComponent(tag)}`} title={`All tickets with ${plain(tag)}`}>
            {plain(tag)}
          </Link>
          {may && (
            <button
              type="button"
              aria-label={`Remove ${plain(tag)}`}
              aria-disabled={offline}
              onClick={() => void sort(tags.filter((one) => one !== tag))}
            >
              <X size={10} aria-hidden="true" />
            </button>
          )}
        </Tag>
      ))}
      {may && tags.length < MAX_TAGS && text === undefined && (
        <button type="button" className={tagClass()} onClick={() => setText('')}>
          <Plus size={10} aria-hidden="true" /> Tag
        </button>
      )}
      {text !== undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            add(text.trim())
          }}
        >
          <input
            className="control min-h-[26px] w-[132px] px-2 py-0.5"
            aria-label="New tag"
            list="usual-tags"
            maxLength={24}
            // The button that opened it is gone.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setText(undefined)}
            onBlur={() => text.trim() === '' && setText(undefined)}
          />
          <datalist id="usual-tags">
            {USUAL.filter((one) => !tags.includes(one)).map((one) => (
              <option key={one}>{one}</option>
            ))}
          </datalist>
        </form>
      )}
    </span>
  )
}
