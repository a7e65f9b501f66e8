import { isSimple, type QueueRow } from './queue.ts'

/** How many may be approved at once. */
export const MOST = 25

/** Those of a selection that may go together: simple ones of one kind, the kind of the first. */
export function together(rows: readonly QueueRow[]): { go: QueueRow[]; stay: number } {
  const simple = rows.filter(isSimple)
  const kind = simple[0]?.kind
  const go = simple.filter((row) => row.kind === kind).slice(0, MOST)
  return { go, stay: rows.length - go.length }
}
