import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { LeafFields, SumNode } from '@tizara/contract/balance-proof/sum-tree'
import type { Units } from '@tizara/money'
import { utcDay } from '../../platform/runtime/clock.ts'
import { nodeAt, splitSums, STORED_BYTES, writeLeaf, writeParents } from './build-tree.ts'

/** Members hashed before other work of the process gets its turn: about 5 ms. */
const BATCH_MEMBERS = 256

/**
 * Computes the root of the tree of the balances that an import added, a tree like the daily one of owed amounts. The tree is not published,
 * so its salts follow from the seed and its leaves stay in order: anyone with the balances can compute the root again. The memory that it
 * needs does not depend on the number of members.
 * @param pages members in order of their id, with amounts in units
 * @param seed 64 hex digits
 * @throws RangeError for a negative amount or a sum beyond 2^63 - 1
 */
export async function importedRoot(
  pages: AsyncIterable<readonly { publicId: string; usd: Units; coin: Units }[]>,
  seed: string,
  at: Date,
): Promise<SumNode & { members: number }> {
  const shared = { tree: 'owed', day: utcDay(at) } as const
  const root = new OrderedRoot()
  let count = 0
  for await (const members of pages)
    for (const { publicId: member, usd, coin } of members) {
      const parts = splitSums(hash('sha256', `${seed} ${member}`, 'buffer'), shared.tree, { usd, coin })
      for (const [part, sums] of parts.entries()) root.add({ ...shared, member, part, ...sums })
      if (++count % BATCH_MEMBERS === 0) await setImmediate()
    }
  root.add({ ...shared, member: 'platform', part: 0, usd: 0n, coin: 0n, salt: seed.slice(0, 32) })
  return { ...root.node(), members: count }
}

/** Root of a tree whose leaves are added in order. Keeps only complete subtrees that wait for their neighbour, at most one per level. */
class OrderedRoot {
  readonly #waiting: { level: number; node: Buffer }[] = []

  add(leaf: LeafFields): void {
    let [level, node] = [0, Buffer.alloc(STORED_BYTES)]
    writeLeaf(node, 0, leaf)
    for (; this.#waiting.at(-1)?.level === level; level += 1) node = parentOf(this.#waiting.pop()?.node, node)
    this.#waiting.push({ level, node })
  }

  /** Returns the root. A last subtree without a neighbour moves up unchanged. */
  node(): SumNode {
    const [last, ...others] = this.#waiting.map(({ node }) => node).toReversed()
    return nodeAt(
      others.reduce((right, left) => parentOf(left, right), last ?? Buffer.alloc(STORED_BYTES)),
      0,
    )
  }
}

function parentOf(left: Buffer | undefined, right: Buffer): Buffer<ArrayBuffer> {
  const above = Buffer.alloc(STORED_BYTES)
  writeParents(Buffer.concat([left ?? Buffer.alloc(0), right]), above, 0, STORED_BYTES)
  return above
}
