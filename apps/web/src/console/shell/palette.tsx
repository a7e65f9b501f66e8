import type { ReplyOf } from '@tizara/contract'
import { staffSearch } from '@tizara/contract/staff-platform'
import { useQuery } from '@tanstack/react-query'
import Search from 'lucide-react/icons/search'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { useModal } from '../../ui/use-modal.ts'
import { Amount } from '../kit/amount.tsx'
import { Avatar } from '../kit/avatar.tsx'
import { useMe } from '../kit/me.tsx'
import { plain } from '../kit/strip-control-characters.ts'
import { watch } from '../kit/watch.ts'
import { age } from '../kit/when.ts'
import type { ConsolePage } from './console-page.ts'
import { pathOf } from './pages.ts'
import { sheetClass, sheetFootClass } from '../../ui/sheet.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { cx } from '../../ui/cx.ts'
import { MOD } from '../kit/mod-key.ts'

type SearchReply = ReplyOf<typeof staffSearch>
type FoundHit = SearchReply['members'][number]

interface Hit {
  key: string
  group: string
  label: string
  hint?: ReactNode
  href: string
  /** A round avatar for a member. */
  person?: string
  /** The hit of the action. Its page asks for a reason. */
  of?: FoundHit
}

const GROUPS = [
  ['members', 'Members'],
  ['waiting', 'Waiting'],
  ['transfers', 'Transfers'],
  ['changes', 'Proposals'],
] as const

/** Actions on search hits, by required right. Each opens the hit's page. */
const ACTIONS: Readonly<Partial<Record<FoundHit['kind'], readonly (readonly [right: string, label: string, query: string])[]>>> = {
  member: [
    ['endMemberSessions', 'End all sessions of', '?act=end-sessions'],
    ['viewAsMember', 'View as', '?act=view-as'],
    ['setMemberStatus', 'Block', '?act=block'],
  ],
  payout: [['approveRequest', 'Decide', '']],
  deposit: [['approveRequest', 'Decide', '']],
  ticket: [['answerTicket', 'Answer', '']],
  change: [['approveChange', 'Decide', '']],
}

const allowedActions = (hit: FoundHit, rights: readonly string[]): Hit[] =>
  (ACTIONS[hit.kind] ?? [])
    .filter(([right]) => rights.includes(right))
    .map(([right, label, query]) => ({
      key: right,
      group: 'Actions',
      label: `${label} ${plain(hit.text)}`,
      hint: right === 'viewAsMember' ? 'read only' : 'asks for a reason',
      href: hit.href + query,
    }))

const asHit = (group: string, hit: FoundHit): Hit => ({
  key: `${hit.kind}-${hit.id}`,
  group,
  label: plain(hit.text),
  href: hit.href,
  of: hit,
  ...(hit.kind === 'member' ? { person: hit.text, hint: plain(hit.detail ?? '') } : { hint: <About hit={hit} /> }),
})

function About({ hit }: { hit: FoundHit }) {
  return (
    <>
      {hit.amount !== undefined && hit.asset !== undefined && <Amount asset={hit.asset} value={hit.amount} />} {plain(hit.detail ?? '')}
      {hit.at !== undefined && hit.kind !== 'transfer' && `, ${age(hit.at)}`}
    </>
  )
}

/** Highlights the search text in a result. */
function Marked({ text, part }: { text: string; part: string }) {
  const at = part.length < 2 ? -1 : text.toLowerCase().indexOf(part.toLowerCase())
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  )
}

