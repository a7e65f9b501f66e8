import { Fragment, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { cx } from '../../ui/cx.ts'
import { Count, tabsClass, tabClass } from '../../ui/tabs.tsx'
import { Button } from '../../ui/button.tsx'

export { ListState, type ListStateProps, RowSkeleton } from './list-state.tsx'

/** A list of a view, with its address. */
export interface ListTab {
  label: string
  href: string
  isOn: boolean
  count?: number | undefined
}

/** Switches between the lists of a view. The address holds the choice. */
export function ListTabs({ tabs, label = 'Which', inBar = false }: { tabs: readonly ListTab[]; label?: string; inBar?: boolean }) {
  return (
    <nav className={tabsClass(inBar)} aria-label={label}>
      {tabs.map((tab) => (
        <button
          key={tab.label}
          type="button"
          className={tabClass(tab.isOn)}
          aria-current={tab.isOn ? 'true' : undefined}
          onClick={() => navigate(tab.href)}
        >
          {tab.label}
          {tab.count !== undefined && tab.count > 0 && <Count>{tab.count}</Count>}
        </button>
      ))}
    </nav>
  )
}

export interface RowListProps<Row extends { id: string }> {
  /** Ref for a caller that observes the box. */
  box?: RefObject<HTMLDivElement | null>
  label: string
  rows: readonly Row[]
  current: string | undefined
  onOpen: (row: Row) => void
  /** Classes of a row: its grid and its state. */
  className: (row: Row) => string
  /** Shown above a row: the heading of the group that begins there. */
  headingOf?: (row: Row) => string | undefined
  children: (row: Row) => ReactNode
}

/** A row. The browser skips layout and paint of rows out of sight and keeps their height. */
const ROW =
  'relative cursor-pointer border-b [contain-intrinsic-size:auto_54px] [content-visibility:auto] hover:bg-raised aria-selected:bg-accent-soft aria-selected:before:absolute aria-selected:before:inset-y-0 aria-selected:before:left-0 aria-selected:before:w-[3px] aria-selected:before:bg-accent-line'

/**
 * Shows the rows as a list box: arrow keys, J and K move the selection while the focus stays. Rows out of sight stay in the page,
 * without layout and paint, so a long list keeps its scroll position.
 */
export function RowList<Row extends { id: string }>({
  box,
  label,
  rows,
  current,
  onOpen,
  className,
  headingOf,
  children,
}: RowListProps<Row>) {
  const own = useRef<HTMLDivElement>(null)
  const list = box ?? own
  const shown = useRef(current)
  useEffect(() => {
    const element = list.current
    element?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
    // J and K work from anywhere. Focus left on the menu would reopen the page at Enter and lose the selection.
    if (shown.current !== current && !document.getElementById('main')?.contains(document.activeElement))
      element?.focus({ preventScroll: true })
    shown.current = current
  }, [current, list])
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
      className="focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent-line"
      aria-activedescendant={at < 0 ? undefined : `row-${current}`}
      onKeyDown={press}
    >
      {rows.map((row) => (
        <Fragment key={row.id}>
          {headingOf?.(row) !== undefined && (
            <div role="presentation" className="border-b border-line px-3.5 pt-3 pb-1.5 text-xs text-muted">
              {headingOf(row)}
            </div>
          )}
          {/* The list box handles the keys. */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
          <div
            id={`row-${row.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={row.id === current}
            className={cx(ROW, className(row))}
            onClick={() => onOpen(row)}
          >
            {children(row)}
          </div>
        </Fragment>
      ))}
    </div>
  )
}

/** Loads the next page of a list. */
export function More({ pages }: { pages: { hasMore: boolean; more: () => void; isFetching: boolean } }) {
  if (!pages.hasMore) return null
  return (
    <p className="flex min-w-0 items-center gap-2 p-3">
      <Button size="sm" aria-disabled={pages.isFetching} onClick={pages.more}>
        {pages.isFetching ? 'Loading' : 'Load more'}
      </Button>
    </p>
  )
}
