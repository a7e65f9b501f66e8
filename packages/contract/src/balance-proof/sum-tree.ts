/**
 * Hash rules of the sum tree that proves the liabilities to members (docs/proof.md). The hash of a node covers the hashes and sums of its
 * children, so the root covers the totals. All functions are pure; amounts are units of 10^-8.
 */

/** The assets of a sum tree. */
export const proofAssets = ['usd', 'coin'] as const
export type ProofAsset = (typeof proofAssets)[number]

/** Sums of one node, in units. */
export type Sums = Record<ProofAsset, bigint>

/** A node: hash in lower-case hex, and sums. */
export interface SumNode extends Sums {
  hash: string
}

/** The trees of a day. `owed` contains balances, amounts on hold and earned rewards; `promised` contains future rewards. */
export const proofTrees = ['owed', 'promised'] as const
export type ProofTree = (typeof proofTrees)[number]

/** Leaves per member and tree. */
export const LEAVES_PER_MEMBER = 4

/** Largest sum of a node, in units: 2^63 - 1. */
export const MAX_SUM = 2n ** 63n - 1n

/** Fields that are hashed into one leaf. */
export interface LeafFields extends Sums {
  tree: ProofTree
  /** UTC day, `YYYY-MM-DD`. */
  day: string
  /** Public id of the member; `platform` for the leaf without a member. */
  member: string
  /** Number of the leaf among the member's leaves, from 0. */
  part: number
  /** 16 random bytes, lower-case hex. */
  salt: string
}

/** Text of a leaf. Its hash is SHA-256 over a zero byte and this text. */
export const leafText = ({ tree, day, member, part, usd, coin, salt }: LeafFields): string =>
  [tree, day, member, part, usd, coin, salt].join('\n')

/** Length of the hashed bytes of an inner node: tag, two hashes, four sums. */
export const NODE_BYTES = 1 + 2 * 32 + 4 * 8

/** Bytes of an inner node: 01, left hash, right hash, then the left and the right sums (USD, coin) as 64-bit big-endian numbers. */
export function nodeBytes(left: SumNode, right: SumNode): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(NODE_BYTES)
  const view = new DataView(bytes.buffer)
  bytes[0] = 1
  bytes.set(fromHex(left.hash), 1)
  bytes.set(fromHex(right.hash), 33)
  for (const [index, sum] of [left.usd, left.coin, right.usd, right.coin].entries()) view.setBigUint64(65 + 8 * index, sum)
  return bytes
}

/** Returns the hash of a leaf in hex. */
export const leafHash = (fields: LeafFields): Promise<string> => sha256(new TextEncoder().encode(`\0${leafText(fields)}`))

/** Returns the parent of two nodes. The caller checks the sums. */
export const parentOf = async (left: SumNode, right: SumNode): Promise<SumNode> => ({
  hash: await sha256(nodeBytes(left, right)),
  usd: left.usd + right.usd,
  coin: left.coin + right.coin,
})

/**
 * Returns the side of the sibling node at each level above a leaf. In a level with an odd number of nodes the last node has no sibling and
 * moves up unchanged.
 * @param position position of the leaf, from 0
 * @param leaves number of leaves in the tree
 */
export function pathSides(position: number, leaves: number): ('left' | 'right')[] {
  const sides: ('left' | 'right')[] = []
  for (let [index, count] = [position, leaves]; count > 1; [index, count] = [Math.floor(index / 2), Math.ceil(count / 2)]) {
    if (index % 2 === 1) sides.push('left')
    else if (index + 1 < count) sides.push('right')
  }
  return sides
}

/** Returns SHA-256 in lower-case hex. Browsers provide it on secure origins and for local files. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export const sha256OfText = (text: string): Promise<string> => sha256(new TextEncoder().encode(text))

const fromHex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
