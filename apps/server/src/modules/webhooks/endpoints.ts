import { WEBHOOK_ROTATION_HOURS, WEBHOOKS_MAX } from '@tizara/contract/staff-webhooks'
import { sql } from 'kysely'
import { receiverError, webhookSecret } from '../../gateways/webhooks/index.ts'
import { enqueueMails } from '../../gateways/mailer/index.ts'
import { decrypt, encrypt } from '../../platform/crypto/encrypt.ts'
import type { EncryptedColumn } from '../../platform/crypto/encrypted-column.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { HOUR_MS } from '../../platform/runtime/clock.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { recordAudit } from '../audit/index.ts'
import { staffMembers } from '../members/index.ts'

const SECRET = { table: 'webhook_endpoint', key: 'id', purpose: 'webhook secret', owner: 'url' }
/** Secrets are bound to the URL, so an address changed by SQL gets nothing. */
export const webhookSecrets: readonly EncryptedColumn[] = [
  { ...SECRET, column: 'secret' },
  { ...SECRET, column: 'previous_secret' },
]

export interface EndpointInput {
  /** Public id of an existing endpoint; absent for a new one. */
  id?: string | undefined
  name: string
  url: string
  kinds: readonly string[]
}

/** Why an endpoint gets nothing. */
type OffReason = 'STAFF' | 'FAILING' | 'GONE' | 'RESTORED' | 'FORGED'

const liveEndpoint = (db: Db, id: string) =>
  db.selectFrom('webhook_endpoint').selectAll().where('public_id', '=', id).where('state', '<>', 'ENDED')

/**
 * Reads the approved fields of an endpoint.
 * @throws AppError NOT_FOUND also for one that has ended
 */
export async function readEndpoint(db: Db, id: string): Promise<{ name: string; url: string; kinds: string[]; state: string }> {
  const row = await liveEndpoint(db, id).executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_FOUND')
  return { name: row.name, url: row.url, kinds: row.kinds, state: row.state }
}

/**
 * Checks an endpoint before it is proposed and approved.
 * @throws AppError INVALID_INPUT, WEBHOOKS_FULL
 */
export async function assertEndpoint(tx: Tx, { config }: Pick<Deps, 'config'>, { id, url }: EndpointInput): Promise<void> {
  const message = receiverError(config, url)
  if (message !== undefined) throw new AppError('INVALID_INPUT', {}, [{ path: 'url', message }])
  if (id !== undefined) return
  const live = await tx.selectFrom('webhook_endpoint').select('id').where('state', '<>', 'ENDED').limit(WEBHOOKS_MAX).execute()
  if (live.length === WEBHOOKS_MAX) throw new AppError('WEBHOOKS_FULL')
}

/**
 * Puts an approved endpoint in force: a new one, or other values of an existing one, which is also switched on. A new endpoint begins with
 * the next event and needs a secret before it gets one. Another URL ends the secrets, because they belong to the receiver.
 * @returns its public id
 */
export async function saveEndpoint(tx: Tx, deps: Deps, { id, name, url, kinds }: EndpointInput): Promise<string> {
  const now = deps.clock.now()
  const values = {
    name,
    url,
    kinds: [...new Set(kinds)],
    state: 'ON',
    off_reason: null,
    failing_since: null,
    fault: null,
    failures: 0,
    rests_until: null,
  }
  if (id === undefined) {
    const publicId = deps.ids.publicId()
    await tx
      .insertInto('webhook_endpoint')
      .values({
        ...values,
        public_id: publicId,
        created_at: now,
        changed_at: now,
        last_event_id: sql<bigint>`coalesce((select max(id) from event), 0)`,
      })
      .execute()
    return publicId
  }
  const existing = await liveEndpoint(tx, id).forUpdate().executeTakeFirst()
  if (existing === undefined) throw new AppError('NOT_FOUND')
  await tx
    .updateTable('webhook_endpoint')
    .set({ ...values, changed_at: now, ...(existing.url === url ? {} : { secret: null, previous_secret: null, previous_until: null }) })
    .where('id', '=', existing.id)
    .execute()
  // The retention may have deleted the earlier events of an object while the endpoint was off.
  await sql`
    update webhook_delivery d set next_attempt_at = ${now} where endpoint_id = ${existing.id} and state = 'PENDING' and next_attempt_at is null
      and not exists (select from webhook_delivery p
        where p.endpoint_id = d.endpoint_id and p.subject = d.subject and p.state = 'PENDING' and p.id < d.id)`.execute(tx)
  return id
}

/**
 * Creates a new secret of an endpoint. The previous one also signs for {@link WEBHOOK_ROTATION_HOURS}.
 * @returns the secret
 * @throws AppError NOT_FOUND
 */
