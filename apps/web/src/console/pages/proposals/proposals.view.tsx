import { staffChanges } from '@tizara/contract/staff-changes'
import { navigate } from 'wouter/use-browser-location'
import { ListState, ListTabs, More, RowList } from '../../kit/list-parts.tsx'
import { useMay } from '../../kit/me.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { usePageLocation } from '../../kit/page-location.ts'
import { useKeys } from '../../kit/use-keys.ts'
import { usePages } from '../../kit/use-pages.ts'
import { age, utcAndLocal, brief } from '../../kit/when.ts'
import { ChangeDetail } from './change-detail.tsx'
import { badgeOf, isOwn } from './change-status.ts'
import type { ChangeRow } from './proposals.queries.ts'
import { Pane, PaneBar, Split } from '../../../ui/split.tsx'
import { Button } from '../../../ui/button.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/cx.ts'

const PATH = '/staff/changes'
const VIEWS = { PENDING: 'Open', PLANNED: 'Planned' } as const

/** `/staff/changes`: proposals by one person for another to decide. */
export default function ChangesView() {
  const { id, search, filtered, open } = usePageLocation(PATH)
  const which = search.get('for')
  const status = which === 'planned' ? 'PLANNED' : which === 'all' ? undefined : 'PENDING'
  const mayPropose = useMay('proposeChange')
  const pending = usePages(staffChanges, { query: { status: 'PENDING' } })
  const planned = usePages(staffChanges, { query: { status: 'PLANNED' } })
  const all = usePages(staffChanges, { query: {} })
  const pages = status === 'PENDING' ? pending : status === 'PLANNED' ? planned : all
  // Recent decisions follow the pending ones.
  const decided = status === 'PENDING' && !pending.hasMore ? all.rows.filter((row) => row.status !== 'PENDING').slice(0, 20) : []
  const rows = [...pages.rows, ...decided]
  const at = rows.findIndex((one) => one.id === id)
  const step = (by: number) => open(rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.id)
  const propose = mayPropose ? () => navigate('/staff/catalogue') : undefined
  useKeys({ j: () => step(1), k: () => step(at < 0 ? 1 : -1), p: propose })
  return (
    <Split columns="md:grid-cols-[372px_minmax(0,1fr)]" isOpen={id !== undefined}>
      <Pane aria-label="Proposals">
        <PaneBar>
          <ListTabs
            inBar
            tabs={[
              { label: VIEWS.PENDING, href: filtered({ for: undefined }), isOn: status === 'PENDING', count: pending.rows.length },
              { label: VIEWS.PLANNED, href: filtered({ for: 'planned' }), isOn: status === 'PLANNED', count: planned.rows.length },
              { label: 'All', href: filtered({ for: 'all' }), isOn: status === undefined },
            ]}
          />
          {propose !== undefined && (
            <Button size="sm" className="ml-auto" onClick={propose}>
              Propose
              <Kbd>P</Kbd>
            </Button>
          )}
        </PaneBar>
        <div className="min-h-0 flex-1 md:overflow-auto">
          <ListState
            query={pages}
            rows={rows.length}
            none={status === 'PENDING' ? 'No open proposals' : status === 'PLANNED' ? 'No planned proposals' : 'No proposals yet'}
          />
          {rows.length > 0 && (
            <RowList
              label="Proposals"
              rows={rows}
              current={id}
              onOpen={(row) => open(row.id)}
              className={(row) =>
                cx('grid grid-cols-[minmax(0,1fr)_auto] gap-x-2.5 px-3 py-2 max-md:px-4 max-md:py-[11px]', isOwn(row) && '*:text-faint')
              }
              headingOf={(row) => (row === decided[0] ? 'Decided' : undefined)}
            >
              {(row) => <Row row={row} />}
            </RowList>
          )}
          <More pages={pages} />
        </div>
      </Pane>
      {id === undefined ? (
        <Pane aria-label="Change">
          {rows.length > 0 && (
            <p className="grid justify-items-center gap-1.5 px-6 py-14 text-center text-muted [&>b]:text-ink max-md:hidden">
              Select one with J, or click a row.
            </p>
          )}
        </Pane>
      ) : (
        <ChangeDetail key={id} id={id} row={rows.find((row) => row.id === id)} onBack={() => open(undefined)} />
      )}
    </Split>
  )
}

function Row({ row }: { row: ChangeRow }) {
  const [tone, text] = badgeOf(row)
  return (
    <>
      <span className="flex min-w-0 items-center gap-2 font-semi">
        <Tag>{row.subject}</Tag>
        <span className="truncate">
          {plain(row.title)}
          {row.startsAt && row.status !== 'IN_FORCE' ? ` from ${brief(row.startsAt)}` : ''}
        </span>
      </span>
      <span>
        <Badge tone={tone}>{text}</Badge>
      </span>
      <span className="flex min-w-0 items-center gap-1.5 text-xs text-faint">
        <span className="truncate">
          {plain(row.proposedBy.name)}
          {row.mine ? ', you' : row.aboutYou === true ? ', about you' : ''}
        </span>
      </span>
      <span className="flex items-center justify-end gap-1.5 text-xs text-faint" title={utcAndLocal(row.createdAt)}>
        {row.status === 'PENDING' ? age(row.createdAt) : brief(row.decidedAt ?? row.createdAt)}
      </span>
    </>
  )
}
