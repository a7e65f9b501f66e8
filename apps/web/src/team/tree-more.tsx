import ChevronDown from 'lucide-react/icons/chevron-down'
import type { MouseEvent } from 'react'
import { cx } from '../ui/cx.ts'
import { Spinner } from '../ui/spinner.tsx'
import { indent } from './tree-item.tsx'
import type { TreeRow } from './tree-rows.ts'
import type { WindowRows } from './use-window-rows.ts'

export interface TreeMoreProps {
  id: string
  box: WindowRows['row']
  row: TreeRow
  /** The keys stand on it. */
  current: boolean
  chosen: boolean
  onClick: (event: MouseEvent) => void
}

/** What a row for more is called: "Show more (99 of 250)"; screen readers hear of whom as well. */
export function MoreLabel({ row: { node, failed, more } }: { row: TreeRow }) {
  return (
    <>
      {failed ? 'Try again' : 'Show more'} ({more?.shown.toLocaleString('en-US')} of {more?.total.toLocaleString('en-US')})
      <span className="sr-only"> directly below {node.name}</span>
    </>
  )
}

/** The end of a branch that is too large for one answer: an item of the tree that fetches the next people. */
export function TreeMore({ id, box, row, current, chosen, onClick }: TreeMoreProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are heard by the tree
    <div
      ref={box}
      data-key={row.key}
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-selected={current}
      aria-busy={row.loading || undefined}
      onClick={onClick}
      className={cx(
        'flex min-h-12 cursor-pointer items-center gap-2.5 border-b py-2 pr-3 text-sm last:border-b-0',
        chosen ? 'bg-accent-soft' : 'hover:bg-raised',
        current && 'group-focus-visible:bg-accent-soft',
      )}
      style={indent(row)}
    >
      <span className="grid size-8 shrink-0 place-items-center text-faint">
        {row.loading ? (
          <Spinner label={`Loading more of the team of ${row.node.name}`} />
        ) : (
          <ChevronDown size={17} aria-hidden="true" className="text-accent-text" />
        )}
      </span>
      <span className="flex flex-wrap gap-x-2">
        {row.failed && <span className="text-danger">More people did not load.</span>}
        <span className="font-semi text-accent-text">
          <MoreLabel row={row} />
        </span>
      </span>
    </div>
  )
}
