import type { TeamNode } from '@tizara/contract/team'

/** One person in sight, or the row at the end of a branch that fetches more of it. */
export interface TreeRow {
  /** What tells the row from every other: the person's id, unless it is a row for more. */
  key: string
  /** The person; on a row for more, the one below whom more stand. */
  node: TeamNode
  /** 1 at the top. */
  level: number
  parent: string | undefined
  /** Somebody stands below. */
  opens: boolean
  open: boolean
  loading: boolean
  failed: boolean
  /** People of this open branch whom the server does not send. */
  missing: number
  /** People stand below who were not fetched yet, and no row for more says so. */
  unread: boolean
  /** Place among those of the same branch, from 1, and how many they are. */
  place: number
  siblings: number
  /** Only on a row for more: how many of the branch are here, of how many. */
  more?: { shown: number; total: number }
}

export interface TreeState {
  top: readonly TeamNode[]
  below: (id: string) => readonly TeamNode[]
  /** Somebody stands below. */
  opens: (node: TeamNode) => boolean
  /** The branch was fetched, as far as one answer goes. */
  isWhole: (node: TeamNode) => boolean
  /** How many direct referrals are not here, and whether the server has no more of them. */
  rest: (node: TeamNode) => { count: number; ended: boolean }
  stateOf: (key: string) => { loading: boolean; failed: boolean }
}

/** The level on which the member stands: 1 when the tree begins with them, 0 when it is a plain list of their people. */
export const levelOfMember = (rows: readonly TreeRow[]): number => (rows.filter((row) => row.level === 1).length === 1 ? 1 : 0)

/** The key of the row that fetches more of somebody's direct referrals. */
export const moreKey = (id: string): string => `${id}:more`

/** A branch that is being walked through. */
interface Frame {
  nodes: readonly TeamNode[]
  at: number
  level: number
  above: TeamNode | undefined
  /** All who stand in the branch, when some of them can be fetched; else 0. */
  total: number
}

/**
 * The rows of a tree from top to bottom; without recursion, as a team may be deeper than a call stack.
 * @param parts whether a branch of which an answer held a part has a row for more too
 */
export function rowsOf(tree: TreeState, isOpen: (id: string) => boolean, parts = false): TreeRow[] {
  const rows: TreeRow[] = []
  const waiting: Frame[] = [{ nodes: tree.top, at: 0, level: 1, above: undefined, total: 0 }]
  for (let frame = waiting.at(-1); frame !== undefined; frame = waiting.at(-1)) {
    const { nodes, level, above, total } = frame
    const node = nodes[frame.at]
    const place = { level, parent: above?.id, place: frame.at + 1, siblings: nodes.length + (total > 0 ? 1 : 0) }
    frame.at += 1
    if (node === undefined) {
      waiting.pop()
      if (above === undefined || total === 0) continue
      const key = moreKey(above.id)
      const shut = { opens: false, open: false, missing: 0, unread: false }
      rows.push({ key, node: above, ...place, ...shut, ...tree.stateOf(key), more: { shown: nodes.length, total } })
      continue
    }
    const below = tree.below(node.id)
    const opens = tree.opens(node)
    const open = opens && isOpen(node.id)
    const whole = tree.isWhole(node)
    const { count, ended } = tree.rest(node)
    const more = open && count > 0 && !ended && (whole || (parts && below.length > 0))
    const missing = open && whole && ended ? count : 0
    rows.push({ key: node.id, node, ...place, opens, open, ...tree.stateOf(node.id), missing, unread: !whole && !more })
    if (open) waiting.push({ nodes: below, at: 0, level: level + 1, above: node, total: more ? below.length + count : 0 })
  }
  return rows
}
