import { t } from '@tizara/languages'
import { type MouseEvent, useEffect, useId, useState } from 'react'
import type { TeamTree } from './team-tree.ts'
import { TreeItem } from './tree-item.tsx'
import { treeKeys } from './tree-keys.ts'
import { TreeMore } from './tree-more.tsx'
import type { TreeRow } from './tree-rows.ts'
import { useWindowRows } from './use-window-rows.ts'

export interface TreeViewProps {
  tree: TeamTree
  rows: readonly TreeRow[]
  unit: string
  /** Key of the focused row (`aria-activedescendant`). */
  active: string | undefined
  onActive: (key: string) => void
  onMore: (row: TreeRow) => unknown
}

/** ARIA tree with people: arrows move, open and close, letters jump. Virtualised: renders only rows near the viewport. */
export function TreeView({ tree, rows, unit, active, onActive, onMore }: TreeViewProps) {
  const id = useId()
  const [expandedStakes, setExpandedStakes] = useState<ReadonlySet<string>>(new Set())
  const [keys, setKeys] = useState<readonly string[]>([])
  const [previousRows, setPreviousRows] = useState<readonly TreeRow[]>()
  if (previousRows !== rows) {
    setPreviousRows(rows)
    setKeys(rows.map((row) => row.key))
  }
  const view = useWindowRows(keys, 92)
  const { show } = view
  const index = rows.findIndex((row) => row.key === active)
  const at = Math.max(0, index)
  const current = rows[at]
  useEffect(() => {
    if (active !== undefined && index >= 0) show(index)
    // Runs only when the active person changes, not when a branch opens.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [active])

  const go = (to: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))]
    if (row !== undefined) onActive(row.key)
  }
  const toggle = (row: TreeRow): void => {
    if (row.open) tree.close(row.node.id)
    else void tree.open(row.node.id)
  }
  const showStakes = (person: string): void => setExpandedStakes(new Set([...expandedStakes, person]))

  const onKeyDown = treeKeys(rows, at, {
    go,
    open: (row) => void tree.open(row.node.id),
    close: (row) => tree.close(row.node.id),
    toggle,
    more: (row) => {
      if (row.more === undefined) showStakes(row.node.id)
      else onMore(row)
    },
  })

  function click(event: MouseEvent, row: TreeRow): void {
    if ((event.target instanceof Element && event.target.closest('button') !== null) || getSelection()?.toString()) return
    // The click focused the item, but the tree handles the keys.
    if (event.currentTarget.parentElement !== null) event.currentTarget.parentElement.focus({ preventScroll: true })
    onActive(row.key)
    if (row.more === undefined) toggle(row)
    else onMore(row)
  }

  const drawn = rows.slice(view.first, view.end)
  const activeDrawn = current !== undefined && drawn.includes(current)
  return (
    <div
      ref={view.box}
      role="tree"
      aria-label={t('My team')}
      tabIndex={0}
      aria-activedescendant={activeDrawn ? `${id}-${current.key}` : undefined}
      onKeyDown={onKeyDown}
      style={{ overflowAnchor: view.overflowAnchor }}
      className="group rounded-xl border bg-surface focus-visible:outline-offset-4"
    >
      {/*
       * Spacer elements, not padding: browsers sometimes lay out new rows at the old offset. `transition-none` is needed, because the
       * reduced-motion rule sets 1 ms: an animated spacer scrolls the page, which renders other rows, endlessly.
       */}
      {view.before > 0 && <div role="presentation" className="transition-none" style={{ height: view.before }} />}
      {drawn.map((row) => {
        const shared = { id: `${id}-${row.key}`, box: view.row, row, current: row === current, chosen: row.key === active }
        return row.more === undefined ? (
          <TreeItem
            key={row.key}
            {...shared}
            unit={unit}
            full={expandedStakes.has(row.node.id)}
            onFull={() => showStakes(row.node.id)}
            onClick={(event) => click(event, row)}
            onRetry={() => tree.open(row.node.id)}
          />
        ) : (
          <TreeMore key={row.key} {...shared} onClick={(event) => click(event, row)} />
        )
      })}
      {view.after > 0 && <div role="presentation" className="transition-none" style={{ height: view.after }} />}
    </div>
  )
}
