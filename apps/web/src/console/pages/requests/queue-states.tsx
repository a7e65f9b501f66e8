import { navigate } from 'wouter/use-browser-location'
import { useAppConfig } from '../../../settings/index.ts'
import { toApiError } from '../../../lib/api.ts'
import { Money } from '../../../ui/money.tsx'
import { ListState, type ListStateProps } from '../../kit/list-parts.tsx'
import { useOverview } from '../../kit/overview.ts'
import type { QueueRow, QueueWords, Whose } from './queue.ts'

export function State({ item }: { item: QueueRow }) {
  if (item.status === 'APPROVED') return <span className="badge ok">Approved</span>
  if (item.status === 'REJECTED') return <span className="badge bad">Rejected</span>
  return <span className="badge acc">{(item.approvals ?? []).length > 0 ? 'Waits for the second approval' : 'Waits for approval'}</span>
}

export function Unchosen({ id, error, none }: { id: string | undefined; error: Error | null; none: boolean }) {
  if (id === undefined) return none ? null : <p className="nothing hide">Choose one with J, or press a row.</p>
  return (
    <p className="nothing">
      {error === null ? 'Reading' : toApiError(error).statusCode === 404 ? 'There is no such request' : 'It could not be read'}
    </p>
  )
}

export function Nothing({
  list,
  words,
  view,
  filtered,
}: {
  list: ListStateProps['query']
  words: QueueWords
  view: Whose
  filtered: boolean
}) {
  const work = useOverview().data?.work?.[words.list]
  const others = view !== 'me' || work === undefined ? 0 : work.count - work.forMe
  return (
    <ListState
      query={list}
      rows={0}
      none={view === 'me' ? 'Nothing waits for you' : 'Nothing here'}
      hint={others > 0 ? `${others} wait for another person.` : undefined}
      action={
        view === 'me' && (
          <button type="button" className="btn sm" onClick={() => navigate(`${words.path}?for=${others > 0 ? 'others' : 'decided'}`)}>
            {others > 0 ? `Look at those ${others}` : 'Look at what was decided'}
          </button>
        )
      }
      filtered={filtered ? { none: `No ${words.one} fits`, clear: words.path } : undefined}
    />
  )
}

/** What the rows that are there add up to, and the keys of the list. */
export function Sums({ rows, whole, order }: { rows: readonly QueueRow[]; whole: boolean; order: string }) {
  const { tokenSymbol } = useAppConfig()
  const sum = (asset: QueueRow['asset']) => rows.reduce((total, row) => (row.asset === asset ? total + row.amount : total), 0n)
  const sums = (
    [
      ['usd', 'USD'],
      ['coin', tokenSymbol],
    ] as const
  )
    .map(([asset, unit]) => [sum(asset), unit] as const)
    .filter(([value]) => value > 0n)
  return (
    <div className="foot sm mut hide">
      <span className="grow tr">
        {sums.map(([value, unit], place) => (
          <span key={unit}>
            {place > 0 && ', '}
            <Money value={value} unit={unit} />
          </span>
        ))}
        {!whole && ` in the first ${rows.length}`}
      </span>
      <span className="fnt">{order}</span>
      <span className="row" style={{ gap: 3 }} aria-hidden="true">
        {['J', 'K', 'X'].map((key) => (
          <kbd key={key} className="kbd">
            {key}
          </kbd>
        ))}
      </span>
    </div>
  )
}
