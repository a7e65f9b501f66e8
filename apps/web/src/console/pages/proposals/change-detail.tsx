import { staffChange } from '@tizara/contract/staff-changes'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { Avatar } from '../../kit/avatar.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { Lines } from '../../kit/lines.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { age, utcAndLocal, brief, briefly } from '../../kit/when.ts'
import { badgeOf } from './change-status.ts'
import { Decide } from './decide.tsx'
import { diffOf } from './diff.ts'
import { CoverageRows, EffectNote, EffectRows } from './effect.tsx'
import { SimulationNote } from './simulation-note.tsx'
import type { ChangeRow } from './proposals.queries.ts'
import { BackButton, Pane, PaneBar } from '../../../ui/split.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Table } from '../../../ui/table.tsx'
import { FactList } from '../../../ui/fact-list.tsx'
import { Badge } from '../../../ui/badge.tsx'

// Loads the preview only for a brand.
const ProposedBrand = lazy(() => import('../brand/brand-preview.tsx'))

/** Shows a proposal in full: fields, start, effects and decision. Data known from the list appears at once. */
export function ChangeDetail({ id, row, onBack }: { id: string; row: ChangeRow | undefined; onBack: () => void }) {
  const read = useQuery(watch(staffChange, { params: { id } }))
  const proposal = read.data
  const shown = proposal ?? row
  if (shown === undefined)
    return (
      <Pane aria-label="Change">
        <ListState query={read} rows={0} none="Proposal not found" />
      </Pane>
    )
  const [tone, text] = badgeOf(shown)
  const isStale = proposal?.blocks.includes('CHANGE_OUTDATED') === true
  return (
    <Pane aria-label={`Change: ${shown.title}`}>
      <PaneBar>
        <BackButton onClick={onBack} />
        <Tag>{shown.subject}</Tag>
        <Badge tone={tone}>{shown.status === 'PENDING' && proposal?.canDecide === true ? 'Awaiting your decision' : text}</Badge>
        {shown.status === 'PENDING' && proposal !== undefined && (
          <span className={isStale ? 'ml-auto text-xs text-warning max-md:hidden' : 'ml-auto text-xs text-faint max-md:hidden'}>
            {isStale ? 'Its basis has changed' : 'No changes since proposed'}
          </span>
        )}
      </PaneBar>
      <div className="min-h-0 flex-1 md:overflow-auto">
        <div className="px-4 pt-3.5 pb-5 md:px-5 md:pt-4 max-w-[820px]">
          <h2 className="text-xl font-strong tracking-head">{plain(shown.title)}</h2>
          <div className="flex min-w-0 items-center gap-2 mt-2">
            <Avatar name={shown.proposedBy.name} size="s" staff />
            <span className="text-muted">
              <b className="font-semi text-ink">{shown.mine ? 'You' : plain(shown.proposedBy.name)}</b> proposed it{' '}
              <span title={utcAndLocal(shown.createdAt)}>
                at {briefly(shown.createdAt)} UTC, {age(shown.createdAt)} ago
              </span>
              :
            </span>
          </div>
          <p className="mt-2 pl-7">“{plain(shown.reason)}”</p>
          <Diff row={{ ...shown, current: proposal?.current }} since={proposal?.currentSince ?? null} />
          {shown.subject === 'brand' && (
            <Suspense fallback={null}>
              <ProposedBrand value={shown.value} />
            </Suspense>
          )}
          <div className="grid gap-3.5 lg:grid-cols-12 mt-4">
            <When row={shown} />
            {proposal !== undefined && <EffectRows row={proposal} />}
          </div>
          {proposal !== undefined && <EffectNote row={proposal} />}
          {proposal !== undefined && <CoverageRows rows={proposal.coverage} />}
          {proposal?.subject === 'programme' && proposal.status === 'PENDING' && <SimulationNote row={proposal} />}
          {proposal?.linkedStaff !== undefined && (
            <Notice tone="warning" icon={null} className="mt-3">
              <span>
                This account shares a network or device with {proposal.linkedStaff.map((one) => plain(one.email)).join(', ')}. Make sure
                that they are two people. Until two others confirm it, they count as one.
              </span>
            </Notice>
          )}
          {proposal?.overlaps.map((overlap) => (
            <Notice key={overlap.id} tone="warning" icon={null} className="mt-3">
              <span>
                <b className="font-semi">{plain(overlap.title)}</b> {overlap.status === 'PLANNED' ? 'is planned' : 'is proposed'} for the
                same value by {plain(overlap.by.name)}. <Link href={`/staff/changes/${overlap.id}`}>Open it</Link>
              </span>
            </Notice>
          ))}
          <Outcome row={shown} />
        </div>
      </div>
      {proposal !== undefined && (proposal.status === 'PENDING' || proposal.status === 'PLANNED') && (
        <Decide key={proposal.status} row={proposal} />
      )}
    </Pane>
  )
}

