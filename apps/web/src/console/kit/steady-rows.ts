import { type RefObject, useEffect, useRef, useState } from 'react'

interface Steady<Row> {
  rows: readonly Row[]
  /** Ids of removed rows shown as placeholders. */
  left: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()
const MOVES = ['pointermove', 'keydown', 'wheel'] as const

/**
 * Keeps removed rows in position while the pointer is over the list, so that a click cannot hit the wrong row. The next pointer move
 * outside or key press removes them.
 * @param which id of the list; a new id resets the state
 */
export function useSteadyRows<Row extends { id: string }>(
  rows: readonly Row[],
  which: string,
  list: RefObject<HTMLElement | null>,
): Steady<Row> {
  const [moves, setMoves] = useState(0)
  const held = useRef({ which, moves, rows })
  const before = held.current
  const rests = before.which === which && before.moves === moves && list.current?.matches(':hover') === true
  const now = new Map(rows.map((row) => [row.id, row]))
  const removed = rests ? before.rows.filter((row) => !now.has(row.id)) : []
  const left = removed.length === 0 ? NONE : new Set(removed.map((row) => row.id))
  const shown = removed.length === 0 ? rows : [...before.rows.map((row) => now.get(row.id) ?? row), ...newOnes(rows, before.rows)]
  held.current = { which, moves, rows: shown }
  const holds = left.size > 0
  useEffect(() => {
    if (!holds) return
    const release = () => setMoves((count) => count + 1)
    for (const move of MOVES) addEventListener(move, release, { passive: true })
    return () => {
      for (const move of MOVES) removeEventListener(move, release)
    }
  }, [holds])
  return { rows: shown, left }
}

function newOnes<Row extends { id: string }>(rows: readonly Row[], before: readonly Row[]): Row[] {
  const known = new Set(before.map((row) => row.id))
  return rows.filter((row) => !known.has(row.id))
}
