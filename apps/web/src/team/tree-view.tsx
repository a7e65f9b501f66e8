import { type MouseEvent, useEffect, useId, useState } from 'react'
import type { TeamTree, TreeRow } from './team-tree.ts'
import { TreeItem } from './tree-item.tsx'
import { treeKeys } from './tree-keys.ts'
import { useWindowRows } from './use-window-rows.ts'

export interface TreeViewProps {
  tree: TeamTree
  rows: readonly TreeRow[]
  unit: string
  /** The person whom the keys stand on. */
  active: string | undefined
  onActive: (id: string) => void
}

/** The tree of people: arrows move, open and close, letters jump (the ARIA tree pattern), and only what is near is drawn. */
export function TreeView({ tree, rows, unit, active, onActive }: TreeViewProps) {
  const id = useId()
  const [full, setFull] = useState<ReadonlySet<string>>(new Set())
  const [keys, setKeys] = useState<readonly string[]>([])
  const [of, setOf] = useState<readonly TreeRow[]>()
  if (of !== rows) {
    setOf(rows)
    setKeys(rows.map((row) => row.node.id))
  }
  const view = useWindowRows(keys, 92)
  const { show } = view
  const index = rows.findIndex((row) => row.node.id === active)
  const at = Math.max(0, index)
  const current = rows[at]
  useEffect(() => {
    if (active !== undefined && index >= 0) show(index)
    // Only when another person is stood on, not with every branch that opens.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [active])

  const go = (to: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))]
    if (row !== undefined) onActive(row.node.id)
  }
  const toggle = (row: TreeRow): void => {
    if (row.open) tree.close(row.node.id)
    else void tree.open(row.node.id)
  }
  const showStakes = (person: string): void => setFull(new Set([...full, person]))

  const press = treeKeys(rows, at, {
    go,
    open: (row) => void tree.open(row.node.id),
    close: (row) => tree.close(row.node.id),
    toggle,
    more: (row) => showStakes(row.node.id),
  })

  function click(event: MouseEvent, row: TreeRow): void {
    if ((event.target instanceof Element && event.target.closest('button') !== null) || getSelection()?.toString()) return
    onActive(row.node.id)
    toggle(row)
  }

  const drawn = rows.slice(view.first, view.end)
  const activeDrawn = current !== undefined && drawn.includes(current)
  return (
    <div
      ref={view.box}
      role="tree"
      aria-label="My team"
      tabIndex={0}
      aria-activedescendant={activeDrawn ? `${id}-${current.node.id}` : undefined}
      onKeyDown={press}
      className="group rounded-xl border bg-surface focus-visible:outline-offset-4"
    >
      {/* Room as elements: with padding the browser sometimes lays out rows that appear together with it at the old place. */}
      {view.before > 0 && <div role="presentation" style={{ height: view.before }} />}
      {drawn.map((row) => (
        <TreeItem
          key={row.node.id}
          id={`${id}-${row.node.id}`}
          box={view.row}
          row={row}
          unit={unit}
          current={row === current}
          chosen={row.node.id === active}
          full={full.has(row.node.id)}
          onFull={() => showStakes(row.node.id)}
          onClick={(event) => click(event, row)}
          onAgain={() => tree.open(row.node.id)}
        />
      ))}
      {view.after > 0 && <div role="presentation" style={{ height: view.after }} />}
    </div>
  )
}
