import { plain } from '../../kit/strip-control-characters.ts'
import { briefly } from '../../kit/when.ts'
import type { ChangeFull } from './proposals.queries.ts'
import { FactList } from '../../../ui/fact-list.tsx'
import { Notice } from '../../../ui/notice.tsx'

export type Effect = NonNullable<ChangeFull['effect']>
type EffectRow = Effect['rows'][number]

/** Shows a proposal's effect from server figures, beside the original one if they differ. */
export function EffectRows({ row }: { row: ChangeFull }) {
  const effect = row.effectNow ?? row.effect
  if (!effect || effect.rows.length === 0) return null
  return (
    <div className="content-start lg:col-span-7">
      <h3 className="text-sm font-semi">What it does</h3>
      <EffectList rows={effect.rows} />
      {hasMoved(row) && row.effect && (
        <>
          <h3 className="mt-4 text-sm font-semi">Effect calculated at the proposal</h3>
          <EffectList rows={row.effect.rows} />
        </>
      )}
    </div>
  )
}

/** Shows the coverage of promised rewards and the sales fund before and after a proposal, by current figures [RW-10]. */
export function CoverageRows({ rows }: { rows: readonly EffectRow[] | undefined }) {
  if (rows === undefined || rows.length === 0) return null
  return (
    <section className="mt-4" aria-label="Coverage before and after">
      <h3 className="text-sm font-semi">Coverage before and after</h3>
      <EffectList rows={rows} />
      <p className="mt-1 text-xs text-muted">Current figures. Each sale changes them; the approval checks the coverage again.</p>
    </section>
  )
}

/** Returns true if a proposal's effect changed since it was proposed. */
const hasMoved = ({ effect, effectNow }: Pick<ChangeFull, 'effect' | 'effectNow'>): boolean =>
  Boolean(effect && effectNow) && effect?.hash !== effectNow?.hash

export function EffectList({ rows }: { rows: readonly EffectRow[] }) {
  return (
    <FactList wrap className="mt-1">
      {rows.map(({ label, before, after, unit, good }) => (
        <Line key={label} label={label}>
          {before !== undefined && before !== after && <span className="text-faint">{plain(before)} → </span>}
          <span className={good === undefined || before === after ? '' : good ? 'text-success' : 'text-warning'}>
            {plain(after)}
            {unit === undefined ? '' : ` ${unit}`}
          </span>
        </Line>
      ))}
    </FactList>
  )
}

function Line({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{plain(label)}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** Shows the basis of an effect and its changes since the proposal. */
export function EffectNote({ row }: { row: ChangeFull }) {
  const effect = row.effectNow ?? row.effect
  if (!effect || effect.rows.length === 0) return null
  return (
    <Notice tone={hasMoved(row) ? 'warning' : undefined} icon={null} className="mt-4" role={hasMoved(row) ? 'status' : undefined}>
      <span>
        <b className="font-semi">
          {hasMoved(row) ? 'Its effect has changed since it was proposed. ' : ''}
          Calculated {briefly(effect.at)} from {effect.basedOn}.
        </b>{' '}
        {hasMoved(row) && row.effect && (
          <span className="text-muted">
            When it was proposed, {briefly(row.effect.at)}, it was calculated from {row.effect.basedOn}.{' '}
          </span>
        )}
        <span className="text-muted">
          Estimate, assuming the same sales as in the last 30 days. The decision stores the hash of this result:
        </span>{' '}
        <span className="rounded-sm bg-raised px-1.5 py-0.5 font-mono text-xs whitespace-nowrap text-muted">{effect.hash}</span>
      </span>
    </Notice>
  )
}
