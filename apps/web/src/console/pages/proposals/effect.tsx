import './proposals.css'
import { plain } from '../../kit/strip-control-characters.ts'
import { briefly } from '../../kit/when.ts'
import type { ChangeFull } from './proposals.queries.ts'

export type Effect = NonNullable<ChangeFull['effect']>
type EffectRow = Effect['rows'][number]

/** What a change does, by the server's figures; what it was said to do beside it, where that is something else. */
export function EffectRows({ row }: { row: ChangeFull }) {
  const effect = row.effectNow ?? row.effect
  if (!effect || effect.rows.length === 0) return null
  return (
    <div className="c7">
      <h3 className="t">What it does</h3>
      <EffectList rows={effect.rows} />
      {hasMoved(row) && row.effect && (
        <>
          <h3 className="t mt16">What it was to do when it was proposed</h3>
          <EffectList rows={row.effect.rows} />
        </>
      )}
    </div>
  )
}

/** Whether a change does something else than it was said to when it was proposed. */
const hasMoved = ({ effect, effectNow }: Pick<ChangeFull, 'effect' | 'effectNow'>): boolean =>
  Boolean(effect && effectNow) && effect?.hash !== effectNow?.hash

export function EffectList({ rows }: { rows: readonly EffectRow[] }) {
  return (
    <dl className="kv effect mt4">
      {rows.map(({ label, before, after, unit, good }) => (
        <Line key={label} label={label}>
          {before !== undefined && before !== after && <span className="fnt">{plain(before)} → </span>}
          <span className={good === undefined || before === after ? '' : good ? 'ok' : 'warn'}>
            {plain(after)}
            {unit === undefined ? '' : ` ${unit}`}
          </span>
        </Line>
      ))}
    </dl>
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

/** What an effect rests on, and that it has moved since the proposal. */
export function EffectNote({ row }: { row: ChangeFull }) {
  const effect = row.effectNow ?? row.effect
  if (!effect || effect.rows.length === 0) return null
  return (
    <p className={hasMoved(row) ? 'note warn mt16' : 'note mt16'} role={hasMoved(row) ? 'status' : undefined}>
      <span>
        <b className="b">
          {hasMoved(row) ? 'It does something else now than when it was proposed. ' : ''}
          Worked out {briefly(effect.at)} from {effect.restsOn}.
        </b>{' '}
        {hasMoved(row) && row.effect && (
          <span className="mut">
            When it was proposed, {briefly(row.effect.at)}, it was worked out from {row.effect.restsOn}.{' '}
          </span>
        )}
        <span className="mut">An estimate: it takes the same sales again. Result</span> <span className="hash">{effect.hash}</span>{' '}
        <span className="mut">is kept with the decision.</span>
      </span>
    </p>
  )
}
