import ChevronRight from 'lucide-react/icons/chevron-right'
import { useState } from 'react'
import { Money } from '../../../ui/money.tsx'
import { Heads } from '../../kit/heads.tsx'
import { plain } from '../../kit/strip-control-characters.ts'
import { utcAndLocal, brief } from '../../kit/when.ts'
import { type Entry, type Fold, foldEntries } from './entry-folds.ts'
import { Table } from '../../../ui/table.tsx'
import { Tag } from '../../../ui/tag.tsx'

export interface EntryRowsProps {
  rows: readonly Entry[]
  hasMore: boolean
  current: string | undefined
  onOpen: (id: string) => void
}

/** Lists an account's entries. A run's payments are one row until opened. */
export function EntryRows({ rows, hasMore, current, onOpen }: EntryRowsProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const toggle = (key: string) =>
    setOpened((now) => {
      const next = new Set(now)
      if (!next.delete(key)) next.add(key)
      return next
    })
  return (
    <Table dense folds>
      <Heads columns={['Time, UTC', 'Description', ['Amount', 'num'], ['Balance after', 'num']]} />
      <tbody>
        {foldEntries(rows, hasMore).map((fold) => {
          const key = `${fold.rows[0].run} ${fold.key}`
          const isOpen = opened.has(key) || fold.rows.some((row) => row.id === current)
          return fold.rows.length === 1 ? (
            <EntryRow key={key} row={fold.rows[0]} current={current} onOpen={onOpen} />
          ) : (
            <Folded key={key} fold={fold} isOpen={isOpen} onToggle={() => toggle(key)} current={current} onOpen={onOpen} />
          )
        })}
      </tbody>
    </Table>
  )
}

const timeOf = (at: Date) => (brief(at) === at.toISOString().slice(11, 16) ? at.toISOString().slice(11, 19) : brief(at))

function Folded({
  fold,
  isOpen,
  onToggle,
  current,
  onOpen,
}: { fold: Fold; isOpen: boolean; onToggle: () => void } & Pick<EntryRowsProps, 'current' | 'onOpen'>) {
  const [newest] = fold.rows
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the button in the row has the keys */}
      <tr onClick={onToggle}>
        <td data-label="Time, UTC" title={utcAndLocal(newest.at)}>
          {timeOf(newest.at)}
        </td>
        <td data-label="Description">
          <button
            type="button"
            className="flex min-w-0 items-center gap-[5px] aria-expanded:[&>svg]:rotate-90"
            aria-expanded={isOpen}
            onClick={(event) => {
              event.stopPropagation()
              onToggle()
            }}
          >
            <ChevronRight size={12} aria-hidden="true" /> {newest.text}, {fold.rows.length}
            {fold.open && '+'} entries <Tag>run {newest.run}</Tag>
          </button>
        </td>
        <td data-label="Amount" className="text-right whitespace-nowrap font-semi">
          <Money value={fold.sum} sign="always" />
        </td>
        <td data-label="Balance after" className="text-right whitespace-nowrap">
          <Money value={newest.balanceAfter} />
        </td>
      </tr>
      {isOpen && fold.rows.map((row) => <EntryRow key={row.id} row={row} inFold current={current} onOpen={onOpen} />)}
    </>
  )
}

function EntryRow({ row, inFold = false, current, onOpen }: { row: Entry; inFold?: boolean } & Pick<EntryRowsProps, 'current' | 'onOpen'>) {
  const tag = row.run === undefined ? row.tag : inFold ? undefined : `run ${row.run}`
  return (
    // The button in the row has the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <tr className={row.id === current ? 'on' : ''} onClick={() => onOpen(row.id)}>
      <td data-label="Time, UTC" title={utcAndLocal(row.at)}>
        {timeOf(row.at)}
      </td>
      <td data-label="Description">
        <button type="button" aria-current={row.id === current ? 'true' : undefined} onClick={() => onOpen(row.id)}>
          {row.text}, {plain(row.other.member?.name ?? row.other.name)}
        </button>{' '}
        {tag !== undefined && <Tag>{tag}</Tag>}
      </td>
      <td data-label="Amount" className="text-right whitespace-nowrap font-semi">
        <Money value={row.amount} sign="always" />
      </td>
      <td data-label="Balance after" className="text-right whitespace-nowrap">
        <Money value={row.balanceAfter} />
      </td>
    </tr>
  )
}
