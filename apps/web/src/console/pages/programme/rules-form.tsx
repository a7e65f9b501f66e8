import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { Panel } from '../../kit/panel.tsx'
import { ALONE, changedCells, type Draft, SHARES } from './draft.ts'
import { type Head, Heads } from '../../kit/heads.tsx'

const RANK_FIELDS = [
  ['rank', 'Rank', 'text'],
  ['teamStake', 'Team stake', 'decimal'],
  ['bonus', 'Bonus', 'decimal'],
] as const

interface FormProps {
  draft: Draft
  holds: Draft
  /** Absent for whoever may only read. */
  onChange: ((draft: Draft) => void) | undefined
}

/** All figures of the programme in fields; those that differ from what holds stand out. */
export function RulesForm({ draft, holds, onChange }: FormProps) {
  const changed = changedCells(draft, holds)
  const ofRanks = [...changed].filter((place) => place.startsWith('ranks.')).length
  const count = changed.size - ofRanks
  return (
    <div className="c6 g" style={{ alignContent: 'start' }}>
      <Panel title="Draft" right={<Changed count={count} />}>
        <div className="in">
          <Shares draft={draft} changed={changed} onChange={onChange} />
          {ALONE.map(([key, label, unit]) => (
            <div key={key} className="row mt12">
              <span className="b grow">{label}</span>
              <Cell place={key} label={`${label}, ${unit}`} draft={draft} changed={changed} onChange={onChange} />
              <span className="sm fnt">{unit}</span>
            </div>
          ))}
        </div>
      </Panel>
      <Panel title="Ranks" right={<Changed count={ofRanks} />}>
        <Ranks draft={draft} changed={changed} onChange={onChange} />
      </Panel>
    </div>
  )
}

function Changed({ count }: { count: number }) {
  if (count === 0) return <span className="fnt">unchanged</span>
  return (
    <span className="acc b">
      {count} {count === 1 ? 'figure' : 'figures'} changed
    </span>
  )
}

type PartProps = Omit<FormProps, 'holds'> & { changed: ReadonlySet<string> }

function Shares(props: PartProps) {
  return (
    <table className="d shares">
      <thead>
        <tr>
          <th scope="col">Percent</th>
          {[1, 2, 3, 4, 5].map((level) => (
            <th key={level} scope="col" className="num">
              <abbr title={`Level ${level}`}>L{level}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {SHARES.map(([list, title, of]) => (
          <tr key={list}>
            <th scope="row">
              <span className="b">{title}</span>
              <span className="sm fnt of">{of}</span>
            </th>
            {[0, 1, 2, 3, 4].map((level) => (
              <td key={level} className="num">
                <Cell {...props} place={`${list}.${level}`} label={`${title}, level ${level + 1}, percent`} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell({ place, label, draft, changed, onChange }: PartProps & { place: string; label: string }) {
  return (
    <input
      className={changed.has(place) ? 'cell chg' : 'cell'}
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      maxLength={12}
      readOnly={onChange === undefined}
      value={draft.cells[place] ?? ''}
      onChange={(event) => onChange?.({ ...draft, cells: { ...draft.cells, [place]: event.target.value } })}
    />
  )
}

function Ranks({ draft, changed, onChange }: PartProps) {
  const put = (ranks: Draft['ranks']) => onChange?.({ ...draft, ranks })
  return (
    <>
      <table className="d shares ranks">
        <Heads of={[...RANK_FIELDS.map(([key, label]): Head => (key === 'rank' ? label : [label, 'num'])), ['Take out', 'sr']]} />
        <tbody>
          {draft.ranks.map((rank, place) => (
            // A rank has no id: it is what stands on its place.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={place}>
              {RANK_FIELDS.map(([key, label, mode]) => (
                <td key={key} className={key === 'rank' ? undefined : 'num'}>
                  <input
                    className={`cell wide${changed.has(`ranks.${place}.${key}`) ? ' chg' : ''}`}
                    aria-label={`${label} ${place + 1}`}
                    inputMode={mode}
                    autoComplete="off"
                    maxLength={40}
                    readOnly={onChange === undefined}
                    value={rank[key]}
                    onChange={(event) => put(draft.ranks.map((one, at) => (at === place ? { ...one, [key]: event.target.value } : one)))}
                  />
                </td>
              ))}
              <td className="num">
                {onChange !== undefined && (
                  <button
                    type="button"
                    className="ib"
                    aria-label={`Take rank ${place + 1} out`}
                    onClick={() => put(draft.ranks.filter((_, at) => at !== place))}
                  >
                    <X size={14} aria-hidden="true" />
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {onChange !== undefined && draft.ranks.length < 20 && (
        <div className="in">
          <button type="button" className="btn sm" onClick={() => put([...draft.ranks, { rank: '', teamStake: '', bonus: '' }])}>
            <Plus size={14} aria-hidden="true" />
            Add a rank
          </button>
        </div>
      )}
    </>
  )
}
