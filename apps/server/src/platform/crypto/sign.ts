import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Deps } from '../runtime/deps.ts'
import { deriveKey, keysOf } from './seal.ts'

/** The signature of a text for one purpose, by a key of its own. */
export const signatureOf = (key: string, purpose: string, said: string): string =>
  createHmac('sha256', deriveKey(key, purpose)).update(said).digest('base64url')

/** Whether a text was signed by us for this purpose; a rotated key knows what the one before signed. */
export function isSigned({ config }: Pick<Deps, 'config'>, purpose: string, said: string, signature: string): boolean {
  const given = Buffer.from(signature)
  return keysOf(config).some((key) => {
    const right = Buffer.from(signatureOf(key, purpose, said))
    return right.length === given.length && timingSafeEqual(right, given)
  })
}
