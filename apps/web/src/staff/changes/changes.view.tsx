import type { ReplyOf } from '@tizara/contract'
import { staffChanges } from '@tizara/contract/staff-changes'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { toApiError } from '../../lib/api.ts'
import { useMay } from '../lib/me.tsx'
import { ListState, ListTabs } from '../lib/list-parts.tsx'
import { plain } from '../lib/plain.ts'
import { useKeys } from '../lib/use-keys.ts'
import { watch } from '../lib/watch.ts'
import { age, bothClocks, brief } from '../lib/when.ts'
import { ChangeDetail } from './change-detail.tsx'
import { words } from './diff.ts'
import { ProposeSheet } from './propose-sheet.tsx'

export type ChangeRow = ReplyOf<typeof staffChanges>['data'][number]
const PATH = '/staff/changes'

/** `/staff/changes`: what one person proposed and another decides. */
export default function ChangesView() {
  const [pathname] = useLocation()
  const search = useSearch()
  const id = pathname.slice(PATH.length + 1) || undefined
  const decided = new URLSearchParams(search).get('for') === 'decided'
  const suffix = decided ? '?for=decided' : ''
  const [proposing, setProposing] = useState(false)
  const mayPropose = useMay('proposeChange')
  const list = useQuery(watch(staffChanges, { query: { limit: 100, ...(decided ? {} : { status: 'PENDING' as const }) } }))
  const rows = (list.data?.data ?? []).filter((row) => !decided || row.status !== 'PENDING')
  const row = rows.find((one) => one.id === id)
  const at = rows.findIndex((one) => one.id === id)
  const open = (next: ChangeRow | undefined) =>
    navigate(next === undefined ? `${PATH}${suffix}` : `${PATH}/${next.id}${suffix}`, { replace: id !== undefined })
  const step = (by: number) => open(rows[Math.max(0, Math.min(rows.length - 1, at + by))])
  useKeys({ j: () => step(1), k: () => step(at < 0 ? 1 : -1) })
  return (
    <div className={id === undefined ? 'view panes p-two on' : 'view panes p-two on open'}>
      <section className="pane" aria-label="Proposals">
        <div className="bar">
          <ListTabs
            tabs={[
              { label: 'Waiting', href: PATH, isOn: !decided },
              { label: 'Decided', href: `${PATH}?for=decided`, isOn: decided },
            ]}
          />
          {mayPropose && (
            <button type="button" className="btn sm" style={{ marginLeft: 'auto' }} onClick={() => setProposing(true)}>
              Propose
            </button>
          )}
        </div>
        <div className="scroll">
          <ListState
            error={list.error === null ? undefined : toApiError(list.error).message}
            none={list.data !== undefined && rows.length === 0 ? (decided ? 'Nothing was decided yet' : 'No change waits') : undefined}
          />
          <div role="listbox" aria-label="Changes" tabIndex={0} aria-activedescendant={row === undefined ? undefined : `row-${row.id}`}>
            {rows.map((one) => (
              // The list box has the keys.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
              <div
                key={one.id}
                id={`row-${one.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={one === row}
                className={one === row ? 'q on' : 'q'}
                onClick={() => open(one)}
              >
                <span />
                <span className="row nm">
                  <span className="tr">{words(one.subject)}</span>
                  {one.mine && <span className="tag">yours</span>}
                </span>
                <span className="age" title={bothClocks(one.createdAt)}>
                  {one.status === 'PENDING' ? age(one.createdAt) : `${one.status.toLowerCase()}, ${brief(one.createdAt)}`}
                </span>
                <span />
                <span className="why">
                  <span className="tr">
                    {plain(one.proposedBy)}: {plain(one.reason)}
                  </span>
                </span>
              </div>
            ))}
          </div>
        </div>
      </section>
      {row === undefined ? (
        <section className="pane" aria-label="Change">
          <p className="nothing hide">Choose one with J, or press a row.</p>
        </section>
      ) : (
        <ChangeDetail key={row.id} row={row} onBack={() => open(undefined)} />
      )}
      {proposing && <ProposeSheet onClose={() => setProposing(false)} />}
    </div>
  )
}
