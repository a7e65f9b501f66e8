import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'

/** Keys for data at rest: the current key, and the previous key during a rotation. */
export type DataKeys = Pick<Config, 'dataKey' | 'dataKeyPrevious'>

const ALGORITHM = 'aes-256-gcm'
/** Format number of encrypted texts. An encrypted text starts with this number and a part of the key's digest. */
const FORM = 1
export const MARK_BYTES = 5
const IV_BYTES = 12
const TAG_BYTES = 16

const derived = new Map<string, KeyObject>()
const marks = new Map<string, Buffer>()

function getOrCreate<Value>(known: Map<string, Value>, name: string, make: () => Value): Value {
  const value = known.get(name) ?? make()
  known.set(name, value)
  return value
}

/** Derives a key for one purpose from a secret. Derived keys are cached, because derivation takes longer than encryption. */
export function deriveKey(secret: string, purpose: string): KeyObject {
  return getOrCreate(derived, `${purpose}\n${secret}`, () => createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))))
}

/** Returns the prefix of all texts encrypted with a key. The prefix reveals nothing about the key. */
export const keyMark = (key: string): Buffer =>
  getOrCreate(marks, key, () =>
    Buffer.concat([
      Buffer.from([FORM]),
      deriveKey(key, 'key id')
        .export()
        .subarray(0, MARK_BYTES - 1),
    ]),
  )

/** Returns all decryption keys, the current one first. */
export const keysOf = (keys: DataKeys): string[] => [keys.dataKey, ...(keys.dataKeyPrevious === undefined ? [] : [keys.dataKeyPrevious])]

/**
 * Encrypts text for later reading (invariant I15: no secret in a plain column).
 * @param owner owner of the text; decryption fails in another owner's row
 */
export function encrypt(keys: DataKeys, purpose: string, text: string, owner = ''): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, deriveKey(keys.dataKey, purpose), iv)
  cipher.setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([keyMark(keys.dataKey), iv, cipher.getAuthTag(), body])
}

/**
 * Decrypts a text of {@link encrypt} with the current or the previous key.
 * @returns undefined if the key, the purpose or the owner is wrong
 */
export function decrypt(keys: DataKeys, purpose: string, encrypted: Buffer, owner = ''): string | undefined {
  const key = keysOf(keys).find((known) => keyMark(known).equals(encrypted.subarray(0, MARK_BYTES)))
  if (key === undefined) return undefined
  const [iv, tag, body] = [
    encrypted.subarray(MARK_BYTES),
    encrypted.subarray(MARK_BYTES + IV_BYTES),
    encrypted.subarray(MARK_BYTES + IV_BYTES + TAG_BYTES),
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
 * Encrypts text again under the current key.
 * @returns undefined if it already is, or cannot be decrypted
 */
export function reEncrypt(keys: DataKeys, purpose: string, encrypted: Buffer, owner = ''): Buffer | undefined {
  if (keyMark(keys.dataKey).equals(encrypted.subarray(0, MARK_BYTES))) return undefined
  const text = decrypt(keys, purpose, encrypted, owner)
  return text === undefined ? undefined : encrypt(keys, purpose, text, owner)
}
