import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'

/** The keys of data at rest: the one that seals, and another one that opens during a rotation. */
export type DataKeys = Pick<Config, 'dataKey' | 'dataKeyPrevious'>

const ALGORITHM = 'aes-256-gcm'
/** A form number and the beginning of the key's digest: which key a sealed text needs. */
const FORM = 1
export const MARK_BYTES = 5
const IV_BYTES = 12
const TAG_BYTES = 16

const derived = new Map<string, KeyObject>()
const marks = new Map<string, Buffer>()

function kept<Value>(known: Map<string, Value>, name: string, make: () => Value): Value {
  const value = known.get(name) ?? make()
  known.set(name, value)
  return value
}

/** A key for one purpose, derived from a secret. It is kept: there are few, and deriving one takes longer than to seal by it. */
export function deriveKey(secret: string, purpose: string): KeyObject {
  return kept(derived, `${purpose}\n${secret}`, () => createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))))
}

/** What a text sealed under a key begins with; it says nothing about the key itself. */
export const keyMark = (key: string): Buffer =>
  kept(marks, key, () =>
    Buffer.concat([
      Buffer.from([FORM]),
      deriveKey(key, 'key id')
        .export()
        .subarray(0, MARK_BYTES - 1),
    ]),
  )

/** All keys that open, the sealing one first. */
export const keysOf = (keys: DataKeys): string[] => [keys.dataKey, ...(keys.dataKeyPrevious === undefined ? [] : [keys.dataKeyPrevious])]

/**
 * Encrypts text that has to be read again later (invariant I15: no secret in a plain column).
 * @param owner whose it is: put into another one's row it does not open
 */
export function seal(keys: DataKeys, purpose: string, text: string, owner = ''): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, deriveKey(keys.dataKey, purpose), iv)
  cipher.setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([keyMark(keys.dataKey), iv, cipher.getAuthTag(), body])
}

/**
 * Opens what {@link seal} wrote, also under the other key of a rotation.
 * @returns the text, or undefined when the key that it names is not known, does not open it, or it is somebody else's
 */
export function unseal(keys: DataKeys, purpose: string, sealed: Buffer, owner = ''): string | undefined {
  const key = keysOf(keys).find((known) => keyMark(known).equals(sealed.subarray(0, MARK_BYTES)))
  if (key === undefined) return undefined
  const [iv, tag, body] = [
    sealed.subarray(MARK_BYTES),
    sealed.subarray(MARK_BYTES + IV_BYTES),
    sealed.subarray(MARK_BYTES + IV_BYTES + TAG_BYTES),
  ]
  const decipher = createDecipheriv(ALGORITHM, deriveKey(key, purpose), iv.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(tag.subarray(0, TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/**
 * The same text under the sealing key.
 * @returns undefined when it is sealed under that already, or cannot be opened
 */
export function sealAnew(keys: DataKeys, purpose: string, sealed: Buffer, owner = ''): Buffer | undefined {
  if (keyMark(keys.dataKey).equals(sealed.subarray(0, MARK_BYTES))) return undefined
  const text = unseal(keys, purpose, sealed, owner)
  return text === undefined ? undefined : seal(keys, purpose, text, owner)
}
