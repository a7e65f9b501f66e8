import type { ReplyOf } from '@tizara/contract'
import { reviewLinkedAccount, staffLinkedAccounts } from '@tizara/contract/staff-linked-accounts'
import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { call } from '../../../lib/http/api.ts'
import { refetch } from '../../../lib/http/query.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { Amount } from '../../kit/amount.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { ListState, ListTabs, More } from '../../kit/list-parts.tsx'
import { useMay, useMe, useWhoCan } from '../../kit/me.tsx'
import { usePageLocation } from '../../kit/page-location.ts'
import { plain } from '../../kit/strip-control-characters.ts'
import { usePages } from '../../kit/use-pages.ts'
import { watch } from '../../kit/watch.ts'
import { utcAndLocal, brief } from '../../kit/when.ts'
import { Choice } from '../../kit/choice.tsx'
import { Heads } from '../../kit/heads.tsx'
import { Page } from '../../kit/page.tsx'
import { panelClass } from '../../../ui/panel.tsx'
import { Table } from '../../../ui/table.tsx'

type Trace = ReplyOf<typeof staffLinkedAccounts>['data'][number]

const PATH = '/staff/linked-accounts'
const VIEWS = { open: 'Not reviewed', harmless: 'Cleared', watch: 'Monitored' } as const
const EMPTY_TEXTS = { open: 'Nothing to review', harmless: 'None cleared yet', watch: 'None monitored yet' } as const

const VERDICTS = [
  ['harmless', 'Clear: one household'],
  ['watch', 'Keep monitoring'],
] as const

/** `/staff/linked-accounts`: members who may have referred themselves (staff.md 4). */
export default function TracesView() {
  const location = usePageLocation(PATH)
  const view = (['harmless', 'watch'] as const).find((one) => one === location.search.get('view')) ?? 'open'
  const member = location.search.get('member') ?? undefined
  const query = { view, ...(member === undefined ? {} : { member }) }
  const list = usePages(staffLinkedAccounts, { query }, 50)
  const { data: counted } = useQuery(watch(staffLinkedAccounts, { query: { view, limit: 1 } }))
  const [reviewing, setReviewing] = useState<Trace>()
  return (
    <Page
      title="Linked accounts"
      hint="Members who may be the same person as one of their sponsors. A hint, not a proof: families share phones."
    >
      <ListTabs
        label="Which linked accounts"
        tabs={(Object.keys(VIEWS) as (keyof typeof VIEWS)[]).map((one) => ({
          label: VIEWS[one],
          href: location.filtered({ view: one === 'open' ? undefined : one }),
          isOn: one === view,
          count: counted?.counts[one],
        }))}
      />
      <section className={panelClass('mt-3')} aria-label="Linked accounts">
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
            <Heads
              columns={['Member', 'Sponsor', 'Level', 'Address', 'Device', 'Payout address', ['Earned from it', 'num'], 'Seen', 'Review']}
            />
            <tbody>
              {list.rows.map((row) => (
                <TraceRow key={row.id} row={row} onReview={() => setReviewing(row)} />
              ))}
            </tbody>
          </Table>
        )}
        <More pages={list} />
      </section>
      {reviewing !== undefined && <Review trace={reviewing} onClose={() => setReviewing(undefined)} />}
    </Page>
  )
}

function TraceRow({ row, onReview }: { row: Trace; onReview: () => void }) {
  const me = useMe()
  const may = useMay('reviewLinkedAccount')
  const whoCan = useWhoCan('reviewLinkedAccount')
  const isOwn = [row.member.id, row.upline.id].includes(me.person.id)
  return (
    <tr>
      <td>
        <Link href={`/staff/members/${row.member.id}/timeline`} className="link">
          {plain(row.member.name)}
        </Link>
      </td>
      <td data-label="Sponsor">
        <Link href={`/staff/members/${row.upline.id}/timeline`} className="link">
          {plain(row.upline.name)}
        </Link>
      </td>
      <td data-label="Level">{row.level}</td>
      <td data-label="Address">
        <Same is={row.sameAddress} />
      </td>
      <td data-label="Device">
        <Same is={row.sameDevice} />
      </td>
      <td data-label="Payout address">
        <Same is={row.samePayoutAddress} />
      </td>
      <td data-label="Earned from it" className="text-right whitespace-nowrap">
        <Earned of={row.earned} />
      </td>
      <td data-label="Seen" title={`First ${utcAndLocal(row.firstSeenAt)}`}>
        {row.times === 1 ? 'once' : `${row.times} times`}, {brief(row.lastSeenAt)}
        {row.reviewedBy !== undefined && (
          <span className="text-xs text-muted block">
            {plain(row.reviewedBy.name)}: “{plain(row.reason ?? '')}”
          </span>
        )}
      </td>
      <td data-label="Review">
        <Button size="sm" aria-disabled={!may || isOwn} title={isOwn ? 'You are part of it' : may ? undefined : whoCan} onClick={onReview}>
          Review
        </Button>
      </td>
    </tr>
  )
}

/** Shows the upline's earnings from the account. Bounties are computed as if no member had been blocked since. */
function Earned({ of }: { of: Trace['earned'] }) {
  if (of === undefined) return <span className="text-xs text-muted">not calculated</span>
  return (
    <>
      <Amount asset="coin" value={of.coin} approx />
      {of.usd > 0n && (
        <span className="block">
          <Amount asset="usd" value={of.usd} approx />
        </span>
      )}
    </>
  )
}

const Same = ({ is }: { is: boolean }) =>
  is ? (
    <span className="text-warning flex min-w-0 items-center gap-1">
      <Check size={12} aria-hidden="true" />
      same
    </span>
  ) : (
    <span className="text-faint">–</span>
  )

function Review({ trace, onClose }: { trace: Trace; onClose: () => void }) {
  const [verdict, setVerdict] = useState<'harmless' | 'watch'>('harmless')
  const names = `${plain(trace.member.name)} and ${plain(trace.upline.name)}`
  return (
    <ActDialog
      title={`Review ${names}`}
      effects={
        verdict === 'harmless'
          ? [
              'The warning on requests of the member is removed.',
              'A new kind of link brings it back.',
              'The two still cannot decide about each other.',
            ]
          : ['The warning stays on every request of the member, and says that they are monitored.']
      }
      verb={verdict === 'harmless' ? 'Clear' : 'Monitor'}
      draft={`trace:${trace.id}`}
      onDo={async (reason) => {
        await call(reviewLinkedAccount, { params: { id: trace.id }, body: { verdict, reason } })
        toast(verdict === 'harmless' ? 'Cleared' : 'Monitored')
        await refetch(staffLinkedAccounts)
      }}
      onClose={onClose}
    >
      <Choice className="mt-3" label="Verdict" of={VERDICTS} value={verdict} onChange={setVerdict} />
    </ActDialog>
  )
}
