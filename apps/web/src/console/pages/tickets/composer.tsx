import Lock from 'lucide-react/icons/lock'
import Send from 'lucide-react/icons/send'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import type { PresenceActivity } from '../../kit/presence.ts'
import { plain } from '../../kit/strip-control-characters.ts'
import { useKeys } from '../../kit/use-keys.ts'
import { brief } from '../../kit/when.ts'
import { Note } from './note.tsx'
import { Reply } from './reply.tsx'
import type { StaffTicket } from './tickets.queries.ts'
import { Notice } from '../../../ui/notice.tsx'
import { cx } from '../../../ui/cx.ts'
import { Kbd } from '../../../ui/kbd.tsx'

const TAB = 'inline-flex h-9 items-center gap-[7px] border-r px-3.5 font-[540]'

/** Idle time in ms after which a writer counts as reading. */
const IDLE_MS = 6_000

/**
 * Edits reply and note in two fields with separate drafts, colours and buttons. Switching tabs never moves text, so a note cannot
 * become a reply (staff.md 4, Tickets).
 */
export function Composer({
  ticket,
  onClosed,
  onActivity,
}: {
  ticket: StaffTicket
  onClosed: () => void
  onActivity: (activity: PresenceActivity) => void
}) {
  const [may, mayNote] = [useMay('answerTicket'), useMay('noteOnTicket')]
  const whoCan = useWhoCan('answerTicket')
  const [tab, setTab] = useState<'reply' | 'note'>('reply')
  const field = useRef<HTMLTextAreaElement>(null)
  const [typed, setTyped] = useState<Date>()
  useEffect(() => {
    if (typed === undefined) {
      onActivity('viewing')
      return undefined
    }
    onActivity(tab === 'reply' ? 'writing' : 'noting')
    const timer = setTimeout(() => onActivity('viewing'), IDLE_MS)
    return () => clearTimeout(timer)
  }, [typed, tab, onActivity])
  useEffect(() => () => onActivity('viewing'), [onActivity])
  const first = plain(ticket.member.name).split(' ')[0] ?? ''
  const type = (text: string) => setTyped(text === '' ? undefined : new Date())
  const go = (to: 'reply' | 'note') => {
    // Renders the other field at once, so that the next key is typed into it.
    flushSync(() => setTab(to))
    field.current?.focus()
  }
  useKeys({ r: () => go('reply'), n: mayNote ? () => go('note') : undefined, Escape: () => field.current?.blur() })
  if (!may)
    return (
      <Notice icon={null} className="mx-4 mb-3.5">
        Your role cannot answer tickets. {whoCan}.
      </Notice>
    )
  return (
    <div
      className={cx(
        'mx-4 mb-3.5 flex-none overflow-hidden rounded-[12px] border max-md:sticky max-md:bottom-16 max-md:z-4 max-md:mx-3 max-md:mb-3',
        tab === 'note' ? 'border-dashed border-(--warning-line) bg-warning-soft' : 'border-line-strong bg-surface',
      )}
    >
      <div className="flex border-b">
        <button
          type="button"
          className={cx(TAB, tab === 'reply' ? 'text-ink shadow-[inset_0_-2px_var(--accent-line)]' : 'text-muted')}
          aria-pressed={tab === 'reply'}
          onClick={() => go('reply')}
        >
          <Send size={14} aria-hidden="true" />
          Reply to {first}
        </button>
        <button
          type="button"
          className={cx(TAB, tab === 'note' ? 'text-ink shadow-[inset_0_-2px_var(--warning-line)]' : 'text-muted')}
          aria-pressed={tab === 'note'}
          onClick={() => go('note')}
        >
          <Lock size={14} aria-hidden="true" />
          Internal note
          <Kbd>N</Kbd>
        </button>
        {typed !== undefined && (
          <span className="m-[auto_12px_auto_auto] text-xs text-muted max-md:hidden">Draft saved {brief(typed)} UTC</span>
        )}
      </div>
      {tab === 'reply' ? (
        <Reply ticket={ticket} first={first} field={field} onClosed={onClosed} onType={type} />
      ) : (
        <Note ticket={ticket} field={field} onType={type} />
      )}
    </div>
  )
}
