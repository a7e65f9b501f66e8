import { type KeyboardEvent, type MouseEvent, useEffect, useId, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { PersonRow } from './person-row.tsx'
import type { TeamTree, TreeRow } from './team-tree.ts'
import { useWindowRows } from './use-window-rows.ts'

export interface TreeViewProps {
  tree: TeamTree
  rows: readonly TreeRow[]
  unit: string
  /** The person whom the keys stand on. */
  active: string | undefined
  onActive: (id: string) => void
}

const letter = /^\S$/

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

  function press(event: KeyboardEvent): void {
    if (current === undefined || event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => (current.open ? go(at + 1) : void tree.open(current.node.id)),
      ArrowLeft: () => (current.open ? tree.close(current.node.id) : go(rows.findIndex((row) => row.node.id === current.parent))),
      Enter: () => toggle(current),
      ' ': () => showStakes(current.node.id),
    }
    const move = moves[event.key] ?? (letter.test(event.key) ? () => jump(event.key) : undefined)
    if (move === undefined) return
    event.preventDefault()
    move()
  }

  /** To the next person whose name begins so. */
  function jump(key: string): void {
    const ring = [...rows.slice(at + 1), ...rows.slice(0, at + 1)]
    const hit = ring.find((row) => row.node.name.toLowerCase().startsWith(key.toLowerCase()))
    if (hit !== undefined) onActive(hit.node.id)
  }

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
      style={{ paddingTop: view.before, paddingBottom: view.after }}
    >
      {drawn.map((row) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are heard by the tree
        <div
          key={row.node.id}
          ref={view.row}
          data-key={row.node.id}
          id={`${id}-${row.node.id}`}
          role="treeitem"
          tabIndex={-1}
          aria-level={row.level}
          aria-posinset={row.place}
          aria-setsize={row.siblings}
          aria-expanded={row.opens ? row.open : undefined}
          aria-selected={row === current}
          aria-busy={row.loading || undefined}
          onClick={(event) => click(event, row)}
          className={cx('border-b last:border-b-0', row.opens && 'cursor-pointer', 'hover:bg-raised', row === current && 'group-focus-visible:bg-accent-soft', row.node.id === active && 'bg-accent-soft hover:bg-accent-soft')}
          style={{ paddingLeft: `calc(${Math.min(row.level - 1, 8)} * clamp(10px, 2vw, 26px) + 6px)` }}
        >
          <PersonRow row={row} unit={unit} full={full.has(row.node.id)} onFull={() => showStakes(row.node.id)} />
          {row.missing > 0 && <p className="pb-2.5 pl-11 text-sm text-muted">{row.missing.toLocaleString('en-US')} more people stand directly below. Find them by their name.</p>}
          {row.failed && (
            <p className="flex flex-wrap items-center gap-2 pb-2.5 pl-11 text-sm text-danger">
              This branch did not load.
              <Button size="sm" tabIndex={-1} onClick={() => tree.open(row.node.id)}>
                Try again
              </Button>
            </p>
          )}
        </div>
      ))}
    </div>
  )
}
