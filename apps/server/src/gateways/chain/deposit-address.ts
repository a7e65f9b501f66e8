import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { HDKey } from '@scure/bip32'

/**
 * The addresses of an extended public key, by their index (BIP-32, path `m/0/index` below the key). No private key is
 * needed, and none is taken: whoever has one besides the public key could derive every other.
 * @param xpub of the branch for deposits
 * @throws Error when it is none, or holds a private key
 */
export function depositAddresses(xpub: string): (index: number) => string {
  const key = HDKey.fromExtendedKey(xpub)
  if (key.privateKey !== null) throw new Error('holds a private key, which has no place on a server that members reach')
  const branch = key.deriveChild(0)
  return (index) => addressOf(branch.deriveChild(index).publicKey)
}

/** The address of a public key, all lower case. A compressed key is expanded first: its own hash is nobody's address. */
function addressOf(publicKey: Uint8Array | null): string {
  if (publicKey === null) throw new Error('no public key')
  const expanded = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  return `0x${bytesToHex(keccak_256(expanded.subarray(1)).subarray(-20))}`
}
