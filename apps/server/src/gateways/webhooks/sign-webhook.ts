import { createHmac } from 'node:crypto'

/** Prefix of a secret in Standard Webhooks. The rest is base64. */
const PREFIX = 'whsec_'

/** Writes 32 random bytes as a secret of Standard Webhooks. */
export const webhookSecret = (bytes: Buffer): string => `${PREFIX}${bytes.toString('base64')}`

/**
 * Returns the headers of a webhook by Standard Webhooks 1.0, with one signature for each secret.
 * @param secrets the current secret, and the previous one during a rotation
 * @param at time of this attempt; receivers reject signatures that are older than some minutes
 */
export function signedHeaders({ id, body, secrets, at }: { id: string; body: string; secrets: readonly string[]; at: Date }) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}
