import type { KeyboardEvent } from 'react'
import type { TreeRow } from './tree-rows.ts'

export interface TreeMoves {
  /** Selects a row; clamps at the ends. */
  go: (index: number) => void
  open: (row: TreeRow) => void
  close: (row: TreeRow) => void
  toggle: (row: TreeRow) => void
  /** Expands a row: a person's stakes, a branch's people. */
  more: (row: TreeRow) => void
}

const letter = /^\S$/

/**
 * Handles the ARIA tree keys: arrows, Home, End, Enter, Space and first letters.
 * @returns a handler for the focused element
 */
export function treeKeys(rows: readonly TreeRow[], at: number, moves: TreeMoves) {
  const { go, open, close, toggle, more } = moves
  const current = rows[at]

  /** Selects the next person whose name starts with the letter. */
  function jump(key: string): void {
    const begins = (row: TreeRow): boolean => row.more === undefined && row.node.name.toLowerCase().startsWith(key.toLowerCase())
    const next = rows.findIndex((row, index) => index > at && begins(row))
    const found = next < 0 ? rows.findIndex(begins) : next
    if (found >= 0) go(found)
  }

  return (event: KeyboardEvent): void => {
    if (current === undefined || event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => (current.open ? go(at + 1) : current.opens && open(current)),
      ArrowLeft: () => (current.open ? close(current) : go(rows.findIndex((row) => row.key === current.parent))),
      Enter: () => (current.more === undefined ? toggle(current) : more(current)),
      ' ': () => more(current),
    }
    const move = keys[event.key] ?? (letter.test(event.key) ? () => jump(event.key) : undefined)
    if (move === undefined) return
    event.preventDefault()
    move()
  }
}
