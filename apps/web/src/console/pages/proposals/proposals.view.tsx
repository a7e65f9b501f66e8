import './proposals.css'
import { staffChanges } from '@tizara/contract/staff-changes'
import { navigate } from 'wouter/use-browser-location'
import { ListState, ListTabs, More, RowList } from '../../kit/list-parts.tsx'
import { useMay } from '../../kit/me.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { usePlace } from '../../kit/place.ts'
import { useKeys } from '../../kit/use-keys.ts'
import { usePages } from '../../kit/use-pages.ts'
import { age, bothClocks, brief } from '../../kit/when.ts'
import { ChangeDetail } from './change-detail.tsx'
import { badgeOf, isOwn } from './change-status.ts'
import type { ChangeRow } from './proposals.queries.ts'

const PATH = '/staff/changes'
const PLACE = { PENDING: 'Open', PLANNED: 'Planned' } as const

/** `/staff/changes`: what one person proposed and another decides. */
export default function ChangesView() {
  const { id, search, filtered, open } = usePlace(PATH)
  const which = search.get('for')
  const status = which === 'planned' ? 'PLANNED' : which === 'all' ? undefined : 'PENDING'
  const mayPropose = useMay('proposeChange')
  const pending = usePages(staffChanges, { query: { status: 'PENDING' } })
  const planned = usePages(staffChanges, { query: { status: 'PLANNED' } })
  const all = usePages(staffChanges, { query: {} })
  const pages = status === 'PENDING' ? pending : status === 'PLANNED' ? planned : all
  // Below what waits stands what was decided lately.
  const lately = status === 'PENDING' && !pending.hasMore ? all.rows.filter((row) => row.status !== 'PENDING').slice(0, 20) : []
  const rows = [...pages.rows, ...lately]
  const at = rows.findIndex((one) => one.id === id)
  const step = (by: number) => open(rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.id)
  const propose = mayPropose ? () => navigate('/staff/catalogue') : undefined
  useKeys({ j: () => step(1), k: () => step(at < 0 ? 1 : -1), p: propose })
  return (
    <div className={id === undefined ? 'view panes p-two on' : 'view panes p-two on open'}>
      <section className="pane" aria-label="Proposals">
        <div className="bar">
          <ListTabs
            tabs={[
              { label: PLACE.PENDING, href: filtered({ for: undefined }), isOn: status === 'PENDING', count: pending.rows.length },
              { label: PLACE.PLANNED, href: filtered({ for: 'planned' }), isOn: status === 'PLANNED', count: planned.rows.length },
              { label: 'All', href: filtered({ for: 'all' }), isOn: status === undefined },
            ]}
          />
          {propose !== undefined && (
            <button type="button" className="btn sm" style={{ marginLeft: 'auto' }} onClick={propose}>
              Propose
              <kbd className="kbd">P</kbd>
            </button>
          )}
        </div>
        <div className="scroll">
          <ListState
            query={pages}
            rows={rows.length}
            none={status === 'PENDING' ? 'No change waits' : status === 'PLANNED' ? 'Nothing is planned' : 'Nothing was proposed yet'}
          />
          {rows.length > 0 && (
            <RowList
              label="Changes"
              rows={rows}
              current={id}
              onOpen={(row) => open(row.id)}
              className={(row) => (isOwn(row) ? 'q ch own' : 'q ch')}
              headingOf={(row) => (row === lately[0] ? 'Decided' : undefined)}
            >
              {(row) => <Row row={row} />}
            </RowList>
          )}
          <More pages={pages} />
        </div>
      </section>
      {id === undefined ? (
        <section className="pane" aria-label="Change">
          {rows.length > 0 && <p className="nothing hide">Choose one with J, or press a row.</p>}
        </section>
      ) : (
        <ChangeDetail key={id} id={id} row={rows.find((row) => row.id === id)} onBack={() => open(undefined)} />
      )}
    </div>
  )
}

function Row({ row }: { row: ChangeRow }) {
  const [look, text] = badgeOf(row)
  return (
    <>
      <span className="row nm">
        <span className="tag">{row.subject}</span>
        <span className="tr">
          {plain(row.title)}
          {row.startsAt && row.status !== 'IN_FORCE' ? ` from ${brief(row.startsAt)}` : ''}
        </span>
      </span>
      <span>
        <span className={look}>{text}</span>
      </span>
      <span className="why">
        <span className="tr">
          {plain(row.proposedBy.name)}
          {row.mine ? ', you' : row.aboutYou === true ? ', about you' : ''}
        </span>
      </span>
      <span className="age" title={bothClocks(row.createdAt)}>
        {row.status === 'PENDING' ? age(row.createdAt) : brief(row.decidedAt ?? row.createdAt)}
      </span>
    </>
  )
}
