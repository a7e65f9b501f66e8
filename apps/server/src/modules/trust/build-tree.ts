import { hash, randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  type LeafFields,
  leafText,
  LEAVES_PER_MEMBER,
  MAX_SUM,
  NODE_BYTES,
  pathSides,
  type ProofTree,
  type SumNode,
  type Sums,
} from '@tizara/contract/balance-proof/sum-tree'
import type { ProofLeaf } from '@tizara/contract/balance-proof/verify-proof'

/** Bytes of a stored node: hash, USD, coin. */
export const STORED_BYTES = 48
/** Number of levels per stored row: a row contains the nodes below one node five levels higher. */
const CHUNK_LEVELS = 5
const CHUNK_NODES = 2 ** CHUNK_LEVELS
/** Bytes of a stored row; the last row of a level is shorter. */
export const CHUNK_BYTES = CHUNK_NODES * STORED_BYTES
/** Nodes hashed before other work of the process gets its turn: about 5 ms. */
const BATCH_NODES = 1024

/** Amounts of all members in one tree. */
export interface TreeInput {
  tree: ProofTree
  /** UTC day. */
  day: string
  publicIds: readonly string[]
  /** 32 random bytes per member. */
  seeds: Buffer
  usd: BigInt64Array
  coin: BigInt64Array
  /** Amounts of the leaf that belongs to no member. */
  platform: Sums
  /** Salt of that leaf: 16 bytes in hex. */
  platformSalt: string
  /** Position of each leaf: four per member in order, then the one without a member. */
  positions: Int32Array
}

/** Returns the number of leaves for a number of members. */
const leafCount = (members: number): number => members * LEAVES_PER_MEMBER + 1

/** Nodes of one stored level, in order. */
export interface StoredLevel {
  level: number
  nodes: Buffer
}

export interface BuiltTree {
  root: SumNode
  leaves: number
  levels: StoredLevel[]
}

/** A leaf's amounts and salt. */
interface Part extends Sums {
  salt: string
}

/** Splits a member's sums at random into four parts. The seed determines the parts and their salts. */
export function splitSums(seed: Buffer, tree: ProofTree, sums: Sums): Part[] {
  const cuts = digest512(seed, tree, 'parts')
  const salts = digest512(seed, tree, 'salts').toString('hex')
  const [usd, coin] = [splitAmount(sums.usd, cuts, 0), splitAmount(sums.coin, cuts, 3)]
  return Array.from({ length: LEAVES_PER_MEMBER }, (_, part) => ({
    usd: usd[part] ?? 0n,
    coin: coin[part] ?? 0n,
    salt: salts.slice(part * 32, part * 32 + 32),
  }))
}

const digest512 = (seed: Buffer, tree: ProofTree, use: string): Buffer =>
  hash('sha512', Buffer.concat([seed, Buffer.from(`${tree} ${use}`)]), 'buffer')

/** Splits an amount at three random points. Each point is a random number of 64 bits. */
function splitAmount(amount: bigint, cuts: Buffer, first: number): bigint[] {
  if (amount === 0n) return []
  const cutPoints = [0, 1, 2].map((index) => (amount * cuts.readBigUInt64BE(8 * (first + index))) >> 64n)
  const sorted = [0n, ...cutPoints.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)), amount]
  return sorted.slice(1).map((end, index) => end - (sorted[index] ?? 0n))
}

/**
 * Builds a tree. Other work of the process continues between batches.
 * @param onBatch called between batches, so that the caller can renew its lease
 * @throws RangeError for a negative amount or a sum beyond 2^63 - 1
 */
export async function buildTree(input: TreeInput, onBatch: () => Promise<void> = () => Promise.resolve()): Promise<BuiltTree> {
  const leaves = leafCount(input.publicIds.length)
  const bottom = Buffer.alloc(leaves * STORED_BYTES)
  const put = (index: number, member: string, part: number, leaf: Part): void =>
    writeLeaf(bottom, (input.positions[index] ?? 0) * STORED_BYTES, { tree: input.tree, day: input.day, member, part, ...leaf })
  for (const [index, member] of input.publicIds.entries()) {
    const sums = { usd: input.usd[index] ?? 0n, coin: input.coin[index] ?? 0n }
    const parts = splitSums(input.seeds.subarray(index * 32, index * 32 + 32), input.tree, sums)
    for (const [part, one] of parts.entries()) put(index * LEAVES_PER_MEMBER + part, member, part, one)
    if (index % (BATCH_NODES / LEAVES_PER_MEMBER) === 0) await turn(onBatch)
  }
  put(leaves - 1, 'platform', 0, { ...input.platform, salt: input.platformSalt })
  const levels: StoredLevel[] = []
  let nodes: Buffer = bottom
  for (let level = 0; ; level += 1) {
    if (level % CHUNK_LEVELS === 0) levels.push({ level, nodes })
    if (nodes.length === STORED_BYTES) break
    nodes = await parents(nodes, onBatch)
  }
  return { root: nodeAt(nodes, 0), leaves, levels }
}