/** Search and commands: views by name; people, requests, transfers and proposals by any known detail. */
export function Palette({ views, onClose }: { views: readonly ConsolePage[]; onClose: () => void }) {
  const me = useMe()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [acting, setActing] = useState<FoundHit>()
  const search = useDeferredValue(text.trim())
  const bind = useModal({ open: true, onClose: () => (acting === undefined ? onClose() : setActing(undefined)), closeOnOutside: true })
  const { data, isFetching } = useQuery({
    ...watch(staffSearch, { query: { q: search } }),
    enabled: search.length > 1,
    refetchInterval: false,
  })
  const hits: Hit[] =
    acting === undefined
      ? [
          ...views
            .filter((view) => view.title.toLowerCase().includes(search.toLowerCase()))
            .map((view): Hit => ({
              key: view.name,
              group: 'Pages',
              label: view.title,
              hint: view.key === undefined ? '' : `G ${view.key.toUpperCase()}`,
              href: pathOf(view),
            })),
          ...(search.length < 2 || data === undefined ? [] : GROUPS.flatMap(([name, title]) => data[name].map((hit) => asHit(title, hit)))),
          ...(search.length < 2 || data?.members[0] === undefined ? [] : allowedActions(data.members[0], me.rights).slice(0, 2)),
        ]
      : allowedActions(acting, me.rights)
  const position = Math.max(0, Math.min(at, hits.length - 1))
  const open = (hit: Hit | undefined, beside = false) => {
    if (hit === undefined) return
    if (beside) return void window.open(hit.href, '_blank', 'noopener')
    onClose()
    navigate(hit.href)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const on = hits[position]
    if (event.key === 'Enter') open(on, event.metaKey || event.ctrlKey)
    else if (step !== undefined) setAt(Math.max(0, Math.min(hits.length - 1, position + step)))
    else if (event.key === 'Tab' && !event.shiftKey && on?.of !== undefined) {
      setActing(on.of)
      setAt(0)
    } else return
    event.preventDefault()
  }
  return (
    <dialog {...bind} className={sheetClass()} aria-label="Search and commands">
      <div className="flex items-center gap-2.5 border-b px-4 [&>input]:h-[50px] [&>input]:min-w-0 [&>input]:flex-1 [&>input]:bg-transparent [&>input]:text-md [&>input]:outline-none">
        <Search size={16} aria-hidden="true" />
        <input
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded="true"
          aria-controls="palette-hits"
          aria-activedescendant={hits[position] === undefined ? undefined : `hit-${position}`}
          placeholder="A view, a member, an address, an amount, an id"
          value={acting === undefined ? text : plain(acting.text)}
          readOnly={acting !== undefined}
          maxLength={100}
          onKeyDown={press}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
        />
        <Kbd>Esc</Kbd>
      </div>
      <div id="palette-hits" role="listbox" aria-label="Results" className="max-h-[52dvh] overflow-auto pt-1.5 pb-2.5">
        {hits.map((hit, index) => (
          <div key={hit.key} role="presentation">
            {hits[index - 1]?.group !== hit.group && (
              <h4 aria-hidden="true" className="px-4 pt-2.5 pb-[3px] text-2xs font-semi text-faint">
                {hit.group}
              </h4>
            )}
            {/* The field keeps the focus and handles the keys. */}
            {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
            <div
              id={`hit-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === position}
              className={cx('mx-1.5 flex items-center gap-2.5 rounded-md px-2.5 py-1.5', index === position && 'bg-accent-soft')}
              onClick={() => open(hit)}
            >
              {hit.person !== undefined && <Avatar name={hit.person} />}
              <span className="min-w-0 flex-1 truncate">
                <Marked text={hit.label} part={search} />
              </span>
              <span className="text-faint text-xs truncate">{hit.hint}</span>
            </div>
          </div>
        ))}
      </div>
      {hits.length === 0 && (
        <p className="grid justify-items-center gap-1.5 px-6 py-14 text-center text-muted [&>b]:text-ink">
          {isFetching ? 'Searching' : 'No results'}
        </p>
      )}
      <div className={cx(sheetFootClass, 'justify-start text-xs text-faint max-md:hidden')}>
        <span>
          <Kbd>↵</Kbd> open
        </span>
        <span>
          <Kbd>{MOD} ↵</Kbd> open beside
        </span>
        <span>
          <Kbd>Tab</Kbd> actions
        </span>
        <span className="ml-auto">mail, phone, code, address, hash, amount or id</span>
      </div>
    </dialog>
  )
}
