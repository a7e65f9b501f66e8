import type { CSSProperties, MouseEvent, ReactNode } from 'react'
import { cx } from '../ui/cx.ts'
import type { TreeRow } from './tree-rows.ts'
import type { WindowRows } from './use-window-rows.ts'

export interface TreeRowBoxProps {
  id: string
  box: WindowRows['row']
  row: TreeRow
  /** Keyboard position. */
  current: boolean
  /** Selected by the member. */
  chosen: boolean
  onClick: (event: MouseEvent) => void
}

/** Returns a tree row's indent. */
const indent = ({ level }: TreeRow): CSSProperties => ({
  paddingLeft: `calc(${Math.min(level - 1, 6)} * clamp(18px, 2vw, 26px) + 6px)`,
})

/** Base for every tree row: an item with its position, indented by level. */
export function TreeRowBox({
  id,
  box,
  row,
  current,
  chosen,
  onClick,
  className,
  children,
}: TreeRowBoxProps & { className: string | false; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree handles the keys
    <div
      ref={box}
      data-key={row.key}
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.opens ? row.open : undefined}
      aria-selected={current}
      aria-busy={row.loading || undefined}
      onClick={onClick}
      className={cx(
        'border-b last:border-b-0',
        className,
        chosen ? 'bg-accent-soft' : 'hover:bg-raised',
        current && 'group-focus-visible:bg-accent-soft',
      )}
      style={indent(row)}
    >
      {children}
    </div>
  )
}
