import { hash } from 'node:crypto'
import { LEAVES_PER_MEMBER, type SumNode } from '@tizara/contract/balance-proof/sum-tree'
import type { Units } from '@tizara/money'
import { utcDay } from '../../platform/runtime/clock.ts'
import { buildTree } from './build-tree.ts'

/**
 * Builds the tree of the balances that an import added, like the daily tree of owed amounts, and returns its root. The tree is not
 * published, so its salts follow from the seed and its leaves stay in order: anyone with the balances can compute the root again.
 */
export async function importedRoot(
  members: readonly { publicId: string; usd: Units; coin: Units }[],
  seed: string,
  at: Date,
): Promise<SumNode> {
  const seeds = Buffer.alloc(members.length * 32)
  for (const [index, { publicId }] of members.entries()) hash('sha256', `${seed} ${publicId}`, 'buffer').copy(seeds, index * 32)
  const { root } = await buildTree({
    tree: 'owed',
    day: utcDay(at),
    publicIds: members.map(({ publicId }) => publicId),
    seeds,
    usd: BigInt64Array.from(members, ({ usd }) => usd),
    coin: BigInt64Array.from(members, ({ coin }) => coin),
    platform: { usd: 0n, coin: 0n },
    platformSalt: seed.slice(0, 32),
    positions: Int32Array.from({ length: members.length * LEAVES_PER_MEMBER + 1 }, (_, index) => index),
  })
  return root
}
