import { navigate } from 'wouter/use-browser-location'
import { useOverview } from '../lib/overview.ts'
import type { QueueWords } from './queue.ts'

/** Whose items, and which of them; both stand in the address. */
export function QueueBars({ words, view, search }: { words: QueueWords; view: 'me' | 'others' | 'decided'; search: URLSearchParams }) {
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
        {filters.map(([name, label]) => (
          <button
            key={name}
            type="button"
            className="chip"
            aria-pressed={search.has(name)}
            onClick={() => go((next) => (next.has(name) ? next.delete(name) : next.set(name, 'true')))}
          >
            {label}
          </button>
        ))}
        <span className="fnt sm" style={{ marginLeft: 'auto' }}>
          {view === 'decided' ? 'Newest first' : 'Oldest first'}
        </span>
      </div>
    </>
  )
}
