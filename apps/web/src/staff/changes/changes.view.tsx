import './changes.css'
import type { ReplyOf } from '@tizara/contract'
import { staffChanges } from '@tizara/contract/staff-changes'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { useMay } from '../lib/me.tsx'
import { ListState, ListTabs, RowList } from '../lib/list-parts.tsx'
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
          <ListState query={list} rows={rows.length} none={decided ? 'Nothing was decided yet' : 'No change waits'} />
          {rows.length > 0 && (
            <RowList label="Changes" rows={rows} current={id} onOpen={open} className={() => 'q'}>
              {(one) => (
                <>
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
                </>
              )}
            </RowList>
          )}
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
