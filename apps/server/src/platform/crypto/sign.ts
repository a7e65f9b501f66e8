import { createHmac, timingSafeEqual } from 'node:crypto'
import { type DataKeys, deriveKey, keysOf } from './encrypt.ts'

/** Signs a text for one purpose with a separate key. */
export const signatureOf = (key: string, purpose: string, text: string): string =>
  createHmac('sha256', deriveKey(key, purpose)).update(text).digest('base64url')

/** Verifies that the platform signed a text for this purpose. During a rotation it accepts the previous key. */
export function isSigned({ config }: { config: DataKeys }, purpose: string, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature)
  return keysOf(config).some((key) => {
    const right = Buffer.from(signatureOf(key, purpose, text))
    return right.length === bytes.length && timingSafeEqual(right, bytes)
  })
}
