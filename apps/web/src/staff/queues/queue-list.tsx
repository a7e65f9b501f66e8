import Check from 'lucide-react/icons/check'
import Flag from 'lucide-react/icons/flag'
import { useEffect, useRef } from 'react'
import { useAppConfig } from '../../settings/index.ts'
import { Money } from '../../ui/money.tsx'
import { plain } from '../lib/plain.ts'
import { age, bothClocks } from '../lib/when.ts'
import type { QueueRow } from './queue.ts'

export interface QueueListProps {
  label: string
  rows: readonly QueueRow[]
  current: string | undefined
  selected: ReadonlySet<string>
  /** Rows whose decision waits to be sent. */
  sending: string | undefined
  onOpen: (row: QueueRow) => void
  onSelect: (row: QueueRow) => void
}

/** The rows of a queue: a list box, so that arrow keys and J, K move the choice while the focus stays. */
export function QueueList({ label, rows, current, selected, sending, onOpen, onSelect }: QueueListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('.on')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const at = rows.findIndex((row) => row.id === current)
  return (
    <div
      ref={list}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : `row-${current}`}
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
        const next = step === undefined ? undefined : rows[Math.max(0, Math.min(rows.length - 1, at + step))]
        if (next === undefined) return
        event.preventDefault()
        onOpen(next)
      }}
    >
      {rows.map((row) => (
        <Row
          key={row.id}
          row={row}
          on={row.id === current}
          selected={selected.has(row.id)}
          sending={row.id === sending}
          onOpen={onOpen}
          onSelect={onSelect}
        />
      ))}
    </div>
  )
}

interface RowProps extends Pick<QueueListProps, 'onOpen' | 'onSelect'> {
  row: QueueRow
  on: boolean
  selected: boolean
  sending: boolean
}

function Row({ row, on, selected, sending, onOpen, onSelect }: RowProps) {
  const { tokenSymbol } = useAppConfig()
  const decided = row.status !== 'PENDING'
  const part = row.dueAt === undefined ? 0 : (Date.now() - row.createdAt.getTime()) / (row.dueAt.getTime() - row.createdAt.getTime())
  return (
    // The list box has the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div id={`row-${row.id}`} role="option" tabIndex={-1} aria-selected={on} className={on ? 'q on' : 'q'} onClick={() => onOpen(row)}>
      <span
        className={selected ? 'box x' : 'box'}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation()
          onSelect(row)
        }}
      >
        <Check />
      </span>
      <span className="row nm">
        <span className="tr">
          {plain(row.member.name)}
          {selected && <span className="sr"> (selected)</span>}
        </span>
        {row.whyNot === 'OWN' && <span className="tag">yours</span>}
      </span>
      <span className="am">
        <Money value={row.amount} unit={row.asset === 'usd' ? 'USD' : tokenSymbol} />
      </span>
      <span className="why">
        <Why row={row} sending={sending} />
      </span>
      <span className="age">
        {row.approvalsNeeded === 2 && !decided && <TwoMarks done={row.approvals?.length ?? 0} />}
        {decided ? (
          row.status === 'APPROVED' ? (
            'approved'
          ) : (
            'rejected'
          )
        ) : (
          <>
            <span
              className={part > 1 ? 'clock late' : 'clock'}
              style={{ '--v': Math.min(100, Math.round(part * 100)) } as object}
              aria-hidden="true"
            />
            <span title={bothClocks(row.createdAt)}>
              {age(row.createdAt)}
              {part > 1 && <span className="sr">, past its target</span>}
            </span>
          </>
        )}
      </span>
    </div>
  )
}

function Why({ row, sending }: { row: QueueRow; sending: boolean }) {
  const signs = row.signs ?? []
  if (sending) return <span className="tr acc">sending in a moment</span>
  if (signs.length > 0)
    return (
      <>
        <span className="warn row" style={{ gap: 3 }}>
          <Flag size={12} aria-hidden="true" />
          {signs.length}
          <span className="sr"> {signs.length === 1 ? 'flag' : 'flags'}</span>
        </span>
        <span className="tr">{signs.map((sign) => plain(sign.text)).join(', ')}</span>
      </>
    )
  const start = row.kind === 'bridges' ? 'Bridge · ' : ''
  const above = row.approvalsNeeded === 2 ? 'above the limit' : undefined
  const known =
    row.addressUsed === undefined ? 'paid as asked' : `address paid ${row.addressUsed === 1 ? 'once' : `${row.addressUsed} times`} before`
  const text = `${start}${above ?? known}`
  return <span className="tr">{text.charAt(0).toUpperCase() + text.slice(1)}</span>
}

const TwoMarks = ({ done }: { done: number }) => (
  <span className="two" title={`${done} of 2 approvals`}>
    <i className={done > 0 ? 'f' : ''} />
    <i className={done > 1 ? 'f' : ''} />
    <span className="sr">{done} of 2 approvals</span>
  </span>
)
