import type { ReplyOf } from '@tizara/contract'
import { caseViews, staffCases } from '@tizara/contract/staff-cases'
import { Link } from 'wouter'
import { panelClass } from '../../../ui/panel.tsx'
import { Table } from '../../../ui/table.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { Heads } from '../../kit/heads.tsx'
import { ListState, ListTabs, More } from '../../kit/list-parts.tsx'
import { Page } from '../../kit/page.tsx'
import { usePageLocation } from '../../kit/page-location.ts'
import { Person } from '../../kit/person.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { usePages } from '../../kit/use-pages.ts'
import { brief, utcAndLocal } from '../../kit/when.ts'
import { OUTCOMES } from './outcomes.ts'

type Row = ReplyOf<typeof staffCases>['data'][number]

const PATH = '/staff/cases'
const VIEWS = { open: 'Open', mine: 'Mine', closed: 'Closed' } as const
const EMPTY_TEXTS = { open: 'No open cases', mine: 'You own no open case', closed: 'No closed cases yet' } as const

/** `/staff/cases`: suspicions about members, each with an owner, a due date and an outcome. */
export default function CasesView() {
  const location = usePageLocation(PATH)
  const view = caseViews.find((one) => one === location.search.get('view')) ?? 'open'
  const list = usePages(staffCases, { query: { view } }, 50)
  return (
    <Page title="Cases" hint="Open a case on the page of a member, which also shows the warnings, requests, tickets and notes.">
      <ListTabs
        label="Which cases"
        tabs={caseViews.map((one) => ({
          label: VIEWS[one],
          href: location.filtered({ view: one === 'open' ? undefined : one }),
          isOn: one === view,
          count: one === view && one !== 'closed' ? list.total : undefined,
        }))}
      />
      <section className={panelClass('mt-3')} aria-label="Cases">
        <ListState query={list} rows={list.rows.length} none={EMPTY_TEXTS[view]} />
        {list.rows.length > 0 && (
          <Table folds>
            <Heads columns={['Case', 'Member', 'Owner', 'Opened', view === 'closed' ? 'Outcome' : 'Due']} />
            <tbody>
              {list.rows.map((row) => (
                <CaseRow key={row.id} row={row} />
              ))}
            </tbody>
          </Table>
        )}
        <More pages={list} />
      </section>
    </Page>
  )
}

function CaseRow({ row }: { row: Row }) {
  return (
    <tr>
      <td>
        <Link href={`/staff/members/${row.member.id}/timeline`} className="link">
          {plain(row.title)}
        </Link>
        <span className="block text-xs text-muted">{plain(row.reason)}</span>
      </td>
      <td data-label="Member">
        <Person person={row.member} />
      </td>
      <td data-label="Owner">{row.owner === null ? <Tag>nobody</Tag> : plain(row.owner.name)}</td>
      <td data-label="Opened" title={utcAndLocal(row.openedAt)}>
        {brief(row.openedAt)}
      </td>
      {row.outcome === null ? (
        <td data-label="Due" title={utcAndLocal(row.dueAt)}>
          {brief(row.dueAt)} {row.dueAt < new Date() && <Tag>overdue</Tag>}
        </td>
      ) : (
        <td data-label="Outcome" title={row.closedAt === null ? undefined : utcAndLocal(row.closedAt)}>
          {OUTCOMES[row.outcome]}
          <span className="block text-xs text-muted">
            {plain(row.closedBy?.name ?? '')}: “{plain(row.outcomeReason ?? '')}”
          </span>
        </td>
      )}
    </tr>
  )
}
