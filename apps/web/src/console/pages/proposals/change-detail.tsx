import { staffChange } from '@tizara/contract/staff-changes'
import { useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Link } from 'wouter'
import { Avatar } from '../../kit/avatar.tsx'
import { ListState } from '../../kit/list-parts.tsx'
import { Lines } from '../../kit/lines.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { watch } from '../../kit/watch.ts'
import { age, bothClocks, brief, briefly } from '../../kit/when.ts'
import { badgeOf } from './change-status.ts'
import { Decide } from './decide.tsx'
import { diffOf } from './diff.ts'
import { EffectNote, EffectRows } from './effect.tsx'
import { SimulationNote } from './simulation-note.tsx'
import type { ChangeRow } from './proposals.queries.ts'

/** A proposal in full: every field, when it begins, what it does, and the decision. What the list knows stands at once. */
export function ChangeDetail({ id, row, onBack }: { id: string; row: ChangeRow | undefined; onBack: () => void }) {
  const read = useQuery(watch(staffChange, { params: { id } }))
  const full = read.data
  const shown = full ?? row
  if (shown === undefined)
    return (
      <section className="pane" aria-label="Change">
        <ListState query={read} rows={0} none="There is no such change" />
      </section>
    )
  const [look, text] = badgeOf(shown)
  const isStale = full?.blocks.includes('CHANGE_OUTDATED') === true
  return (
    <section className="pane" aria-label={`Change: ${shown.title}`}>
      <div className="bar">
        <button type="button" className="ib ph" aria-label="Back" onClick={onBack}>
          <ArrowLeft size={16} aria-hidden="true" />
        </button>
        <span className="tag">{shown.subject}</span>
        <span className={look}>{shown.status === 'PENDING' && full?.canDecide === true ? 'Waits for you' : text}</span>
        {shown.status === 'PENDING' && full !== undefined && (
          <span className={isStale ? 'sm warn hide' : 'sm fnt hide'} style={{ marginLeft: 'auto' }}>
            {isStale ? 'what it is based on has changed' : 'nothing in it has changed since it was proposed'}
          </span>
        )}
      </div>
      <div className="scroll">
        <div className="pad" style={{ maxWidth: 820 }}>
          <h2 className="h1">{plain(shown.title)}</h2>
          <div className="row mt8">
            <Avatar name={shown.proposedBy.name} size="s" staff />
            <span className="mut">
              <b className="b ink">{shown.mine ? 'You' : plain(shown.proposedBy.name)}</b> proposed it{' '}
              <span title={bothClocks(shown.createdAt)}>
                at {briefly(shown.createdAt)} UTC, {age(shown.createdAt)} ago
              </span>
              :
            </span>
          </div>
          <p className="mt8" style={{ paddingLeft: 28 }}>
            “{plain(shown.reason)}”
          </p>
          <Diff row={{ ...shown, holds: full?.holds }} since={full?.holdsSince ?? null} />
          <div className="g c12 mt16">
            <When row={shown} />
            {full !== undefined && <EffectRows row={full} />}
          </div>
          {full !== undefined && <EffectNote row={full} />}
          {full?.subject === 'programme' && full.status === 'PENDING' && <SimulationNote row={full} />}
          {full?.rivals.map((rival) => (
            <p key={rival.id} className="note warn mt12">
              <span>
                <b className="b">{plain(rival.title)}</b> {rival.status === 'PLANNED' ? 'is planned' : 'is proposed'} for the same value by{' '}
                {plain(rival.by.name)}. <Link href={`/staff/changes/${rival.id}`}>Open it</Link>
              </span>
            </p>
          ))}
          <Outcome row={shown} />
        </div>
      </div>
      {full !== undefined && (full.status === 'PENDING' || full.status === 'PLANNED') && <Decide key={full.status} row={full} />}
    </section>
  )
}

function Diff({ row, since }: { row: ChangeRow & { holds?: unknown }; since: Date | null }) {
  return (
    <div className="diff mt16">
      <table>
        <caption className="sr">What changes</caption>
        <thead>
          <tr>
            <th scope="col" style={{ width: '34%' }}>
              Field
            </th>
            <th scope="col">
              {row.status === 'PENDING' ? 'Holds now' : 'Held before'}
              {since === null ? '' : `, since ${brief(since)}`}
            </th>
            <th scope="col">Proposed</th>
          </tr>
        </thead>
        <tbody>
          {diffOf(row).map((line) => (
            <tr key={line.label}>
              <th scope="row" className={line.same ? 'mut' : 'b'}>
                {plain(line.label)}
              </th>
              <td>
                {line.before === undefined ? (
                  'new'
                ) : line.same ? (
                  <Lines text={line.before} />
                ) : (
                  <del className="old">
                    <Lines text={line.before} />
                  </del>
                )}
              </td>
              <td>
                {line.same ? (
                  <span className="fnt">same</span>
                ) : (
                  <ins className="new">
                    <Lines text={line.after} />
                  </ins>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** `1 Dec 2026, 00:00 UTC` */
const moment = (at: Date): string => `${brief(at, new Date(0))}, ${at.toISOString().slice(11, 16)} UTC`

function When({ row }: { row: ChangeRow }) {
  const isToCome = row.startsAt && row.startsAt > new Date()
  return (
    <div className="c5">
      <h3 className="t">When</h3>
      <dl className="kv mt4">
        <dt>In force from</dt>
        <dd>{row.startsAt ? moment(row.startsAt) : row.status === 'IN_FORCE' && row.decidedAt ? moment(row.decidedAt) : 'the approval'}</dd>
        {isToCome && (
          <>
            <dt>That is in</dt>
            <dd>{age(new Date(), row.startsAt?.getTime())}</dd>
            <dt>Can be taken back</dt>
            <dd>until it is in force</dd>
          </>
        )}
      </dl>
    </div>
  )
}

function Outcome({ row }: { row: ChangeRow }) {
  const { status, decidedBy, decidedAt, decisionReason, endedAt, endedBy, endReason } = row
  return (
    <>
      {decidedBy && decidedAt && (
        <p className="note mt16">
          <span>
            {plain(decidedBy.name)} {status === 'REFUSED' ? 'refused' : 'approved'} it, {moment(decidedAt)}
            {decisionReason ? `: “${plain(decisionReason)}”` : ''}
          </span>
        </p>
      )}
      {endedAt && (
        <p className="note warn mt12">
          <span>
            {endedBy ? `${plain(endedBy.name)} took it back` : 'It fell'}, {moment(endedAt)}
            {endReason ? `: “${plain(endReason)}”` : ''}
          </span>
        </p>
      )}
    </>
  )
}
