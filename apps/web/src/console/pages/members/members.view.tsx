import type { ReplyOf } from '@tizara/contract'
import { memberStates, staffMembers } from '@tizara/contract/staff-members'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { ExportList } from '../../kit/export-list.tsx'
import { useMay } from '../../kit/me.tsx'
import { ListState, ListTabs, More } from '../../kit/list-parts.tsx'
import { Person } from '../../kit/person.tsx'
import { usePageLocation } from '../../kit/page-location.ts'
import { plain } from '../../kit/strip-control-characters.ts'
import { useKeys } from '../../kit/use-keys.ts'
import { usePages } from '../../kit/use-pages.ts'
import { utcAndLocal, brief } from '../../kit/when.ts'
import { MemberPage } from './member-page.tsx'
import { NO_SEGMENT, readSegmentFilter, SegmentFilter } from './segment-filter.tsx'
import { Status } from './status.tsx'
import { Heads } from '../../kit/heads.tsx'
import { Page } from '../../kit/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Money } from '../../../ui/money.tsx'
import { panelClass } from '../../../ui/panel.tsx'
import { Table } from '../../../ui/table.tsx'
import { Tag } from '../../../ui/tag.tsx'

type Row = ReplyOf<typeof staffMembers>['data'][number]

// Loads the dialog when it is opened.
const MessageDialog = lazy(() => import('./message-dialog.tsx'))

const PATH = '/staff/members'
const WORDS = { active: 'Active', blocked: 'Blocked', unverified: 'Unverified', special: 'Special', staff: 'Staff' } as const

/** `/staff/members`: search over all members, and one member's page (staff.md 4, Members). */
export default function MembersView() {
  const location = usePageLocation(PATH)
  if (location.id !== undefined) return <MemberPage key={location.id} id={location.id} tab={location.rest[0] ?? 'timeline'} />
  return <Everybody location={location} />
}

function Everybody({ location }: { location: ReturnType<typeof usePageLocation> }) {
  const q = location.search.get('q') ?? ''
  const state = memberStates.find((one) => one === location.search.get('state'))
  const [typed, setTyped] = useState(q)
  const { segment, isSet } = readSegmentFilter(location.search)
  const [filters, setFilters] = useState(isSet)
  const [writes, setWrites] = useState(false)
  const mayWrite = useMay('change.message')
  const query = { ...(q === '' || isSet ? {} : { q }), ...(state === undefined ? {} : { state }), ...segment }
  const list = usePages(staffMembers, { query }, 50)
  useKeys({ '/': () => document.querySelector<HTMLInputElement>('#member-find')?.focus() })
  return (
    <Page
      title="Members"
      hint={list.total === undefined ? ' ' : list.total >= 10_000 ? '10,000 or more' : `${list.total.toLocaleString('en')} found`}
    >
      <form
        className="flex min-w-0 items-center gap-2 flex-wrap"
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          location.filter({ ...NO_SEGMENT, q: typed.trim() === '' ? undefined : typed.trim() })
        }}
      >
        <label className="sr-only" htmlFor="member-find">
          Find members
        </label>
        <input
          id="member-find"
          className="control min-w-0 flex-1 max-w-[520px] max-sm:basis-full"
          placeholder="Name, mail, phone, code, id, payout address or transaction"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit">Find</Button>
        <Button aria-expanded={filters} onClick={() => setFilters(!filters)}>
          Filter
        </Button>
        {mayWrite && q === '' && <Button onClick={() => setWrites(true)}>Message</Button>}
        <ExportList list="members" filter={query} appearance="chip" />
      </form>
      {filters && (
        <SegmentFilter
          key={location.search.toString()}
          segment={segment}
          onApply={(next) => {
            setTyped('')
            location.filter({ ...NO_SEGMENT, ...next, q: undefined })
          }}
        />
      )}
      {writes && (
        <Suspense fallback={null}>
          <MessageDialog segment={segment} onClose={() => setWrites(false)} />
        </Suspense>
      )}
      <div className="mt-3">
        <ListTabs
          label="Which members"
          tabs={[
            { label: 'All', href: location.filtered({ state: undefined }), isOn: state === undefined },
            ...memberStates.map((one) => ({ label: WORDS[one], href: location.filtered({ state: one }), isOn: one === state })),
          ]}
        />
      </div>
      <section className={panelClass('mt-3')} aria-label="Members">
        <ListState
          query={list}
          rows={list.rows.length}
          none="No members yet"
          filtered={q === '' && state === undefined && !isSet ? undefined : { none: 'No member matches', clear: PATH }}
        />
        {list.rows.length > 0 && (
          <Table folds>
            <Heads
              columns={
                isSet
                  ? ['Member', 'Phone', ['USD', 'num'], ['In stakes', 'num'], 'Last seen', 'Since', 'Status']
                  : ['Member', 'Phone', 'Code', 'Sponsor', ['Team', 'num'], 'Since', 'Status']
              }
            />
            <tbody>
              {list.rows.map((row) => (
                <MemberRow key={row.id} row={row} />
              ))}
            </tbody>
          </Table>
        )}
        <More pages={list} />
      </section>
    </Page>
  )
}

function MemberRow({ row }: { row: Row }) {
  return (
    <tr>
      <td>
        <Link href={`${PATH}/${row.id}/timeline`}>
          <Person person={row} tag={row.rank ? <Tag>{plain(row.rank).toUpperCase()}</Tag> : undefined} />
        </Link>
      </td>
      <td data-label="Phone" className="font-mono text-xs">
        {plain(row.phone)}
      </td>
      {row.segment === undefined ? <TeamCells row={row} /> : <SegmentCells segment={row.segment} />}
      <td data-label="Since" title={utcAndLocal(row.createdAt)}>
        {brief(row.createdAt)}
      </td>
      <td data-label="Status">
        <Status row={row} />
      </td>
    </tr>
  )
}

function SegmentCells({ segment: { usd, staked, seenAt } }: { segment: NonNullable<Row['segment']> }) {
  return (
    <>
      <td data-label="USD" className="text-right whitespace-nowrap">
        <Money value={usd} />
      </td>
      <td data-label="In stakes" className="text-right whitespace-nowrap">
        <Money value={staked} />
      </td>
      <td data-label="Last seen" title={seenAt === null ? undefined : utcAndLocal(seenAt)}>
        {seenAt === null ? <span className="text-faint">never</span> : brief(seenAt)}
      </td>
    </>
  )
}

function TeamCells({ row }: { row: Row }) {
  return (
    <>
      <td data-label="Code" className="font-mono text-xs">
        {plain(row.myReferralCode)}
      </td>
      <td data-label="Sponsor">
        {row.sponsor ? (
          <Link href={`${PATH}/${row.sponsor.id}/timeline`} className="link">
            {plain(row.sponsor.name)}
          </Link>
        ) : (
          <span className="text-faint">none</span>
        )}
      </td>
      <td data-label="Team" className="text-right whitespace-nowrap">
        {row.referralCount}
      </td>
    </>
  )
}
