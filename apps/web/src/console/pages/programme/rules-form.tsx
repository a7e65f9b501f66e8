import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { Panel } from '../../kit/panel.tsx'
import { SINGLE_FIGURES, changedCells, type Draft, SHARES } from './draft.ts'
import { type Head, Heads } from '../../kit/heads.tsx'
import { cx } from '../../../ui/cx.ts'
import { Table } from '../../../ui/table.tsx'
import { Button } from '../../../ui/button.tsx'

const RANK_FIELDS = [
  ['rank', 'Rank', 'text'],
  ['teamStake', 'Team stake', 'decimal'],
  ['bonus', 'Bonus', 'decimal'],
] as const

const TABLE = 'md:[&_tbody_th]:pl-0! md:[&_td]:px-1! md:[&_thead_th]:px-1!'

const cellClass = (isChanged: boolean) =>
  cx(
    'rounded-sm border px-2 py-[3px] read-only:border-transparent read-only:bg-transparent',
    isChanged ? 'border-accent-line bg-accent-soft font-[580]' : 'bg-surface',
  )

interface FormProps {
  draft: Draft
  current: Draft
  /** Absent for read-only roles. */
  onChange: ((draft: Draft) => void) | undefined
}

/** Shows all programme figures in fields and highlights changed ones. */
export function RulesForm({ draft, current, onChange }: FormProps) {
  const changed = changedCells(draft, current)
  const ofRanks = [...changed].filter((cell) => cell.startsWith('ranks.')).length
  const count = changed.size - ofRanks
  return (
    <div className="lg:col-span-6 grid gap-3.5 content-start">
      <Panel title="Draft" right={<Changed count={count} />}>
        <div className="px-4 pt-3 pb-4">
          <Shares draft={draft} changed={changed} onChange={onChange} />
          {SINGLE_FIGURES.map(([key, label, unit]) => (
            <div key={key} className="flex min-w-0 items-center gap-2 mt-3">
              <span className="font-semi min-w-0 flex-1">{label}</span>
              <Cell cell={key} label={`${label}, ${unit}`} draft={draft} changed={changed} onChange={onChange} />
              <span className="text-xs text-faint">{unit}</span>
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
  if (count === 0) return <span className="text-faint">unchanged</span>
  return (
    <span className="text-accent font-semi">
      {count} {count === 1 ? 'figure' : 'figures'} changed
    </span>
  )
}

type PartProps = Omit<FormProps, 'current'> & { changed: ReadonlySet<string> }

function Shares(props: PartProps) {
  return (
    <Table
      dense
      folds
      className={cx(
        TABLE,
        'max-md:[&_tbody_th]:col-span-full max-md:[&_tbody_th]:px-0! max-md:[&_td]:flex-col max-md:[&_td]:gap-0.5! max-md:[&_td]:px-0! max-md:[&_tr]:grid! max-md:[&_tr]:grid-cols-5 max-md:[&_tr]:gap-1 max-md:[&_tr]:px-4 max-md:[&_input]:w-full!',
      )}
    >
      <thead>
        <tr>
          <th scope="col">Percent</th>
          {[1, 2, 3, 4, 5].map((level) => (
            <th key={level} scope="col" className="text-end whitespace-nowrap">
              <abbr className="no-underline" title={`Level ${level}`}>
                L{level}
              </abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {SHARES.map(([list, title, of]) => (
          <tr key={list}>
            <th scope="row">
              <span className="font-semi">{title}</span>
              <span className="block text-xs text-faint">{of}</span>
            </th>
            {[0, 1, 2, 3, 4].map((level) => (
              <td key={level} data-label={`L${level + 1}`} className="text-right whitespace-nowrap">
                <Cell {...props} cell={`${list}.${level}`} label={`${title}, level ${level + 1}, percent`} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function Cell({ cell, label, draft, changed, onChange }: PartProps & { cell: string; label: string }) {
  return (
    <input
      className={cx(cellClass(changed.has(cell)), 'w-[58px] text-right')}
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      maxLength={12}
      readOnly={onChange === undefined}
      value={draft.cells[cell] ?? ''}
      onChange={(event) => onChange?.({ ...draft, cells: { ...draft.cells, [cell]: event.target.value } })}
    />
  )
}

function Ranks({ draft, changed, onChange }: PartProps) {
  const put = (ranks: Draft['ranks']) => onChange?.({ ...draft, ranks })
  return (
    <>
      <Table dense folds className={cx(TABLE, 'md:[&_tr>*:first-child]:pl-4!')}>
        <Heads columns={[...RANK_FIELDS.map(([key, label]): Head => (key === 'rank' ? label : [label, 'num'])), ['Remove', 'sr']]} />
        <tbody>
          {draft.ranks.map((rank, index) => (
            // A rank has no id, so its index is its key.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              {RANK_FIELDS.map(([key, label, mode]) => (
                <td key={key} data-label={label} className={key === 'rank' ? undefined : 'text-right whitespace-nowrap'}>
                  <input
                    className={cx(cellClass(changed.has(`ranks.${index}.${key}`)), 'w-27', key === 'rank' ? 'text-left' : 'text-right')}
                    aria-label={`${label} ${index + 1}`}
                    inputMode={mode}
                    autoComplete="off"
                    maxLength={40}
                    readOnly={onChange === undefined}
                    value={rank[key]}
                    onChange={(event) => put(draft.ranks.map((one, at) => (at === index ? { ...one, [key]: event.target.value } : one)))}
                  />
                </td>
              ))}
              <td className="text-right whitespace-nowrap max-md:justify-end!">
                {onChange !== undefined && (
                  <button
                    type="button"
                    className="grid size-7 place-items-center rounded-md text-muted hover:bg-hover"
                    aria-label={`Remove rank ${index + 1}`}
                    onClick={() => put(draft.ranks.filter((_, at) => at !== index))}
                  >
                    <X size={14} aria-hidden="true" />
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      {onChange !== undefined && draft.ranks.length < 20 && (
        <div className="px-4 pt-3 pb-4">
          <Button
            size="sm"
            icon={<Plus size={14} aria-hidden="true" />}
            onClick={() => put([...draft.ranks, { rank: '', teamStake: '', bonus: '' }])}
          >
            Add a rank
          </Button>
        </div>
      )}
    </>
  )
}
