import { createHash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** Payout networks (EN-58). */
export type Network = 0 | 1 | 2
const TRON: Network = 2
const TRON_VERSION = 0x41
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/**
 * Returns true if an address can be paid on a network (VA-31). BEP(20) and ERC(20): `0x` and 40 hex digits, not zero, with a valid EIP-55
 * checksum if the case is mixed. TRC(20): base58 with check digits and version 0x41.
 */
export function isPayable(address: string, network: Network): boolean {
  return network === TRON ? isTronAddress(address) : isHexAddress(address)
}

/** Normalizes an address for comparison. The case of a hex address is only a checksum. */
export const addressKey = (address: string, network: Network): string => (network === TRON ? address : address.toLowerCase())

function isHexAddress(address: string): boolean {
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(address)?.[1]
  if (digits === undefined || /^0+$/.test(digits)) return false
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true
  return digits === withChecksum(digits.toLowerCase())
}

/** Applies the EIP-55 checksum: a letter is upper case if the hash digit at its index is at least 8. */
function withChecksum(digits: string): string {
  const hash = Buffer.from(keccak_256(new TextEncoder().encode(digits))).toString('hex')
  return Array.from(digits, (digit, index) => (Number.parseInt(hash[index] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit)).join('')
}

function isTronAddress(address: string): boolean {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address)) return false
  const value = Array.from(address).reduce((sum, character) => sum * 58n + BigInt(BASE58.indexOf(character)), 0n)
  const bytes = Buffer.from(value.toString(16).padStart(50, '0'), 'hex')
  if (bytes.length !== 25 || bytes[0] !== TRON_VERSION) return false
  const check = sha256(sha256(bytes.subarray(0, 21))).subarray(0, 4)
  return check.equals(bytes.subarray(21)) && !bytes.subarray(1, 21).every((byte) => byte === 0)
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
