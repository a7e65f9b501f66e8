import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { HDKey } from '@scure/bip32'

/** Indexes of one generation: BIP-32 has 2^31 keys without a private parent below each key. */
const INDEXES = 2 ** 31
const HOUR_MS = 3_600_000

/** The generation of a moment: hours since 1970. */
export const generationAt = (at: Date): number => Math.floor(at.getTime() / HOUR_MS)

/** The place of an address: one number for its generation and its index in it. */
export const placeOf = (generation: number, index: number): number => generation * INDEXES + index

export const generationOf = (place: number): number => Math.floor(place / INDEXES)
export const indexOf = (place: number): number => place % INDEXES

/** The key of a place below the branch: `0/generation/index`. */
export const keyAt = (branch: HDKey, place: number): HDKey =>
  branch.deriveChild(0).deriveChild(generationOf(place)).deriveChild(indexOf(place))

/**
 * Derives the addresses of an extended public key by their place (BIP-32, path `m/0/generation/index` below the key). No private key
 * is needed, and none is accepted: with one of them and the public key every other can be derived.
 * @param xpub of the branch for deposits
 * @throws Error when it is none, or holds a private key
 */
export function depositAddresses(xpub: string): (place: number) => string {
  const key = HDKey.fromExtendedKey(xpub)
  if (key.privateKey !== null) throw new Error('holds a private key, which has no place on a server that members reach')
  // The keys of hours are derived once; an hour has many addresses.
  const hours = new Map<number, HDKey>()
  return (place) => {
    const generation = generationOf(place)
    const hour = hours.get(generation) ?? key.deriveChild(0).deriveChild(generation)
    if (hours.size >= 64) hours.clear()
    hours.set(generation, hour)
    return addressOf(hour.deriveChild(indexOf(place)).publicKey)
  }
}

/** The address of a public key, lower case. A compressed key is expanded first: its own hash is no address. */
function addressOf(publicKey: Uint8Array | null): string {
  if (publicKey === null) throw new Error('no public key')
  const expanded = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  return `0x${bytesToHex(keccak_256(expanded.subarray(1)).subarray(-20))}`
}
