import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Serializes JSON with sorted keys at every depth for signing. Numbers are written as JSON.parse reads them (5.0 becomes 5), so both
 * sides sign the same text.
 */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}

/** Returns the HMAC-SHA512 of {@link sortedJson} as hex. */
export function signNotice(body: unknown, secret: string): string {
  return createHmac('sha512', secret).update(sortedJson(body)).digest('hex')
}

/** Compares in constant time. */
export function signatureMatches(body: unknown, signature: string | undefined, secret: string): boolean {
  if (signature === undefined || !/^[0-9a-f]{128}$/i.test(signature)) return false
  return timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(signNotice(body, secret), 'hex'))
}
