import type { TeamNode } from '@tizara/contract/team'

/** Visible person, or the row that loads more people in a branch. */
export interface TreeRow {
  /** Unique key: the person's id, except on a "more" row. */
  key: string
  /** The person; on a "more" row, the branch's parent. */
  node: TeamNode
  /** 1 at the top. */
  level: number
  parent: string | undefined
  /** Has people below. */
  opens: boolean
  open: boolean
  loading: boolean
  failed: boolean
  /** People in this open branch that the server does not send. */
  missing: number
  /** Has unloaded people below and no "more" row for them. */
  unread: boolean
  /** Position in the branch, from 1, and its size. */
  position: number
  siblings: number
  /** On a "more" row only: the branch's loaded and total people. */
  more?: { shown: number; total: number }
}

export interface TreeState {
  top: readonly TeamNode[]
  below: (id: string) => readonly TeamNode[]
  /** Returns true if there are people below. */
  opens: (node: TeamNode) => boolean
  /** Returns true if the branch is loaded as far as one response allows. */
  isWhole: (node: TeamNode) => boolean
  /** Returns the unloaded direct referral count, and whether the server has no more. */
  rest: (node: TeamNode) => { count: number; ended: boolean }
  stateOf: (key: string) => { loading: boolean; failed: boolean }
}

/** Returns the member's level: 1 if the tree starts with them, 0 for a plain list. */
export const levelOfMember = (rows: readonly TreeRow[]): number => (rows.filter((row) => row.level === 1).length === 1 ? 1 : 0)

/** Returns the key for the row that loads more direct referrals. */
export const moreKey = (id: string): string => `${id}:more`

/** Branch during the traversal. */
interface Frame {
  nodes: readonly TeamNode[]
  at: number
  level: number
  above: TeamNode | undefined
  /** Branch size if it can load more; else 0. */
  total: number
}

/**
 * Flattens a tree to rows from top to bottom. Iterative, because a team can be deeper than the call stack.
 * @param parts adds a "more" row to partly loaded branches too
 */
export function rowsOf(tree: TreeState, isOpen: (id: string) => boolean, parts = false): TreeRow[] {
  const rows: TreeRow[] = []
  const waiting: Frame[] = [{ nodes: tree.top, at: 0, level: 1, above: undefined, total: 0 }]
  for (let frame = waiting.at(-1); frame !== undefined; frame = waiting.at(-1)) {
    const { nodes, level, above, total } = frame
    const node = nodes[frame.at]
    const location = { level, parent: above?.id, position: frame.at + 1, siblings: nodes.length + (total > 0 ? 1 : 0) }
    frame.at += 1
    if (node === undefined) {
      waiting.pop()
      if (above === undefined || total === 0) continue
      const key = moreKey(above.id)
      const shut = { opens: false, open: false, missing: 0, unread: false }
      rows.push({ key, node: above, ...location, ...shut, ...tree.stateOf(key), more: { shown: nodes.length, total } })
      continue
    }
    const below = tree.below(node.id)
    const opens = tree.opens(node)
    const open = opens && isOpen(node.id)
    const whole = tree.isWhole(node)
    const { count, ended } = tree.rest(node)
    const more = open && count > 0 && !ended && (whole || (parts && below.length > 0))
    const missing = open && whole && ended ? count : 0
    rows.push({ key: node.id, node, ...location, opens, open, ...tree.stateOf(node.id), missing, unread: !whole && !more })
    if (open) waiting.push({ nodes: below, at: 0, level: level + 1, above: node, total: more ? below.length + count : 0 })
  }
  return rows
}
