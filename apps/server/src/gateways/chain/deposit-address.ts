import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { HDKey } from '@scure/bip32'

/** Indexes per generation. BIP-32 allows 2^31 non-hardened children per key. */
const INDEXES = 2 ** 31
const HOUR_MS = 3_600_000

/** Returns the generation of a time: hours since 1970. */
export const generationAt = (at: Date): number => Math.floor(at.getTime() / HOUR_MS)

/** Returns the number of an address, combined from generation and index. */
export const keyIndexOf = (generation: number, index: number): number => generation * INDEXES + index

export const generationOf = (keyIndex: number): number => Math.floor(keyIndex / INDEXES)
export const indexOf = (keyIndex: number): number => keyIndex % INDEXES

/** Derives the key at `0/generation/index` below the branch. */
export const keyAt = (branch: HDKey, keyIndex: number): HDKey =>
  branch.deriveChild(0).deriveChild(generationOf(keyIndex)).deriveChild(indexOf(keyIndex))

/**
 * Derives deposit addresses from an extended public key (BIP-32, path `m/0/generation/index` below the key). Rejects private keys, because
 * one private key and the public key reveal all other private keys.
 * @param xpub extended public key of the deposit branch
 * @throws Error if the key is invalid or private
 */
export function depositAddresses(xpub: string): (keyIndex: number) => string {
  const key = HDKey.fromExtendedKey(xpub)
  if (key.privateKey !== null) throw new Error('contains a private key. Use the extended public key: the API must not know private keys')
  // Caches the key of each hour, because an hour has many addresses.
  const hours = new Map<number, HDKey>()
  return (keyIndex) => {
    const generation = generationOf(keyIndex)
    const hour = hours.get(generation) ?? key.deriveChild(0).deriveChild(generation)
    if (hours.size >= 64) hours.clear()
    hours.set(generation, hour)
    return addressOf(hour.deriveChild(indexOf(keyIndex)).publicKey)
  }
}

/** Derives the wallet that gives gas to invoice addresses: the first key of the branch's internal chain. */
export const gasWalletOf = (xpub: string): string => addressOf(HDKey.fromExtendedKey(xpub).deriveChild(1).deriveChild(0).publicKey)

/** Returns the address of a public key, lower case. Expands a compressed key first, because the address is a hash of the full key. */
function addressOf(publicKey: Uint8Array | null): string {
  if (publicKey === null) throw new Error('is not an extended public key')
  const expanded = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  return `0x${bytesToHex(keccak_256(expanded.subarray(1)).subarray(-20))}`
}
