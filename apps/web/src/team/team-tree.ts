import type { TeamNode } from '@tizara/contract/team'

/** One person in sight. */
export interface TreeRow {
  node: TeamNode
  /** 1 at the top. */
  level: number
  parent: string | undefined
  /** Somebody stands below. */
  opens: boolean
  open: boolean
  loading: boolean
  failed: boolean
  /** People of this open branch whom the server did not send. */
  missing: number
  /** People stand below who were not fetched yet. */
  unread: boolean
  /** Place among those of the same branch, from 1, and how many they are. */
  place: number
  siblings: number
}

/** The level on which the member stands: 1 when the tree begins with them, 0 when it is a plain list of their people. */
export const levelOfMember = (rows: readonly TreeRow[]): number => (rows.filter((row) => row.level === 1).length === 1 ? 1 : 0)

/** Fetches somebody with the people below. */
export type LoadBranch = (id: string) => Promise<TeamNode | TeamNode[]>

/**
 * The team as it is shown: which branches are open and what was loaded of them. Reads fully nested trees, trees that are
 * loaded branch by branch, and plain lists of people (API-83).
 */
export class TeamTree {
  private readonly load: LoadBranch
  private top: readonly TeamNode[] = []
  private readonly nodes = new Map<string, TeamNode>()
  private readonly branches = new Map<string, readonly TeamNode[]>()
  private readonly opened = new Set<string>()
  private readonly loading = new Set<string>()
  private readonly failed = new Set<string>()
  private readonly listeners = new Set<() => void>()
  private rows: readonly TreeRow[] = []

  constructor(load: LoadBranch) {
    this.load = load
  }

  /** The first answer: the member with the team below, or a list of people. */
  setTop(reply: TeamNode | readonly TeamNode[]): void {
    this.top = 'id' in reply ? [reply] : reply
    this.remember(this.top)
    const only = this.top.length === 1 ? this.top[0] : undefined
    if (only !== undefined) this.opened.add(only.id)
    this.tell()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** The rows in sight, the same array until something changes. */
  readonly inSight = (): readonly TreeRow[] => this.rows

  /** Everybody who is here, open or not, in the order of the tree. */
  everybody(): readonly TreeRow[] {
    return this.walk(() => true)
  }

  /** Opens a branch, fetching it when it is not wholly here. */
  async open(id: string): Promise<void> {
    const node = this.nodes.get(id)
    if (node === undefined || !this.opens(node)) return
    this.opened.add(id)
    this.failed.delete(id)
    if (this.isWhole(node) || this.loading.has(id)) return this.tell()
    this.loading.add(id)
    this.tell()
    try {
      await this.fetchBranch(id)
    } catch (error) {
      console.error('A branch of the team could not be loaded', error)
      this.failed.add(id)
    } finally {
      this.loading.delete(id)
      this.tell()
    }
  }

  close(id: string): void {
    this.opened.delete(id)
    this.tell()
  }

  /**
   * Opens every branch on the way to somebody.
   * @param path ids from a direct referral down to the person
   */
  async reveal(path: readonly string[]): Promise<void> {
    let above = this.top.length === 1 ? this.top[0]?.id : undefined
    for (const id of path) {
      if (above !== undefined) {
        await this.open(above)
        if (!this.nodes.has(id)) await this.add(above, id)
      }
      above = id
    }
    this.tell()
  }

  /** Puts somebody into a branch that is too large to be sent whole. */
  private async add(parent: string, id: string): Promise<void> {
    const reply = await this.load(id)
    const person = 'id' in reply ? reply : reply.find((node) => node.id === id)
    if (person === undefined) return
    this.remember([person])
    this.branches.set(parent, [...this.below(parent), person])
  }

  private async fetchBranch(id: string): Promise<void> {
    const reply = await this.load(id)
    const own = 'id' in reply ? reply : reply.find((node) => node.id === id)
    const people = own?.children ?? ('id' in reply ? [] : reply)
    this.remember(people)
    this.branches.set(id, people)
  }

  private remember(nodes: readonly TeamNode[]): void {
    const waiting = [...nodes]
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      this.nodes.set(node.id, node)
      for (const child of node.children) waiting.push(child)
    }
  }

  private below(id: string): readonly TeamNode[] {
    return this.branches.get(id) ?? this.nodes.get(id)?.children ?? []
  }

  private opens(node: TeamNode): boolean {
    return this.below(node.id).length > 0 || (node.childCount ?? 0) > 0
  }

  private isWhole(node: TeamNode): boolean {
    return this.branches.has(node.id) || node.children.length >= (node.childCount ?? node.children.length)
  }

  private walk(isOpen: (id: string) => boolean): TreeRow[] {
    const rows: TreeRow[] = []
    const waiting: [nodes: readonly TeamNode[], at: number, level: number, parent: string | undefined][] = [[this.top, 0, 1, undefined]]
    for (let frame = waiting.at(-1); frame !== undefined; frame = waiting.at(-1)) {
      const [nodes, at, level, parent] = frame
      const node = nodes[at]
      if (node === undefined) {
        waiting.pop()
        continue
      }
      frame[1] += 1
      const below = this.below(node.id)
      const open = this.opens(node) && isOpen(node.id)
      const loading = this.loading.has(node.id)
      rows.push({
        node,
        level,
        parent,
        opens: this.opens(node),
        open,
        loading,
        failed: this.failed.has(node.id),
        missing: open && this.isWhole(node) ? Math.max(0, (node.childCount ?? 0) - below.length) : 0,
        unread: !this.isWhole(node),
        place: at + 1,
        siblings: nodes.length,
      })
      if (open) waiting.push([below, 0, level + 1, node.id])
    }
    return rows
  }

  private tell(): void {
    this.rows = this.walk((id) => this.opened.has(id))
    for (const listener of this.listeners) listener()
  }
}
