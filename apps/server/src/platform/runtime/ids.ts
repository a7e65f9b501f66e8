import { createHash, randomBytes, randomInt } from 'node:crypto'

/** Source of ids and secrets. Tests use a repeatable source. */
export interface Ids {
  /** A public id: 128 random bits as 22 characters of base64url (ASVS 11.5.1). */
  publicId(): string
  /** A bearer secret: 256 random bits as 43 characters of base64url. */
  secret(): string
  digits(length: number): string
  /** A code of capital letters and digits without look-alikes, for referral codes. */
  code(length: number): string
}

const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

const pick = (alphabet: string, length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)] ?? '').join('')

const POOL_BYTES = 4096
let pool = Buffer.alloc(0)
let used = 0

/** Random bytes out of a pool, as each visit to the operating system costs as much as a whole id. Every byte is used once. */
function takeRandomBytes(length: number): Buffer {
  if (used + length > pool.length) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  used += length
  return pool.subarray(used - length, used)
}

/** Ids from the operating system's random source. */
export const randomIds: Ids = {
  publicId: () => takeRandomBytes(16).toString('base64url'),
  secret: () => randomBytes(32).toString('base64url'),
  digits: (length) => pick('0123456789', length),
  code: (length) => pick(CODE_ALPHABET, length),
}

/**
 * Returns the digest stored for a secret: SHA-256 in hex. This is safe only for secrets of 128 bits or more; passwords and short codes need
 * a slow or keyed hash.
 */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
