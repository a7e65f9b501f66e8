import { createHash } from 'node:crypto'
import { LEAVES_PER_MEMBER } from '@tizara/contract/balance-proof/sum-tree'
import { expect, it } from 'vitest'
import { buildTree } from './build-tree.ts'
import { importedRoot } from './imported-root.ts'

const AT = new Date('2026-03-02T09:00:00Z')
const SEED = createHash('sha256').update('files').digest('hex')
type Member = Parameters<typeof importedRoot>[0] extends AsyncIterable<readonly (infer One)[]> ? One : never

/** A page of three members, then pages of one. */
async function* pagesOf(members: readonly Member[]) {
  yield members.slice(0, 3)
  for (const member of members.slice(3)) yield [member]
}
const rootOf = (members: readonly Member[]) => importedRoot(pagesOf(members), SEED, AT)
const membersOf = (count: number): Member[] =>
  Array.from({ length: count }, (_, index) => ({ publicId: `m${index}`, usd: BigInt(index * 7919), coin: 10n ** BigInt(index % 17) }))

it('computes the same root as the stored tree for 0 to 40 members', async () => {
  for (let count = 0; count <= 40; count += 1) {
    const members = membersOf(count)
    const { root } = await buildTree({
      tree: 'owed',
      day: '2026-03-02',
      publicIds: members.map(({ publicId }) => publicId),
      seeds: Buffer.concat(members.map(({ publicId }) => createHash('sha256').update(`${SEED} ${publicId}`).digest())),
      usd: BigInt64Array.from(members, ({ usd }) => usd),
      coin: BigInt64Array.from(members, ({ coin }) => coin),
      platform: { usd: 0n, coin: 0n },
      platformSalt: SEED.slice(0, 32),
      positions: Int32Array.from({ length: count * LEAVES_PER_MEMBER + 1 }, (_, index) => index),
    })
    expect(await rootOf(members)).toEqual({ ...root, members: count })
  }
})

it('changes the root when one unit moves from one member to another', async () => {
  const members = membersOf(5)
  const moved = members.map((member, index) => ({ ...member, usd: member.usd + ([1n, -1n][index - 1] ?? 0n) }))
  const [first, other] = [await rootOf(members), await rootOf(moved)]
  expect([other.usd, other.coin]).toEqual([first.usd, first.coin])
  expect(other.hash).not.toBe(first.hash)
})

it('rejects a negative amount and a sum beyond 63 bits', async () => {
  await expect(rootOf([{ publicId: 'a', usd: -1n, coin: 0n }])).rejects.toThrow(RangeError)
  await expect(rootOf(['a', 'b'].map((publicId) => ({ publicId, usd: 2n ** 62n, coin: 0n })))).rejects.toThrow('exceed 64 bits')
})
