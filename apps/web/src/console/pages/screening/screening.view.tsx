import type { ReplyOf } from '@tizara/contract'
import { staffChanges } from '@tizara/contract/staff-changes'
import { decideScreening, screeningViews, staffScreeningHits } from '@tizara/contract/staff-screening'
import { useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { Button } from '../../../ui/button.tsx'
import { panelClass } from '../../../ui/panel.tsx'
import { Table } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { Choice } from '../../kit/choice.tsx'
import { Heads } from '../../kit/heads.tsx'
import { ListState, ListTabs, More } from '../../kit/list-parts.tsx'
import { useMay, useMe, useWhoCan } from '../../kit/me.tsx'
import { Page } from '../../kit/page.tsx'
import { usePageLocation } from '../../kit/page-location.ts'
import { plain } from '../../kit/strip-control-characters.ts'
import { usePages } from '../../kit/use-pages.ts'
import { brief, utcAndLocal } from '../../kit/when.ts'
import { ScreeningListPanel } from './screening-list.tsx'

type Hit = ReplyOf<typeof staffScreeningHits>['data'][number]

const PATH = '/staff/screening'
const VIEWS = { open: 'To decide', same: 'Same person', different: 'Another person' } as const
const EMPTY_TEXTS = { open: 'Nothing to decide', same: 'No listed members', different: 'No cleared matches yet' } as const
const CAUSES = { list: 'new list', name: 'name', address: 'new address', payout: 'payout' } as const
const VERDICTS = [
  ['different', 'Another person'],
  ['same', 'The listed person'],
] as const

/** `/staff/screening`: members whose name or address is on the list that the operator loaded. */
export default function ScreeningView() {
  const location = usePageLocation(PATH)
  const view = screeningViews.find((one) => one === location.search.get('view')) ?? 'open'
  const member = location.search.get('member') ?? undefined
  const list = usePages(staffScreeningHits, { query: { view, ...(member === undefined ? {} : { member }) } }, 50)
  const [deciding, setDeciding] = useState<Hit>()
  return (
    <Page
      title="Screening"
      hint="Members whose name or payout address is on a list that you loaded, such as sanctions. Members are told nothing about it."
    >
      <ScreeningListPanel />
      <ListTabs
        label="Which matches"
        tabs={screeningViews.map((one) => ({
          label: VIEWS[one],
          href: location.filtered({ view: one === 'open' ? undefined : one }),
          isOn: one === view,
          count: one === view ? list.total : undefined,
        }))}
      />
      <section className={panelClass('mt-3')} aria-label="Matches">
        <ListState
          query={list}
          rows={list.rows.length}
          none={EMPTY_TEXTS[view]}
          filtered={
            member === undefined ? undefined : { none: 'This member has none here', clear: location.filtered({ member: undefined }) }
          }
        />
        {list.rows.length > 0 && (
          <Table folds>
            <Heads columns={['Member', 'Listed as', 'Source', 'Compared', 'Found', ['Decide', 'sr']]} />
            <tbody>
              {list.rows.map((row) => (
                <HitRow key={row.id} row={row} onDecide={() => setDeciding(row)} />
              ))}
            </tbody>
          </Table>
        )}
        <More pages={list} />
      </section>
      {deciding !== undefined && (
        <Decide
          member={deciding.member}
          hits={list.rows.filter((row) => row.member.id === deciding.member.id)}
          onClose={() => setDeciding(undefined)}
        />
      )}
    </Page>
  )
}

function HitRow({ row, onDecide }: { row: Hit; onDecide: () => void }) {
  const me = useMe()
  const may = useMay('decideScreening')
  const whoCan = useWhoCan('decideScreening')
  const isOwn = row.member.id === me.person.id
  return (
    <tr>
      <td>
        <Link href={`/staff/members/${row.member.id}/timeline`} className="link">
          {plain(row.member.name)}
        </Link>
        <span className="block text-xs text-muted">{plain(row.member.email ?? '')}</span>
      </td>
      <td data-label="Listed as" className="break-words">
        <div className="min-w-0">
          {plain(row.listedName)}
          {row.address !== undefined && <span className="block text-xs break-all text-muted">{plain(row.address)}</span>}
        </div>
      </td>
      <td data-label="Source">
        <div className="min-w-0">
          {plain(row.source)} {plain(row.reference)}
          {row.listedOn !== null && <span className="block text-xs text-muted">listed {row.listedOn}</span>}
        </div>
      </td>
      <td data-label="Compared">{CAUSES[row.cause]}</td>
      <td data-label="Found" title={utcAndLocal(row.foundAt)}>
        {brief(row.foundAt)}
      </td>
      <td data-label="Decide">
        <Button
          size="sm"
          aria-label={`Decide: ${plain(row.member.name)}, ${plain(row.source)} ${plain(row.reference)}`}
          aria-disabled={!may || isOwn}
          title={isOwn ? 'Your own account' : may ? undefined : whoCan}
          onClick={() => may && !isOwn && onDecide()}
        >
          {row.verdict === null ? 'Decide' : 'Change'}
        </Button>
      </td>
    </tr>
  )
}

/** Proposes a verdict on all shown matches of a member. */
function Decide({ member, hits, onClose }: { member: Hit['member']; hits: readonly Hit[]; onClose: () => void }) {
  const [verdict, setVerdict] = useState<'same' | 'different'>(hits[0]?.verdict === 'different' ? 'same' : 'different')
  return (
    <ActDialog
      title={`Decide about ${plain(member.name)}`}
      effects={[
        `${hits.length === 1 ? 'One match is' : `${hits.length} matches are`} decided once another person has approved it.`,
        ...(verdict === 'same'
          ? ['The account is blocked, its sessions end, and its payouts stay held.']
          : ['Payouts are possible again. These matches do not return with a later list.']),
      ]}
      verb="Propose"
      danger={verdict === 'same'}
      draft={`screening:${member.id}`}
      onDo={async (reason) => {
        const body = { hits: hits.map(({ id }) => id), verdict, reason }
        await call(decideScreening, { params: { id: member.id }, body })
        toast('Proposed; another person has to approve it')
        await refetch(staffChanges, staffScreeningHits)
      }}
      onClose={onClose}
    >
      <Choice className="mt-3" label="Verdict" of={VERDICTS} value={verdict} onChange={setVerdict} />
    </ActDialog>
  )
}
