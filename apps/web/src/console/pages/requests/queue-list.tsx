import Check from 'lucide-react/icons/check'
import Flag from 'lucide-react/icons/flag'
import { useRef } from 'react'
import { useAppConfig } from '../../../settings/index.ts'
import { cx } from '../../../ui/cx.ts'
import { Money } from '../../../ui/money.tsx'
import { type Colleague, useColleagues } from '../../kit/presence.ts'
import { PresenceMarks } from '../../kit/presence-marks.tsx'
import { RowList } from '../../kit/list-parts.tsx'
import { TargetRing } from '../../kit/panel.tsx'
import { useSteadyRows } from '../../kit/steady-rows.ts'
import { plain } from '../../kit/strip-control-characters.ts'
import { age, bothClocks } from '../../kit/when.ts'
import type { QueueRow } from './queue.ts'
import { usualCodes, weighSigns } from './sign-weight.ts'

export interface QueueListProps {
  /** The queue's name, as places have it. */
  list: string
  label: string
  rows: readonly QueueRow[]
  /** Names what is listed: a queue with its filter. */
  which: string
  current: string | undefined
  selected: ReadonlySet<string>
  /** Rows whose decision waits to be sent. */
  sending: string | undefined
  onOpen: (row: QueueRow) => void
  onSelect: (row: QueueRow) => void
}

export function QueueList({ list, label, rows, which, current, selected, sending, onOpen, onSelect }: QueueListProps) {
  const colleagues = useColleagues()
  const box = useRef<HTMLDivElement>(null)
  const steady = useSteadyRows(rows, which, box)
  const usual = usualCodes(rows)
  return (
    <RowList
      box={box}
      label={label}
      rows={steady.rows}
      current={current}
      onOpen={onOpen}
      className={(row) => cx('q', steady.left.has(row.id) && 'left', row.whyNot === 'OWN' && 'own')}
    >
      {(row) => (
        <Row
          row={row}
          here={colleagues(`${list}/${row.id}`)}
          selected={selected.has(row.id)}
          sending={row.id === sending}
          usual={usual}
          onSelect={onSelect}
        />
      )}
    </RowList>
  )
}

interface RowProps extends Pick<QueueListProps, 'onSelect'> {
  row: QueueRow
  here: readonly Colleague[]
  selected: boolean
  sending: boolean
  usual: ReadonlySet<string>
}

function Row({ row, here, selected, sending, usual, onSelect }: RowProps) {
  const { tokenSymbol } = useAppConfig()
  const decided = row.status !== 'PENDING'
  const late = row.dueAt !== undefined && row.dueAt.getTime() < Date.now()
  return (
    <>
      <span
        className={decided ? 'box gone' : selected ? 'box x' : 'box'}
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
        <PresenceMarks people={here} />
        {row.whyNot === 'OWN' && <span className="tag">yours</span>}
      </span>
      <span className="am">
        <Money value={row.amount} unit={row.asset === 'usd' ? 'USD' : tokenSymbol} />
      </span>
      <span className="why">
        <Why row={row} sending={sending} usual={usual} />
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
            {row.dueAt !== undefined && <TargetRing since={row.createdAt} due={row.dueAt} />}
            <span className={late ? 'warn' : undefined} title={bothClocks(row.createdAt)}>
              {age(row.createdAt)}
              {late && <span className="sr">, past its target</span>}
            </span>
          </>
        )}
      </span>
    </>
  )
}

function Why({ row, sending, usual }: { row: QueueRow; sending: boolean; usual: ReadonlySet<string> }) {
  const { flags, quiet } = weighSigns(row.signs, usual)
  if (sending) return <span className="tr acc">sending in a moment</span>
  const texts = (signs: typeof flags) => signs.map((sign) => plain(sign.text)).join(', ')
  if (flags.length > 0)
    return (
      <>
        <span className="warn row" style={{ gap: 3 }}>
          <Flag size={12} aria-hidden="true" />
          {flags.length}
          <span className="sr"> {flags.length === 1 ? 'flag' : 'flags'}</span>
        </span>
        <span className="tr">{texts(flags)}</span>
      </>
    )
  if (quiet.length > 0) return <span className="tr">{texts(quiet)}</span>
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
