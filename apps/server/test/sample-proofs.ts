import { randomBytes } from 'node:crypto'
import { digestOf, NO_DIGEST, type ProofStatement, writeStatement } from '@tizara/contract/balance-proof/proof-statement'
import type { ProofTree, Sums } from '@tizara/contract/balance-proof/sum-tree'
import { type BalanceProof, PROOF_FORMAT } from '@tizara/contract/balance-proof/verify-proof'
import { type BuiltTree, buildTree, CHUNK_BYTES, drawPositions, readPath, splitSums } from '../src/modules/trust/build-tree.ts'

/** Amounts of a member in a sample day, in units. */
export interface SampleMember {
  publicId: string
  owed: Sums
  promised: Sums
}

/** A published day without a database. */
export interface SampleDay {
  statement: ProofStatement
  text: string
  digest: string
  /** Returns a member's proof by the member's index. */
  proofOf(index: number): BalanceProof
}

/** Builds both trees of a day from amounts, with the code of the job. */
export async function sampleDay(
  members: readonly SampleMember[],
  { day = '2026-03-05', number = 1, previous = NO_DIGEST, unassigned = { usd: 0n, coin: 7n } }: Partial<ProofStatement> = {},
): Promise<SampleDay> {
  const seeds = randomBytes(members.length * 32)
  const positions = { owed: drawPositions(members.length), promised: drawPositions(members.length) }
  const build = (tree: ProofTree) =>
    buildTree({
      tree,
      day,
      publicIds: members.map((one) => one.publicId),
      seeds,
      usd: BigInt64Array.from(members, (one) => one[tree].usd),
      coin: BigInt64Array.from(members, (one) => one[tree].coin),
      platform: tree === 'owed' ? { usd: 0n, coin: 0n } : unassigned,
      platformSalt: randomBytes(16).toString('hex'),
      positions: positions[tree],
    })
  const trees = { owed: await build('owed'), promised: await build('promised') }
  const rootOf = ({ root, leaves }: BuiltTree) => ({ leaves, root: root.hash, usd: root.usd, coin: root.coin })
  const statement: ProofStatement = {
    platform: 'Tizara',
    number,
    day,
    at: `${day}T00:00:10.000Z`,
    previous,
    members: members.length,
    owed: rootOf(trees.owed),
    promised: rootOf(trees.promised),
    unassigned,
    reserves: 'no-chain',
  }
  const text = writeStatement(statement)
  const leavesOf = (index: number, tree: ProofTree) =>
    splitSums(seeds.subarray(index * 32, index * 32 + 32), tree, members[index]?.[tree] ?? { usd: 0n, coin: 0n }).map((leaf, part) => {
      const position = positions[tree][index * 4 + part] ?? 0
      const path = readPath(position, trees[tree].leaves, (level, chunk) => {
        const nodes = trees[tree].levels.find((one) => one.level === level)?.nodes ?? Buffer.alloc(0)
        return nodes.subarray(chunk * CHUNK_BYTES, chunk * CHUNK_BYTES + CHUNK_BYTES)
      })
      return { position, usd: String(leaf.usd), coin: String(leaf.coin), salt: leaf.salt, path }
    })
  return {
    statement,
    text,
    digest: await digestOf(text),
    proofOf: (index) => ({
      format: PROOF_FORMAT,
      member: members[index]?.publicId ?? '',
      statement: text,
      owed: leavesOf(index, 'owed'),
      promised: leavesOf(index, 'promised'),
    }),
  }
}
