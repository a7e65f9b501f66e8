import { digestOf, NO_DIGEST, type ProofStatement, writeStatement } from '@tizara/contract/balance-proof/proof-statement'
import { leafHash, parentOf, type ProofTree, type SumNode, type Sums } from '@tizara/contract/balance-proof/sum-tree'
import { type BalanceProof, PROOF_FORMAT, type ProofLeaf } from '@tizara/contract/balance-proof/verify-proof'

const SALT = '5a'.repeat(16)

interface SampleOptions {
  member: string
  owed: Sums
  promised: Sums
  changes?: Partial<ProofStatement>
}

/** Builds a published day with one member and the leaf that belongs to no member. */
export async function sampleProof({ member, owed, promised, changes = {} }: SampleOptions) {
  const day = changes.day ?? '2026-03-05'
  const trees = { owed: await treeOf('owed', owed), promised: await treeOf('promised', promised) }
  const statement: ProofStatement = {
    platform: 'Tizara',
    number: 1,
    day,
    at: `${day}T12:00:00.000Z`,
    previous: NO_DIGEST,
    members: 1,
    owed: trees.owed.root,
    promised: trees.promised.root,
    unassigned: { usd: 0n, coin: 0n },
    reserves: 'no-chain',
    ...changes,
  }
  const text = writeStatement(statement)
  const proof: BalanceProof = { format: PROOF_FORMAT, member, statement: text, owed: trees.owed.leaves, promised: trees.promised.leaves }
  return { proof, row: { text, digest: await digestOf(text), signer: null, signature: null, onChain: null } }

  /** Four leaves with the whole amount in the first one, then the platform's. */
  async function treeOf(tree: ProofTree, sums: Sums) {
    const parts = [sums, ...Array.from({ length: 4 }, () => ({ usd: 0n, coin: 0n }))]
    let nodes: SumNode[] = await Promise.all(
      parts.map(async (part, index) => {
        const facts = { tree, day, member: index === 4 ? 'platform' : member, part: index % 4, salt: SALT, ...part }
        return { hash: await leafHash(facts), ...part }
      }),
    )
    const paths: ProofLeaf['path'][] = [[], [], [], []]
    for (let level = 0; nodes.length > 1; level += 1) {
      for (const [leaf, path] of paths.entries()) {
        const other = nodes[(leaf >> level) ^ 1]
        if (other !== undefined) path.push({ hash: other.hash, usd: String(other.usd), coin: String(other.coin) })
      }
      const above: SumNode[] = []
      for (let index = 0; index < nodes.length; index += 2) {
        const [left, right] = nodes.slice(index, index + 2)
        if (left !== undefined) above.push(right === undefined ? left : await parentOf(left, right))
      }
      nodes = above
    }
    const [{ hash: root, usd, coin } = { hash: '', usd: 0n, coin: 0n }] = nodes
    const leaves = paths.map((path, position) => ({
      position,
      usd: String(parts[position]?.usd ?? 0n),
      coin: String(parts[position]?.coin ?? 0n),
      salt: SALT,
      path,
    }))
    return { root: { leaves: 5, root, usd, coin }, leaves }
  }
}
