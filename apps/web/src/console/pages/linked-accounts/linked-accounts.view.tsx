import './linked-accounts.css'
import type { ReplyOf } from '@tizara/contract'
import { reviewSharedTrace, staffSharedTraces } from '@tizara/contract/staff-traces'
import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { call } from '../../../lib/api.ts'
import { refetch } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { Amount } from '../../kit/amount.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { ListState, ListTabs, More } from '../../kit/list-parts.tsx'
import { useMay, useMe, useWhoCan } from '../../kit/me.tsx'
import { usePlace } from '../../kit/place.ts'
import { plain } from '../../kit/strip-control-characters.ts'
import { usePages } from '../../kit/use-pages.ts'
import { watch } from '../../kit/watch.ts'
import { bothClocks, brief } from '../../kit/when.ts'
import { Choice } from '../../kit/choice.tsx'
import { Heads } from '../../kit/heads.tsx'
import { Page } from '../../kit/page.tsx'

type Trace = ReplyOf<typeof staffSharedTraces>['data'][number]

const PATH = '/staff/shared-traces'
const VIEWS = { open: 'Not reviewed', harmless: 'Harmless', watch: 'Under watch' } as const
const NONE = { open: 'Nothing waits for a review', harmless: 'None was found harmless', watch: 'Nobody is under watch' } as const

const VERDICTS = [
  ['harmless', 'A household, harmless'],
  ['watch', 'Keep under watch'],
] as const

/** `/staff/shared-traces`: who may have referred themselves (staff.md 4). */
export default function TracesView() {
  const place = usePlace(PATH)
  const view = (['harmless', 'watch'] as const).find((one) => one === place.search.get('view')) ?? 'open'
  const member = place.search.get('member') ?? undefined
  const query = { view, ...(member === undefined ? {} : { member }) }
  const list = usePages(staffSharedTraces, { query }, 50)
  const { data: counted } = useQuery(watch(staffSharedTraces, { query: { view, limit: 1 } }))
  const [reviewing, setReviewing] = useState<Trace>()
  return (
    <Page
      title="Shared traces"
      hint="Members who look like somebody of the five levels above, who earns from them. A hint, not a proof: families share phones."
    >
      <ListTabs
        label="Which traces"
        tabs={(Object.keys(VIEWS) as (keyof typeof VIEWS)[]).map((one) => ({
          label: VIEWS[one],
          href: place.filtered({ view: one === 'open' ? undefined : one }),
          isOn: one === view,
          count: counted?.counts[one],
        }))}
      />
      <section className="panel mt12" aria-label="Shared traces">
        <ListState
          query={list}
          rows={list.rows.length}
          none={NONE[view]}
          filtered={member === undefined ? undefined : { none: 'This member has none here', clear: place.filtered({ member: undefined }) }}
        />
        {list.rows.length > 0 && (
          <table className="folds">
            <Heads of={['Member', 'Above', 'Level', 'Address', 'Device', 'Payout address', ['Earned from it', 'num'], 'Seen', 'Review']} />
            <tbody>
              {list.rows.map((row) => (
                <TraceRow key={row.id} row={row} onReview={() => setReviewing(row)} />
              ))}
            </tbody>
          </table>
        )}
        <More pages={list} />
      </section>
      {reviewing !== undefined && <Review trace={reviewing} onClose={() => setReviewing(undefined)} />}
    </Page>
  )
}

function TraceRow({ row, onReview }: { row: Trace; onReview: () => void }) {
  const me = useMe()
  const may = useMay('reviewSharedTrace')
  const whoCan = useWhoCan('reviewSharedTrace')
  const own = [row.member.id, row.upline.id].includes(me.person.id)
  return (
    <tr>
      <td>
        <Link href={`/staff/members/${row.member.id}/timeline`} className="link">
          {plain(row.member.name)}
        </Link>
      </td>
      <td data-label="Above">
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
      <td data-label="Earned from it" className="num">
        <Earned of={row.earned} />
      </td>
      <td data-label="Seen" title={`First ${bothClocks(row.firstSeenAt)}`}>
        {row.times === 1 ? 'once' : `${row.times} times`}, {brief(row.lastSeenAt)}
        {row.reviewedBy !== undefined && (
          <span className="sm mut" style={{ display: 'block' }}>
            {plain(row.reviewedBy.name)}: “{plain(row.reason ?? '')}”
          </span>
        )}
      </td>
      <td data-label="Review">
        <Button
          className="btn sm"
          aria-disabled={!may || own}
          title={own ? 'You are part of it' : may ? undefined : whoCan}
          onClick={onReview}
        >
          Review
        </Button>
      </td>
    </tr>
  )
}

/** What the one above had from it; bounties are reckoned as if nobody had been blocked meanwhile. */
function Earned({ of }: { of: Trace['earned'] }) {
  if (of === undefined) return <span className="sm mut">too much to add up</span>
  return (
    <>
      <Amount asset="coin" value={of.coin} approx />
      {of.usd > 0n && (
        <span style={{ display: 'block' }}>
          <Amount asset="usd" value={of.usd} approx />
        </span>
      )}
    </>
  )
}

const Same = ({ is }: { is: boolean }) =>
  is ? (
    <span className="warn row" style={{ gap: 5 }}>
      <Check size={12} aria-hidden="true" />
      same
    </span>
  ) : (
    <span className="fnt">–</span>
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
              'The warning on requests of the member goes.',
              'A new kind of trace brings it back.',
              'The two still decide nothing about each other.',
            ]
          : ['The warning stays on every request of the member, and says that they are under watch.']
      }
      verb={verdict === 'harmless' ? 'Harmless' : 'Watch'}
      draft={`trace:${trace.id}`}
      onDo={async (reason) => {
        await call(reviewSharedTrace, { params: { id: trace.id }, body: { verdict, reason } })
        toast(verdict === 'harmless' ? 'Noted as harmless' : 'Under watch')
        await refetch(staffSharedTraces)
      }}
      onClose={onClose}
    >
      <Choice className="mt12" label="Verdict" of={VERDICTS} value={verdict} onChange={setVerdict} />
    </ActDialog>
  )
}