function Diff({ row, since }: { row: ChangeRow & { current?: unknown }; since: Date | null }) {
  return (
    <div className="mt-4 overflow-hidden rounded-lg border [&_:is(th,td)]:px-3.5!">
      <Table>
        <caption className="sr-only">What changes</caption>
        <thead>
          <tr>
            <th className="w-[34%]" scope="col">
              Field
            </th>
            <th scope="col">
              {row.status === 'PENDING' ? 'Current' : 'Before'}
              {since === null ? '' : `, since ${brief(since)}`}
            </th>
            <th scope="col">Proposed</th>
          </tr>
        </thead>
        <tbody>
          {diffOf(row).map((line) => (
            <tr key={line.label}>
              <th scope="row" className={line.same ? 'text-muted' : 'font-semi'}>
                {plain(line.label)}
              </th>
              <td>
                {line.before === undefined ? (
                  'new'
                ) : line.same ? (
                  <Lines text={line.before} />
                ) : (
                  <del className="text-danger line-through decoration-[color-mix(in_oklch,var(--danger)_55%,transparent)] decoration-1">
                    <Lines text={line.before} />
                  </del>
                )}
              </td>
              <td>
                {line.same ? (
                  <span className="text-faint">same</span>
                ) : (
                  <ins className="font-semibold text-success no-underline">
                    <Lines text={line.after} />
                  </ins>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

/** `1 Dec 2026, 00:00 UTC` */
const moment = (at: Date): string => `${brief(at, new Date(0))}, ${at.toISOString().slice(11, 16)} UTC`

function When({ row }: { row: ChangeRow }) {
  const isToCome = row.startsAt && row.startsAt > new Date()
  return (
    <div className="content-start lg:col-span-5">
      <h3 className="text-sm font-semi">When</h3>
      <FactList className="mt-1">
        <dt>Effective from</dt>
        <dd>{row.startsAt ? moment(row.startsAt) : row.status === 'IN_FORCE' && row.decidedAt ? moment(row.decidedAt) : 'the approval'}</dd>
        {isToCome && (
          <>
            <dt>Starts in</dt>
            <dd>{age(new Date(), row.startsAt?.getTime())}</dd>
            <dt>Can be cancelled</dt>
            <dd>until it takes effect</dd>
          </>
        )}
      </FactList>
    </div>
  )
}

function Outcome({ row }: { row: ChangeRow }) {
  const { status, decidedBy, decidedAt, decisionReason, endedAt, endedBy, endReason } = row
  return (
    <>
      {decidedBy && decidedAt && (
        <Notice icon={null} className="mt-4">
          <span>
            {plain(decidedBy.name)} {status === 'REFUSED' ? 'refused' : 'approved'} it, {moment(decidedAt)}
            {decisionReason ? `: “${plain(decisionReason)}”` : ''}
          </span>
        </Notice>
      )}
      {endedAt && (
        <Notice tone="warning" icon={null} className="mt-3">
          <span>
            {endedBy ? `${plain(endedBy.name)} cancelled it` : 'Expired'}, {moment(endedAt)}
            {endReason ? `: “${plain(endReason)}”` : ''}
          </span>
        </Notice>
      )}
    </>
  )
}
