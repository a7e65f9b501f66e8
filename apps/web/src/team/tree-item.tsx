import type { CSSProperties, MouseEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { PersonRow } from './person-row.tsx'
import type { TreeRow } from './tree-rows.ts'
import type { WindowRows } from './use-window-rows.ts'

export interface TreeItemProps {
  id: string
  box: WindowRows['row']
  row: TreeRow
  unit: string
  /** The keys stand on it. */
  current: boolean
  /** Somebody chose it. */
  chosen: boolean
  full: boolean
  onFull: () => void
  onClick: (event: MouseEvent) => void
  /** Tries again to load the branch. */
  onAgain: () => unknown
}

/** How far a row of the tree is moved in. */
export const indent = ({ level }: TreeRow): CSSProperties => ({
  paddingLeft: `calc(${Math.min(level - 1, 8)} * clamp(10px, 2vw, 26px) + 6px)`,
})

/** One person of the tree, indented by level. */
export function TreeItem({ id, box, row, unit, current, chosen, full, onFull, onClick, onAgain }: TreeItemProps) {
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
      aria-expanded={row.opens ? row.open : undefined}
      aria-selected={current}
      aria-busy={row.loading || undefined}
      onClick={onClick}
      className={cx(
        'border-b last:border-b-0',
        row.opens && 'cursor-pointer',
        chosen ? 'bg-accent-soft' : 'hover:bg-raised',
        current && 'group-focus-visible:bg-accent-soft',
      )}
      style={indent(row)}
    >
      <PersonRow row={row} unit={unit} full={full} onFull={onFull} />
      {row.missing > 0 && (
        <p className="pb-2.5 pl-11 text-sm text-muted">
          {row.missing.toLocaleString('en-US')} more {row.missing === 1 ? 'person stands' : 'people stand'} directly below. Find them by
          name.
        </p>
      )}
      {row.failed && (
        <p className="flex flex-wrap items-center gap-2 pb-2.5 pl-11 text-sm text-danger">
          This branch did not load.
          <Button size="sm" tabIndex={-1} onClick={onAgain}>
            Try again
          </Button>
        </p>
      )}
    </div>
  )
}
