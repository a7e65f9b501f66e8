import type { TeamNode } from '@tizara/contract/team'
import { moreKey, rowsOf, type TreeRow, type TreeState } from './tree-rows.ts'

/** Fetches somebody with the people below, or with those of them who come after a direct referral. */
export type LoadBranch = (id: string, after?: string) => Promise<TeamNode | TeamNode[]>

/** Direct referrals of somebody as far as they were fetched, in the server's order without a gap. */
interface Branch {
  people: readonly TeamNode[]
  /** How many there were when the first of them were fetched: whoever joined since stands above those. */
  total: number
  /** The server has no more, whatever it counts. */
  ended: boolean
}

/** The people below somebody in an answer, which may also be a plain list of them. */
function peopleIn(reply: TeamNode | TeamNode[], id: string): { people: readonly TeamNode[]; total: number | undefined } {
  const own = 'id' in reply ? reply : reply.find((node) => node.id === id)
  return { people: own?.children ?? ('id' in reply ? [] : reply), total: own?.childCount }
}

/** A branch whose beginning was fetched again: what was fetched further down stays, unless there is a gap before it now. */
function renewed(old: Branch | undefined, { children, childCount }: TeamNode): Branch {
  const total = childCount ?? children.length
  const here = new Set(children.map((node) => node.id))
  const further = old?.people.filter((node) => !here.has(node.id)) ?? []
  if (old === undefined || children.length >= total || further.length === old.people.length)
    return { people: children, total, ended: false }
  return { people: [...children, ...further], total, ended: old.ended }
}

/**
 * The team as it is shown: which branches are open and what was loaded of them. Reads fully nested trees, trees that are
 * loaded branch by branch, large branches part by part, and plain lists of people (API-83).
 */
export class TeamTree {
  private readonly load: LoadBranch
  private top: readonly TeamNode[] = []
  private readonly nodes = new Map<string, TeamNode>()
  private readonly branches = new Map<string, Branch>()
  /** People who were searched for and stand further down in a branch than it was fetched. */
  private readonly found = new Map<string, readonly TeamNode[]>()
  private readonly opened = new Set<string>()
  /** Keys of the rows below which something is being fetched, or was not. */
  private readonly loading = new Set<string>()
  private readonly failed = new Set<string>()
  private readonly listeners = new Set<() => void>()
  private rows: readonly TreeRow[] = []

  constructor(load: LoadBranch) {
    this.load = load
  }

  /** The first answer: the member with the team below, or a list of people. A later one keeps what was fetched since. */
  setTop(reply: TeamNode | readonly TeamNode[]): void {
    this.top = 'id' in reply ? [reply] : reply
    this.remember(this.top)
    if ('id' in reply && reply.children.length > 0) this.branches.set(reply.id, renewed(this.branches.get(reply.id), reply))
    const only = this.top.length === 1 ? this.top[0] : undefined
    if (only !== undefined) void this.open(only.id)
    this.tell()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** The rows in sight, the same array until something changes. */
  readonly inSight = (): readonly TreeRow[] => this.rows

  /** Everybody who is here, open or not, in the order of the tree, and a row for more where a branch is here in part. */
  everybody(): readonly TreeRow[] {
    return rowsOf(this.state(), () => true, true)
  }

  /** Opens a branch, fetching it when it is not wholly here. */
  async open(id: string): Promise<void> {
    const node = this.nodes.get(id)
    if (node === undefined || !this.opens(node)) return
    this.opened.add(id)
    if (!this.isWhole(node)) return this.fetching(id, () => this.fetchBranch(id))
    this.failed.delete(id)
    this.tell()
  }

  close(id: string): void {
    this.opened.delete(id)
    this.tell()
  }

  /**
   * Fetches the next people of a branch that is too large for one answer.
   * @returns those who came; nothing when that failed or is under way already
   */
  async more(id: string): Promise<readonly TeamNode[] | undefined> {
    let came: readonly TeamNode[] | undefined
    await this.fetching(moreKey(id), async () => {
      const before = new Set(this.below(id).map((node) => node.id))
      const branch = this.branches.get(id)
      if (branch === undefined) await this.fetchBranch(id)
      else await this.fetchMore(id, branch)
      came = this.below(id).filter((node) => !before.has(node.id))
    })
    return came
  }

  /** Opens every branch on the way to somebody. */
  async reveal(path: readonly string[]): Promise<void> {
    let above = this.top.length === 1 ? this.top[0]?.id : undefined
    for (const id of path) {
      if (above !== undefined) {
        await this.open(above)
        if (!this.below(above).some((node) => node.id === id)) await this.add(above, id)
      }
      above = id
    }
    this.tell()
  }

  /** Does some fetching, once at a time, and shows it on the row with a key. */
  private async fetching(key: string, work: () => Promise<void>): Promise<void> {
    this.failed.delete(key)
    if (this.loading.has(key)) return this.tell()
    this.loading.add(key)
    this.tell()
    try {
      await work()
    } catch (error) {
      console.error('A branch of the team could not be loaded', error)
      this.failed.add(key)
    } finally {
      this.loading.delete(key)
      this.tell()
    }
  }

  /** Puts somebody at the end of a branch that was not fetched so far. */
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
    // Begun anew meanwhile: these would not follow on it.
    if (now === undefined || now.people.at(-1)?.id !== last?.id) return
    const here = new Set(now.people.map((node) => node.id))
    const people = reply.people.filter((node) => !here.has(node.id))
    this.remember(people)
    // A server that cannot go on sends the same people again.
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
    const here = new Set(people.map((node) => node.id))
    return [...people, ...found.filter((node) => !here.has(node.id))]
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

  private tell(): void {
    this.rows = rowsOf(this.state(), (id) => this.opened.has(id))
    for (const listener of this.listeners) listener()
  }
}
