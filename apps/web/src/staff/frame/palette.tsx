import { staffMembers } from '@tizara/contract/staff-members'
import { useQuery } from '@tanstack/react-query'
import Search from 'lucide-react/icons/search'
import { type KeyboardEvent, useDeferredValue, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { read } from '../../lib/query.ts'
import { useModal } from '../../ui/use-modal.ts'
import { Avatar } from '../lib/avatar.tsx'
import { plain } from '../lib/plain.ts'
import { pathOf, type View } from '../views.ts'

interface Hit {
  key: string
  label: string
  hint: string
  href: string
  person?: string
}

/** An id of the wire, as requests have it. */
const isId = (text: string) => /^[\w-]{10,64}$/.test(text) && /\d/.test(text)

/** Search and commands: views by name, items by id, members by name, mail, phone or code. */
export function Palette({ views, onClose }: { views: readonly View[]; onClose: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const wanted = useDeferredValue(text.trim())
  const bind = useModal({ open: true, onClose, closeOnOutside: true })
  const people = useQuery({ ...read(staffMembers, { query: { q: wanted, limit: 5 } }), enabled: wanted.length > 1 })
  const members = views.find((view) => view.name === 'members')
  const hits: Hit[] = [
    ...views
      .filter((view) => view.title.toLowerCase().includes(wanted.toLowerCase()))
      .map((view) => ({
        key: view.name,
        label: view.title,
        hint: view.go === undefined ? '' : `G ${view.go.toUpperCase()}`,
        href: pathOf(view),
      })),
    ...(isId(wanted)
      ? views
          .filter((view) => view.name === 'payouts' || view.name === 'deposits')
          .map((view) => ({ key: `id-${view.name}`, label: `Open ${wanted}`, hint: view.title, href: `${pathOf(view)}/${wanted}` }))
      : []),
    ...(members === undefined || wanted.length < 2 ? [] : (people.data?.data ?? [])).map((one) => ({
      key: one.id,
      label: plain(one.name),
      hint: plain(one.email),
      href: `/staff/members/${one.id}`,
      person: one.name,
    })),
  ]
  const place = Math.min(at, hits.length - 1)
  const open = (hit: Hit | undefined) => {
    if (hit === undefined) return
    onClose()
    navigate(hit.href)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') open(hits[place])
    else if (step !== undefined) setAt(Math.max(0, Math.min(hits.length - 1, place + step)))
    else return
    event.preventDefault()
  }
  return (
    <dialog {...bind} className="sheet" aria-label="Search and commands">
      <div className="inp">
        <Search className="i" aria-hidden="true" />
        <input
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded="true"
          aria-controls="palette-hits"
          aria-activedescendant={hits[place] === undefined ? undefined : `hit-${place}`}
          placeholder="A view, a member, an id"
          value={text}
          onKeyDown={press}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
        />
      </div>
      <div id="palette-hits" role="listbox" aria-label="Hits" style={{ padding: '6px 0 10px' }}>
        {hits.map((hit, index) => (
          // The field keeps the focus and has the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={hit.key}
            id={`hit-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === place}
            className={index === place ? 'hit on' : 'hit'}
            onClick={() => open(hit)}
          >
            {hit.person !== undefined && <Avatar name={hit.person} />}
            <span className="grow tr">{hit.label}</span>
            <span className="fnt sm">{hit.hint}</span>
          </div>
        ))}
      </div>
      {hits.length === 0 && <p className="nothing">{people.isFetching ? 'Looking' : 'Nothing fits'}</p>}
    </dialog>
  )
}
