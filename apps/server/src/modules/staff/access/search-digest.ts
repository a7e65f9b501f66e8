import type { DataKeys } from '../../../platform/crypto/encrypt.ts'
import { signatureOf } from '../../../platform/crypto/sign.ts'

/**
 * Replaces the search texts (`q`) in the input of a call by digests, for the audit log. A text may contain the name of a member whose
 * account is later erased. Equal texts have equal digests, so that the log shows repeated searches.
 */
export function withSearchDigest({ dataKey }: Pick<DataKeys, 'dataKey'>, input: object): Record<string, unknown> {
  const digest = (text: string) => `digest ${signatureOf(dataKey, 'search texts', text.toLowerCase()).slice(0, 16)}`
  const replace = (name: string, value: unknown): unknown =>
    name === 'q' && typeof value === 'string' && value !== '' ? digest(value) : value
  return JSON.parse(JSON.stringify(input, replace)) as Record<string, unknown>
}
