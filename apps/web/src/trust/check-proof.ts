import type { ReplyOf } from '@tizara/contract'
import type { myProof } from '@tizara/contract/trust'

/** Proof path from the server. */
export type Proof = ReplyOf<typeof myProof>

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** Browsers provide hashing only on secure origins. */
export const canCheck = (): boolean => (globalThis.crypto as { subtle?: SubtleCrypto } | undefined)?.subtle !== undefined

/**
 * Recomputes the root from the member's leaf and compares it. A leaf is SHA-256 of its text; a parent is SHA-256 of both hashes, left
 * first.
 */
export async function checkProof(proof: Proof, published: string): Promise<boolean> {
  let hash = await sha256(new TextEncoder().encode(proof.leaf))
  if (toHex(hash) !== proof.leafHash) return false
  for (const step of proof.path) {
    const other = fromHex(step.hash)
    const [left, right] = step.side === 'left' ? [other, hash] : [hash, other]
    const both = new Uint8Array(left.length + right.length)
    both.set(left)
    both.set(right, left.length)
    hash = await sha256(both)
  }
  const root = toHex(hash)
  return root === proof.root && root === published
}
