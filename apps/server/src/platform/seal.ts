import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Config } from './config.ts'

type Secrets = Pick<Config, 'tokenSecret' | 'tokenSecretPrevious'>

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * A key for one purpose, derived from the house's secret.
 * @param purpose what the key is for; other purposes get other keys
 */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}

/**
 * Encrypts text that has to be read again later (invariant I15: no secret in a plain column).
 * @param purpose what it is for; needed again to open it
 */
export function seal(secrets: Secrets, purpose: string, text: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, deriveKey(secrets.tokenSecret, purpose), iv)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/**
 * Opens what {@link seal} wrote, also under the secret before the last rotation.
 * @returns the text, or undefined when no known secret opens it
 */
export function unseal(secrets: Secrets, purpose: string, sealed: Buffer): string | undefined {
  for (const secret of [secrets.tokenSecret, secrets.tokenSecretPrevious]) {
    if (secret === undefined) continue
    const decipher = createDecipheriv(ALGORITHM, deriveKey(secret, purpose), sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    try {
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
    } catch {
      continue
    }
  }
  return undefined
}
