import { navigate } from 'wouter/use-browser-location'
import { useOverview } from '../../kit/overview.ts'
import { weighSigns } from './sign-weight.ts'
import type { QueueRow, QueueWords, Whose } from './queue.ts'

export interface QueueBarsProps {
  words: QueueWords
  view: Whose
  search: URLSearchParams
  rows: readonly QueueRow[]
  /** Whether there are more rows than these. */
  hasMore: boolean
}

/** Whether a request has a sign that counts as a flag, not only a quiet one such as a first payout to an address. */
export const isFlagged = (row: QueueRow): boolean => weighSigns(row.signs).flags.length > 0

/** What a filter would leave of the rows that are there. */
const FITS = {
  flagged: isFlagged,
  aboveLimit: (row: QueueRow) => row.limit !== undefined && row.amount > row.limit,
}

/** Whose items, and which of them; both stand in the address. */
export function QueueBars({ words, view, search, rows, hasMore }: QueueBarsProps) {
  const work = useOverview().data?.work?.[words.list]
  const tabs = [
    ['me', 'For you', work?.forMe],
    ['others', words.others, work === undefined || words.list === 'deposits' ? undefined : work.count - work.forMe],
    ['decided', 'Decided', undefined],
  ] as const
  const filters =
    words.list === 'payouts'
      ? ([
          ['flagged', 'Flagged'],
          ['aboveLimit', 'Above limit'],
        ] as const)
      : ([['aboveLimit', 'Above limit']] as const)
  const go = (change: (next: URLSearchParams) => void) => {
    const next = new URLSearchParams(search)
    change(next)
    navigate(`${words.path}${next.size === 0 ? '' : `?${next.toString()}`}`)
  }
  return (
    <>
      <div className="bar">
        <nav className="tabs" aria-label="Whose">
          {tabs.map(([name, label, count]) => (
            <button
              key={name}
              type="button"
              className={name === view ? 'on' : ''}
              aria-current={name === view ? 'true' : undefined}
              onClick={() => go((next) => (name === 'me' ? next.delete('for') : next.set('for', name)))}
            >
              {label}
              {count !== undefined && count > 0 && <span className="c">{count}</span>}
            </button>
          ))}
        </nav>
      </div>
      <div className="bar" style={{ minHeight: 40, gap: 6 }}>
        {words.list === 'payouts' && (
          <select
            className="chip"
            aria-label="Kind"
            value={search.get('kind') ?? ''}
            onChange={({ target }) => go((next) => (target.value === '' ? next.delete('kind') : next.set('kind', target.value)))}
          >
            <option value="">Kind</option>
            <option value="withdrawals">USD payouts</option>
            <option value="bridges">Bridges</option>
          </select>
        )}
        {filters.map(([name, label]) => (
          <button
            key={name}
            type="button"
            className="chip"
            aria-pressed={search.has(name)}
            onClick={() => go((next) => (next.has(name) ? next.delete(name) : next.set(name, 'true')))}
          >
            {label}
            {view !== 'decided' && <Fitting rows={rows.filter(FITS[name]).length} hasMore={hasMore} />}
          </button>
        ))}
      </div>
    </>
  )
}

/** How many fit; `+` where further rows were not read yet. */
const Fitting = ({ rows, hasMore }: { rows: number; hasMore: boolean }) =>
  rows === 0 ? null : (
    <span className="c">
      {rows}
      {hasMore && '+'}
    </span>
  )