/**
 * Writes the node of a leaf.
 * @throws RangeError for a negative amount
 */
export function writeLeaf(nodes: Buffer, at: number, leaf: LeafFields): void {
  if (leaf.usd < 0n || leaf.coin < 0n) throw new RangeError(`the leaf of ${leaf.member} is negative`)
  hash('sha256', `\0${leafText(leaf)}`, 'buffer').copy(nodes, at)
  nodes.writeBigUInt64BE(leaf.usd, at + 32)
  nodes.writeBigUInt64BE(leaf.coin, at + 40)
}

async function turn(onBatch: () => Promise<void>): Promise<void> {
  await setImmediate()
  await onBatch()
}

/** Returns the level above. */
async function parents(nodes: Buffer, onBatch: () => Promise<void>): Promise<Buffer> {
  const above = Buffer.alloc(Math.ceil(nodes.length / STORED_BYTES / 2) * STORED_BYTES)
  const batch = BATCH_NODES * STORED_BYTES
  for (let from = 0; from < above.length; from += batch) {
    writeParents(nodes, above, from, Math.min(from + batch, above.length))
    if (above.length > batch) await turn(onBatch)
  }
  return above
}

/**
 * Writes the parents with the given byte range. A last node without a neighbour moves up unchanged.
 * @throws RangeError for a sum beyond 2^63 - 1
 */
export function writeParents(nodes: Buffer, above: Buffer, from: number, to: number): void {
  const bytes = Buffer.alloc(NODE_BYTES)
  bytes[0] = 1
  for (let at = from; at < to; at += STORED_BYTES) {
    const [left, right] = [at * 2, at * 2 + STORED_BYTES]
    if (right >= nodes.length) {
      nodes.copy(above, at, left, right)
      continue
    }
    nodes.copy(bytes, 1, left, left + 32)
    nodes.copy(bytes, 33, right, right + 32)
    nodes.copy(bytes, 65, left + 32, left + STORED_BYTES)
    nodes.copy(bytes, 81, right + 32, right + STORED_BYTES)
    hash('sha256', bytes, 'buffer').copy(above, at)
    for (const asset of [32, 40]) {
      const sum = nodes.readBigUInt64BE(left + asset) + nodes.readBigUInt64BE(right + asset)
      if (sum > MAX_SUM) throw new RangeError('the sums of the tree exceed 64 bits')
      above.writeBigUInt64BE(sum, at + asset)
    }
  }
}

/** Returns the node that is stored at a byte. */
export const nodeAt = (nodes: Buffer, at: number): SumNode => ({
  hash: nodes.toString('hex', at, at + 32),
  usd: nodes.readBigUInt64BE(at + 32),
  coin: nodes.readBigUInt64BE(at + 40),
})

/** Draws a random position for each leaf (Fisher-Yates). */
export function drawPositions(members: number): Int32Array {
  const count = leafCount(members)
  const random = randomBytes(count * 4)
  const order = Int32Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last -= 1) {
    const other = Math.floor((random.readUInt32BE(last * 4) / 2 ** 32) * (last + 1))
    const moved = order[last] ?? 0
    order[last] = order[other] ?? 0
    order[other] = moved
  }
  return order
}

/** Names the stored rows that a leaf's path needs. */
export function chunksOnPath(position: number, leaves: number): { level: number; chunk: number }[] {
  const rows: { level: number; chunk: number }[] = []
  for (let [level, index, count] = [0, position, leaves]; count > 1; level += CHUNK_LEVELS) {
    rows.push({ level, chunk: Math.floor(index / CHUNK_NODES) })
    index = Math.floor(index / CHUNK_NODES)
    count = Math.ceil(count / CHUNK_NODES)
  }
  return rows
}

/**
 * Returns the neighbours from a leaf to the root.
 * @param chunk returns the nodes of a stored row
 */
export function readPath(position: number, leaves: number, chunk: (level: number, chunk: number) => Buffer): ProofLeaf['path'] {
  const path: ProofLeaf['path'] = []
  for (const { level, chunk: number } of chunksOnPath(position, leaves)) {
    let nodes = chunk(level, number)
    let index = Math.floor(position / 2 ** level) % CHUNK_NODES
    for (let step = 0; step < CHUNK_LEVELS && nodes.length > STORED_BYTES; step += 1) {
      const other = (index ^ 1) * STORED_BYTES
      if (other < nodes.length) {
        const { hash: neighbour, usd, coin } = nodeAt(nodes, other)
        path.push({ hash: neighbour, usd: String(usd), coin: String(coin) })
      }
      const above = Buffer.alloc(Math.ceil(nodes.length / STORED_BYTES / 2) * STORED_BYTES)
      writeParents(nodes, above, 0, above.length)
      nodes = above
      index = Math.floor(index / 2)
    }
  }
  if (path.length !== pathSides(position, leaves).length) throw new Error('the stored tree is incomplete')
  return path
}
