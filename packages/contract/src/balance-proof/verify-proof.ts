import { ProofError } from './proof-error.ts'
import { type ProofStatement, readStatement } from './proof-statement.ts'
import {
  leafHash,
  LEAVES_PER_MEMBER,
  MAX_SUM,
  parentOf,
  pathSides,
  proofAssets,
  type ProofTree,
  proofTrees,
  type SumNode,
  type Sums,
} from './sum-tree.ts'

/** A member's proof, as the content of `proof.json`. Amounts are decimal text in units of 10^-8. */
export interface BalanceProof {
  format: string
  /** Public id. */
  member: string
  /** Published text of the day. */
  statement: string
  owed: ProofLeaf[]
  promised: ProofLeaf[]
}

export interface ProofLeaf {
  /** Position in the tree, from 0. */
  position: number
  usd: string
  coin: string
  salt: string
  /** Neighbours from the leaf to the root. */
  path: { hash: string; usd: string; coin: string }[]
}

export const PROOF_FORMAT = 'balance-proof-1'

/** Result of a verified proof: the published statement, and the member's sums in it, in units. */
export interface VerifiedProof {
  member: string
  statement: ProofStatement
  /** Exact text of the statement. */
  text: string
  owed: Sums
  promised: Sums
}

/**
 * Verifies that a member's amounts are part of both published roots, without the platform's help.
 * @param proof parsed JSON of any content
 * @param member public id of the member who asks, if known
 * @throws ProofError with the reason
 */
export async function verifyProof(proof: unknown, member?: string): Promise<VerifiedProof> {
  const read = readProof(proof)
  if (member !== undefined && read.member !== member) throw new ProofError('member')
  const statement = readStatement(read.statement)
  const [owed, promised] = await Promise.all(proofTrees.map((tree) => verifyTree(read, statement, tree)))
  if (owed === undefined || promised === undefined) throw new ProofError('format')
  return { member: read.member, statement, text: read.statement, owed, promised }
}

async function verifyTree(proof: BalanceProof, statement: ProofStatement, tree: ProofTree): Promise<Sums> {
  const leaves = proof[tree]
  const { leaves: count } = statement[tree]
  const positions = new Set(leaves.map(({ position }) => position))
  if (leaves.length !== LEAVES_PER_MEMBER || positions.size !== LEAVES_PER_MEMBER) throw new ProofError('leaves')
  for (const position of positions) if (!Number.isSafeInteger(position) || position < 0 || position >= count) throw new ProofError('leaves')
  let total: Sums = { usd: 0n, coin: 0n }
  for (const [part, leaf] of leaves.entries()) {
    const sums = readSums(leaf)
    await verifyPath(
      leaf,
      { ...sums, hash: await leafHash({ ...sums, tree, day: statement.day, member: proof.member, part, salt: leaf.salt }) },
      statement[tree],
    )
    total = add(total, sums)
  }
  return total
}

/** Climbs from a leaf to the root and compares hash and sums. */
async function verifyPath(leaf: ProofLeaf, start: SumNode, root: SumNodeRoot): Promise<void> {
  const sides = pathSides(leaf.position, root.leaves)
  if (sides.length !== leaf.path.length) throw new ProofError('path')
  let node = start
  for (const [level, side] of sides.entries()) {
    const step = leaf.path[level]
    if (step === undefined) throw new ProofError('path')
    const other = { hash: step.hash, ...readSums(step) }
    add(node, other)
    node = side === 'left' ? await parentOf(other, node) : await parentOf(node, other)
  }
  if (node.hash !== root.root) throw new ProofError('root')
  if (proofAssets.some((asset) => node[asset] !== root[asset])) throw new ProofError('sums')
}

type SumNodeRoot = ProofStatement['owed']

function add(left: Sums, right: Sums): Sums {
  const sum = { usd: left.usd + right.usd, coin: left.coin + right.coin }
  if (proofAssets.some((asset) => sum[asset] > MAX_SUM)) throw new ProofError('overflow')
  return sum
}

function readSums({ usd, coin }: { usd: string; coin: string }): Sums {
  return { usd: readAmount(usd), coin: readAmount(coin) }
}

function readAmount(text: string): bigint {
  if (/^-[1-9]\d*$/.test(text)) throw new ProofError('negative')
  if (!/^(0|[1-9]\d*)$/.test(text)) throw new ProofError('amount')
  if (text.length > 19 || BigInt(text) > MAX_SUM) throw new ProofError('overflow')
  return BigInt(text)
}

/** Parses a proof field by field, because the proof comes from a file. */
function readProof(proof: unknown): BalanceProof {
  const fields = recordOf(proof)
  const { format, member, statement } = fields
  if (format !== PROOF_FORMAT || typeof member !== 'string' || typeof statement !== 'string') throw new ProofError('format')
  return { format, member, statement, owed: readLeaves(fields['owed']), promised: readLeaves(fields['promised']) }
}

const readLeaves = (leaves: unknown): ProofLeaf[] =>
  listOf(leaves).map((leaf) => {
    const { position, usd, coin, salt, path } = recordOf(leaf)
    if (typeof position !== 'number' || typeof usd !== 'string' || typeof coin !== 'string') throw new ProofError('format')
    if (typeof salt !== 'string' || !/^[0-9a-f]{32}$/.test(salt)) throw new ProofError('format')
    return { position, usd, coin, salt, path: listOf(path).map(readStep) }
  })

function readStep(step: unknown): ProofLeaf['path'][number] {
  const { hash, usd, coin } = recordOf(step)
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash) || typeof usd !== 'string' || typeof coin !== 'string')
    throw new ProofError('format')
  return { hash, usd, coin }
}

function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ProofError('format')
  return Object.fromEntries(Object.entries(value))
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new ProofError('format')
  return value
}
