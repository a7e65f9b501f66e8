import { navigate } from 'wouter/use-browser-location'
import { useOverview } from '../../kit/overview.ts'
import { plain } from '../../kit/strip-control-characters.ts'
import { weighSigns } from './sign-weight.ts'
import type { QueueRow, QueueWords, QueueFilter } from './queue.ts'
import { PaneBar } from '../../../ui/split.tsx'
import { Count, tabsClass, tabClass } from '../../../ui/tabs.tsx'
import { chipClass } from '../../../ui/chip.ts'
import { cx } from '../../../ui/cx.ts'

export interface QueueBarsProps {
  words: QueueWords
  view: QueueFilter
  search: URLSearchParams
  rows: readonly QueueRow[]
  /** True if more rows exist than are loaded. */
  hasMore: boolean
}

/** Returns true if a request has a flag, not only a quiet sign such as a first payout to an address. */
export const isFlagged = (row: QueueRow): boolean => weighSigns(row.signs).flags.length > 0

/** Predicate of each filter over the loaded rows. */
const MATCHES_FILTER = {
  flagged: isFlagged,
  aboveLimit: (row: QueueRow) => row.limit !== undefined && row.amount > row.limit,
}

/** Chooses assignee and filter. The address holds both. */
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
      <PaneBar>
        <nav className={tabsClass(true)} aria-label="Whose">
          {tabs.map(([name, label, count]) => (
            <button
              key={name}
              type="button"
              className={tabClass(name === view)}
              aria-current={name === view ? 'true' : undefined}
              onClick={() => go((next) => (name === 'me' ? next.delete('for') : next.set('for', name)))}
            >
              {label}
              {count !== undefined && count > 0 && <Count>{count}</Count>}
            </button>
          ))}
        </nav>
      </PaneBar>
      <PaneBar className="min-h-10 gap-1.5">
        {words.list === 'payouts' && (
          <select
            className={cx(chipClass(), 'field-sizing-content')}
            aria-label="Kind"
            value={search.get('kind') ?? ''}
            onChange={({ target }) => go((next) => (target.value === '' ? next.delete('kind') : next.set('kind', target.value)))}
          >
            <option value="">Kind</option>
            <option value="withdrawals">USD payouts</option>
            <option value="bridges">Bridges</option>
          </select>
        )}
        {search.has('rule') && (
          <button type="button" className={chipClass(true)} aria-pressed="true" onClick={() => go((next) => next.delete('rule'))}>
            Rule: {plain(search.get('rule') ?? '')}
          </button>
        )}
        {filters.map(([name, label]) => (
          <button
            key={name}
            type="button"
            className={chipClass()}
            aria-pressed={search.has(name)}
            onClick={() => go((next) => (next.has(name) ? next.delete(name) : next.set(name, 'true')))}
          >
            {label}
            {view !== 'decided' && <Fitting rows={rows.filter(MATCHES_FILTER[name]).length} hasMore={hasMore} />}
          </button>
        ))}
      </PaneBar>
    </>
  )
}

/** Shows the count; `+` if more rows are not loaded. */
const Fitting = ({ rows, hasMore }: { rows: number; hasMore: boolean }) =>
  rows === 0 ? null : (
    <Count>
      {rows}
      {hasMore && '+'}
    </Count>
  )
