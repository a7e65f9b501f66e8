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
import { age, utcAndLocal } from '../../kit/when.ts'
import type { QueueRow } from './queue.ts'
import { usualCodes, weighSigns } from './sign-weight.ts'
import { Tag } from '../../../ui/tag.tsx'

export interface QueueListProps {
  /** Name of the queue in locations. */
  list: string
  label: string
  rows: readonly QueueRow[]
  /** Id of the list: a queue with its filter. */
  which: string
  current: string | undefined
  selected: ReadonlySet<string>
  /** Id of a row with an unsent decision. */
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
      className={(row) =>
        cx(
          'grid grid-cols-[minmax(0,1fr)_auto] gap-x-2.5 py-2 pr-3.5 pl-3 max-md:px-4 max-md:py-[11px] md:grid-cols-[14px_minmax(0,1fr)_auto]',
          steady.left.has(row.id) && 'opacity-45 transition-opacity',
          row.whyNot === 'OWN' && '*:text-faint',
        )
      }
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
        className={cx(
          'row-span-2 grid size-3.5 place-items-center self-center rounded-[4px] border-[1.5px] text-on-accent max-md:hidden *:size-2.5 *:stroke-[3.2]',
          decided && 'invisible',
          selected ? 'border-accent bg-accent' : 'border-line-input',
        )}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation()
          onSelect(row)
        }}
      >
        {selected && <Check />}
      </span>
      <span className="flex min-w-0 items-center gap-2 font-semi">
        <span className="truncate">
          {plain(row.member.name)}
          {selected && <span className="sr-only"> (selected)</span>}
        </span>
        <PresenceMarks people={here} />
        {row.whyNot === 'OWN' && <Tag>yours</Tag>}
      </span>
      <span className="text-right font-strong tracking-tight">
        <Money value={row.amount} unit={row.asset === 'usd' ? 'USD' : tokenSymbol} />
      </span>
      <span className="flex min-w-0 items-center gap-1.5 text-xs text-faint">
        <Why row={row} sending={sending} usual={usual} />
      </span>
      <span className="flex items-center justify-end gap-1.5 text-xs text-faint">
        {row.approvalsNeeded === 2 && !decided && <TwoMarks done={row.approvals?.length ?? 0} />}
        {decided ? (
          row.status === 'APPROVED' ? (
            row.rule?.outcome === 'APPROVED' ? (
              'approved by rule'
            ) : (
              'approved'
            )
          ) : (
            'rejected'
          )
        ) : (
          <>
            {row.dueAt !== undefined && <TargetRing since={row.createdAt} due={row.dueAt} />}
            <span className={late ? 'text-warning' : undefined} title={utcAndLocal(row.createdAt)}>
              {age(row.createdAt)}
              {late && <span className="sr-only">, past its target</span>}
            </span>
          </>
        )}
      </span>
    </>
  )
}

const RULE_TEXTS = { APPROVED: 'Approved by', HELD: 'Held by', QUEUED: 'Queue', CEILING: 'Ceiling of' } as const

function Why({ row, sending, usual }: { row: QueueRow; sending: boolean; usual: ReadonlySet<string> }) {
  const { flags, quiet } = weighSigns(row.signs, usual)
  if (sending) return <span className="truncate text-accent">sending in a moment</span>
  if (row.rule !== undefined && row.status === 'PENDING')
    return (
      <span className="truncate">
        {RULE_TEXTS[row.rule.outcome]} “{plain(row.rule.name)}”
      </span>
    )
  const texts = (signs: typeof flags) => signs.map((sign) => plain(sign.text)).join(', ')
  if (flags.length > 0)
    return (
      <>
        <span className="flex flex-none items-center gap-[3px] text-warning">
          <Flag size={12} aria-hidden="true" />
          {flags.length}
          <span className="sr-only"> {flags.length === 1 ? 'flag' : 'flags'}</span>
        </span>
        <span className="truncate">{texts(flags)}</span>
      </>
    )
  if (quiet.length > 0) return <span className="truncate">{texts(quiet)}</span>
  const start = row.kind === 'bridges' ? 'Bridge · ' : ''
  const above = row.approvalsNeeded === 2 ? 'above the limit' : undefined
  const known =
    row.addressUsed === undefined
      ? 'paid as requested'
      : `address paid ${row.addressUsed === 1 ? 'once' : `${row.addressUsed} times`} before`
  const text = `${start}${above ?? known}`
  return <span className="truncate">{text.charAt(0).toUpperCase() + text.slice(1)}</span>
}

const TwoMarks = ({ done }: { done: number }) => (
  <span className="inline-flex gap-0.5" title={`${done} of 2 approvals`}>
    <i className={cx('h-1 w-2.5 rounded-[2px]', done > 0 ? 'bg-accent-line' : 'bg-line-strong')} />
    <i className={cx('h-1 w-2.5 rounded-[2px]', done > 1 ? 'bg-accent-line' : 'bg-line-strong')} />
    <span className="sr-only">{done} of 2 approvals</span>
  </span>
)
