import type { TeamNode } from '@tizara/contract/team'
import { moreKey, rowsOf, type TreeRow, type TreeState } from './tree-rows.ts'

/** Loads a person with their downline, or only the people after a direct referral. */
export type LoadBranch = (id: string, after?: string) => Promise<TeamNode | TeamNode[]>

/** A person's loaded direct referrals, in server order without gaps. */
interface Branch {
  people: readonly TeamNode[]
  /** Count at the first load; people who joined later come before these. */
  total: number
  /** The server has no more, regardless of its count. */
  ended: boolean
}

/** Returns a person's downline from a response, which may be a plain list. */
function peopleIn(reply: TeamNode | TeamNode[], id: string): { people: readonly TeamNode[]; total: number | undefined } {
  const root = 'id' in reply ? reply : reply.find((node) => node.id === id)
  return { people: root?.children ?? ('id' in reply ? [] : reply), total: root?.childCount }
}

/** Merges a reloaded first part with later loaded parts, unless there is a gap between them. */
function renewed(old: Branch | undefined, { children, childCount }: TeamNode): Branch {
  const total = childCount ?? children.length
  const childIds = new Set(children.map((node) => node.id))
  const further = old?.people.filter((node) => !childIds.has(node.id)) ?? []
  if (old === undefined || children.length >= total || further.length === old.people.length)
    return { people: children, total, ended: false }
  return { people: [...children, ...further], total, ended: old.ended }
}

/** Displayed team state: open branches and loaded people. Accepts nested trees, branch loading, paged branches and plain lists (API-83). */
export class TeamTree {
  private readonly load: LoadBranch
  private top: readonly TeamNode[] = []
  private readonly nodes = new Map<string, TeamNode>()
  private readonly branches = new Map<string, Branch>()
  /** Search hits beyond a branch's loaded part. */
  private readonly found = new Map<string, readonly TeamNode[]>()
  private readonly opened = new Set<string>()
  /** Row keys with a pending or failed load. */
  private readonly loading = new Set<string>()
  private readonly failed = new Set<string>()
  private readonly listeners = new Set<() => void>()
  private rows: readonly TreeRow[] = []

  constructor(load: LoadBranch) {
    this.load = load
  }

  /** Sets the first response: the member with the team, or a list. Later calls keep loaded branches. */
  setTop(reply: TeamNode | readonly TeamNode[]): void {
    this.top = 'id' in reply ? [reply] : reply
    this.remember(this.top)
    if ('id' in reply && reply.children.length > 0) this.branches.set(reply.id, renewed(this.branches.get(reply.id), reply))
    const only = this.top.length === 1 ? this.top[0] : undefined
    if (only !== undefined) void this.open(only.id)
    this.notify()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Returns the visible rows; the same array until a change. */
  readonly inSight = (): readonly TreeRow[] => this.rows

  /** Returns all loaded people in tree order, open or not, with a "more" row for each partial branch. */
  everybody(): readonly TreeRow[] {
    return rowsOf(this.state(), () => true, true)
  }

  /** Opens a branch and loads it if incomplete. */
  async open(id: string): Promise<void> {
    const node = this.nodes.get(id)
    if (node === undefined || !this.opens(node)) return
    this.opened.add(id)
    if (!this.isWhole(node)) return this.fetching(id, () => this.fetchBranch(id))
    this.failed.delete(id)
    this.notify()
  }

  close(id: string): void {
    this.opened.delete(id)
    this.notify()
  }

  /**
   * Loads a large branch's next people.
   * @returns the new people; undefined on failure or if a load is running
   */
  async more(id: string): Promise<readonly TeamNode[] | undefined> {
    let loaded: readonly TeamNode[] | undefined
    await this.fetching(moreKey(id), async () => {
      const before = new Set(this.below(id).map((node) => node.id))
      const branch = this.branches.get(id)
      if (branch === undefined) await this.fetchBranch(id)
      else await this.fetchMore(id, branch)
      loaded = this.below(id).filter((node) => !before.has(node.id))
    })
    return loaded
  }

  /** Opens every branch on the path to a person. */
  async reveal(path: readonly string[]): Promise<void> {
    let above = this.top.length === 1 ? this.top[0]?.id : undefined
    for (const id of path) {
      if (above !== undefined) {
        await this.open(above)
        if (!this.below(above).some((node) => node.id === id)) await this.add(above, id)
      }
      above = id
    }
    this.notify()
  }

  /** Runs a load, one at a time per key, and shows its state on the row. */
  private async fetching(key: string, work: () => Promise<void>): Promise<void> {
    this.failed.delete(key)
    if (this.loading.has(key)) return this.notify()
    this.loading.add(key)
    this.notify()
    try {
      await work()
    } catch (error) {
      console.error('A branch of the team could not be loaded', error)
      this.failed.add(key)
    } finally {
      this.loading.delete(key)
      this.notify()
    }
  }

  /** Adds a person after a branch's loaded part. */
  private async add(parent: string, id: string): Promise<void> {
    const reply = await this.load(id)
    const person = 'id' in reply ? reply : reply.find((node) => node.id === id)
    if (person === undefined) return
    this.remember([person])
    this.found.set(parent, [...(this.found.get(parent) ?? []), person])
  }

  private async fetchBranch(id: string): Promise<void> {
    const { people, total = this.nodes.get(id)?.childCount ?? people.length } = peopleIn(await this.load(id), id)
    this.remember(people)
    this.branches.set(id, { people, total, ended: people.length === 0 })
  }

  private async fetchMore(id: string, branch: Branch): Promise<void> {
    const last = branch.people.at(-1)
    const reply = peopleIn(await this.load(id, last?.id), id)
    const now = this.branches.get(id)
    // The branch was reloaded meanwhile, so these people do not follow it.
    if (now === undefined || now.people.at(-1)?.id !== last?.id) return
    const knownIds = new Set(now.people.map((node) => node.id))
    const people = reply.people.filter((node) => !knownIds.has(node.id))
    this.remember(people)
    // A server without paging sends the same people again.
    this.branches.set(id, { ...now, people: [...now.people, ...people], ended: people.length === 0 })
  }

  private remember(nodes: readonly TeamNode[]): void {
    const waiting = [...nodes]
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      this.nodes.set(node.id, node)
      for (const child of node.children) waiting.push(child)
    }
  }

  private below(id: string): readonly TeamNode[] {
    const people = this.branches.get(id)?.people ?? this.nodes.get(id)?.children ?? []
    const found = this.found.get(id)
    if (found === undefined) return people
    const newIds = new Set(people.map((node) => node.id))
    return [...people, ...found.filter((node) => !newIds.has(node.id))]
  }

  private opens(node: TeamNode): boolean {
    return this.below(node.id).length > 0 || (node.childCount ?? 0) > 0
  }

  private isWhole(node: TeamNode): boolean {
    return this.branches.has(node.id) || node.children.length >= (node.childCount ?? node.children.length)
  }

  private rest(node: TeamNode): { count: number; ended: boolean } {
    const { total = node.childCount ?? 0, ended = false } = this.branches.get(node.id) ?? {}
    return { count: Math.max(0, total - this.below(node.id).length), ended }
  }

  private state(): TreeState {
    return {
      top: this.top,
      below: (id) => this.below(id),
      opens: (node) => this.opens(node),
      isWhole: (node) => this.isWhole(node),
      rest: (node) => this.rest(node),
      stateOf: (key) => ({ loading: this.loading.has(key), failed: this.failed.has(key) }),
    }
  }

  private notify(): void {
    this.rows = rowsOf(this.state(), (id) => this.opened.has(id))
    for (const listener of this.listeners) listener()
  }
}