export async function rotateSecret(tx: Tx, deps: Deps, id: string): Promise<string> {
  const row = await liveEndpoint(tx, id).forUpdate().executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_FOUND')
  const secret = webhookSecret(Buffer.from(deps.ids.secret(), 'base64url'))
  await tx
    .updateTable('webhook_endpoint')
    .set({
      secret: encrypt(deps.config, SECRET.purpose, secret, row.url),
      previous_secret: row.secret,
      previous_until: row.secret === null ? null : new Date(deps.clock.now().getTime() + WEBHOOK_ROTATION_HOURS * HOUR_MS),
    })
    .where('id', '=', row.id)
    .execute()
  return secret
}

/** Returns the secrets that sign now, the current one first. Empty if an address was changed past the application. */
export function secretsOf(
  { config }: Pick<Deps, 'config'>,
  row: { url: string; secret: Buffer | null; previous_secret: Buffer | null; previous_until: Date | null },
  now: Date,
): string[] {
  const open = (secret: Buffer | null) => (secret === null ? undefined : decrypt(config, SECRET.purpose, secret, row.url))
  const current = open(row.secret)
  if (current === undefined) return []
  const previous = row.previous_until !== null && row.previous_until > now ? open(row.previous_secret) : undefined
  return previous === undefined ? [current] : [current, previous]
}

/**
 * Switches an endpoint off, or ends it. One person may do so, because it only takes.
 * @throws AppError NOT_FOUND
 */
export async function stopEndpoint(tx: Tx, deps: Deps, { id, ends }: { id: string; ends: boolean }): Promise<void> {
  const stopped = await tx
    .updateTable('webhook_endpoint')
    .set({ state: ends ? 'ENDED' : 'OFF', off_reason: 'STAFF', changed_at: deps.clock.now() })
    .where('public_id', '=', id)
    .where('state', 'in', ends ? ['ON', 'OFF'] : ['ON'])
    .executeTakeFirst()
  if (stopped.numUpdatedRows === 0n) throw new AppError('NOT_FOUND')
}

const TEXTS = {
  FAILING: 'It has not accepted any webhook for five days, so no more are sent to it.',
  GONE: 'Its receiver answered 410 Gone, which means that it wants no more webhooks.',
  FORGED: 'Its address or secret was changed outside the application. Find out who did that.',
} as const

/** Switches an endpoint off without a person, writes the audit log, and mails the admins. */
export async function stopByPlatform(
  tx: Tx,
  deps: Deps,
  { id, publicId, name }: { id: bigint; publicId: string; name: string },
  reason: keyof typeof TEXTS,
): Promise<void> {
  const now = deps.clock.now()
  const ends = reason === 'GONE'
  const stopped = await tx
    .updateTable('webhook_endpoint')
    .set({ state: ends ? 'ENDED' : 'OFF', off_reason: reason satisfies OffReason, changed_at: now })
    .where('id', '=', id)
    .where('state', '=', 'ON')
    .executeTakeFirst()
  if (stopped.numUpdatedRows === 0n) return
  const admins = (await staffMembers(tx)).filter(({ role, is_active: isActive }) => role === 'ADMIN' && isActive)
  const next = ends
    ? 'To send webhooks again, propose a new endpoint in the console, on the page Webhooks.'
    : 'Events of the last 30 days are sent when two admins switch it on again in the console, on the page Webhooks.'
  const title = `webhooks to “${name}” are ${ends ? 'ended' : 'switched off'}`
  await enqueueMails(
    tx,
    deps,
    admins.map((admin) => ({
      to: admin.email,
      template: 'notice' as const,
      data: { name: admin.name, title, lines: [TEXTS[reason], next] },
    })),
  )
  await recordAudit(tx, {
    at: now,
    actorId: null,
    actorRole: 'SYSTEM',
    action: ends ? 'webhook.end' : 'webhook.off',
    subject: { type: 'webhook', id: publicId },
    outcome: 'ok',
    detail: { reason },
  })
}

/**
 * Switches all endpoints off and deletes their secrets, for a restored database: a backup may contain receivers and secrets that were ended
 * later. Two people switch an endpoint on again.
 */
export async function stopAllEndpoints(tx: Tx, now: Date): Promise<void> {
  await tx
    .updateTable('webhook_endpoint')
    .set({
      state: 'OFF',
      off_reason: 'RESTORED' satisfies OffReason,
      secret: null,
      previous_secret: null,
      previous_until: null,
      changed_at: now,
    })
    .where('state', '<>', 'ENDED')
    .execute()
}
