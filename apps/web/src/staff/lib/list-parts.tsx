import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { toApiError } from '../../lib/api.ts'
import { cx } from '../../ui/cx.ts'

/** One of the lists that a view has, and its address. */
export interface ListTab {
  label: string
  href: string
  isOn: boolean
  count?: number | undefined
}

/** Chooses between the lists of a view; which one it is stands in the address. */
export function ListTabs({ tabs, label = 'Which' }: { tabs: readonly ListTab[]; label?: string }) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <button
          key={tab.label}
          type="button"
          className={tab.isOn ? 'on' : ''}
          aria-current={tab.isOn ? 'true' : undefined}
          onClick={() => navigate(tab.href)}
        >
          {tab.label}
          {tab.count !== undefined && tab.count > 0 && <span className="c">{tab.count}</span>}
        </button>
      ))}
    </nav>
  )
}

export interface ListStateProps {
  /** The read behind the list. */
  query: { data: unknown; error: Error | null; refetch: () => unknown }
  rows: number
  /** What an empty list says: `Nothing waits for you`. */
  none: string
  /** Why it is empty and what there is elsewhere: `3 wait for another person.` */
  hint?: ReactNode
  /** The way on. */
  action?: ReactNode
  /** What a list says that is empty because of its filter, and the address without it. */
  filtered?: { none: string; clear: string } | undefined
}

/** What stands in place of rows: their shape while they come, why they could not be read, or that there are none (staff.md 6). */
export function ListState({ query, rows, none, hint, action, filtered }: ListStateProps) {
  if (rows > 0) return null
  if (query.error !== null)
    return (
      <div className="nothing" role="alert">
        <b>The list could not be read</b>
        <span>{toApiError(query.error).message}</span>
        <button type="button" className="btn sm" onClick={() => void query.refetch()}>
          Try again
        </button>
      </div>
    )
  if (query.data === undefined) return <RowSkeleton />
  return (
    <div className="nothing">
      <b>{filtered?.none ?? none}</b>
      {filtered === undefined ? (
        <>
          {hint !== undefined && <span>{hint}</span>}
          {action}
        </>
      ) : (
        <button type="button" className="btn sm" onClick={() => navigate(filtered.clear)}>
          Clear
        </button>
      )}
    </div>
  )
}

/** Rows that are on their way; shown only when they take longer than 150 ms. */
export function RowSkeleton({ rows = 4 }: { rows?: number }) {
  return (
    <div aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: rows }, (_, place) => (
        <div key={place} className="skeleton" aria-hidden="true">
          <i style={{ width: '55%' }} />
          <i style={{ width: '70%' }} />
        </div>
      ))}
    </div>
  )
}

export interface RowListProps<Row extends { id: string }> {
  label: string
  rows: readonly Row[]
  current: string | undefined
  onOpen: (row: Row) => void
  /** Classes of a row: `q`, `tk`. */
  className: (row: Row) => string
  children: (row: Row) => ReactNode
}

/**
 * The rows of a view: a list box, so that arrow keys, J and K move the choice while the focus stays. Rows out of sight cost
 * nothing (parts.css), so that a long list keeps its place.
 */
export function RowList<Row extends { id: string }>({ label, rows, current, onOpen, className, children }: RowListProps<Row>) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const at = rows.findIndex((row) => row.id === current)
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const next = step === undefined ? undefined : rows[Math.max(0, Math.min(rows.length - 1, at + step))]
    if (next === undefined) return
    event.preventDefault()
    onOpen(next)
  }
  return (
    <div
      ref={list}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : `row-${current}`}
      onKeyDown={press}
    >
      {rows.map((row) => (
        // The list box has the keys.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={row.id}
          id={`row-${row.id}`}
          role="option"
          tabIndex={-1}
          aria-selected={row.id === current}
          className={cx(className(row), row.id === current && 'on')}
          onClick={() => onOpen(row)}
        >
          {children(row)}
        </div>
      ))}
    </div>
  )
}

/** Under a list whose rows come in pages. */
export function More({ pages }: { pages: { hasMore: boolean; more: () => void; isFetching: boolean } }) {
  if (!pages.hasMore) return null
  return (
    <p className="row" style={{ padding: 12 }}>
      <button type="button" className="btn sm" aria-disabled={pages.isFetching} onClick={pages.more}>
        {pages.isFetching ? 'Reading' : 'Load more'}
      </button>
    </p>
  )
}
