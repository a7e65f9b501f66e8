import { API_KEY_CALLS_PER_MINUTE, API_KEYS_MAX } from '@tizara/contract/api-keys'
import { type Selectable, sql } from 'kysely'
import { enqueueMail, mailLanguage } from '../../../gateways/mailer/index.ts'
import { isKeyRight, type KeyKind } from '../../../http/calls/key-rights.ts'
import { registerCall, scaled } from '../../../http/calls/rate-limit.ts'
import type { KeyCall, Viewer } from '../../../http/calls/session-guard.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { ApiKeyTable } from '../../../platform/db/tables.generated.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import { isInNetworks, networkList } from '../../../platform/runtime/networks.ts'
import { memberById } from '../../members/index.ts'
import { auditAuth } from '../audit-auth.ts'
import { type Holder, inSession } from '../sessions/in-session.ts'
import type { Origin } from '../sessions/sessions.ts'
import { assertOwner, type Proof } from '../factors/step-up.ts'

/** Prefix of every key, by which scanners find leaked keys. */
const PREFIX = 'tzk_'
/** The last use is stored at most once in this time, in ms. */
const LAST_USE_MS = 60_000
const LIMIT = { hits: API_KEY_CALLS_PER_MINUTE, windowMs: 60_000 }

export interface ApiKeyInput {
  name: string
  rights: readonly string[]
  networks: readonly string[]
  /** Days until the key expires. */
  days: number
}

/** Returns true for a text with the form of an API key. */
export const isApiKey = (token: string): boolean => token.startsWith(PREFIX)

interface KeyRow {
  id: bigint
  kind: KeyKind
  role: Viewer['role']
  rights: string[]
  networks: string[]
  lastUsedAt: Date | null
  memberId: bigint
  publicId: string
  email: string
  isVerified: boolean
  isSpecialRcm: boolean
}

/**
 * Returns the owner of a live API key for one call. Checks the network before the limit, so that a thief elsewhere cannot use it up.
 * @throws AppError UNAUTHENTICATED for an unknown, expired or ended key; API_KEY_RIGHT_MISSING, API_KEY_NETWORK_REFUSED, TOO_MANY_REQUESTS
 */
export async function readApiKey(db: Db, deps: Deps, token: string, now: Date, call: KeyCall | undefined): Promise<Viewer> {
  const { rows } = await sql<KeyRow>`
    select k.id, k.kind, m.role, k.rights, k.networks, k.last_used_at as "lastUsedAt", m.id as "memberId", m.public_id as "publicId", m.email,
      m.is_verified as "isVerified", m.is_special_rcm as "isSpecialRcm"
    from api_key k join member m on m.id = k.member_id
    where k.token_digest = ${digest(token)} and k.ended_at is null and k.expires_at > ${now} and m.is_active
      and (m.role = 'MEMBER') = (k.kind = 'member')`.execute(db)
  const [row] = rows
  if (row === undefined) throw new AppError('UNAUTHENTICATED')
  if (call === undefined || !row.rights.includes(call.name) || !isKeyRight(row.kind, call.name)) throw new AppError('API_KEY_RIGHT_MISSING')
  if (row.networks.length > 0 && !isInNetworks(row.networks, call.ip)) throw new AppError('API_KEY_NETWORK_REFUSED')
  await registerCall(db, `api-key:${row.id}`, scaled(deps, LIMIT), now)
  if (row.lastUsedAt === null || now.getTime() - row.lastUsedAt.getTime() >= LAST_USE_MS) await recordUse(db, row.id, call.ip, now)
  const { memberId, publicId, email, isVerified, isSpecialRcm, role } = row
  return { memberId, publicId, email, sessionId: 0n, isVerified, isActive: true, role, isStaff: role !== 'MEMBER', isSpecialRcm }
}

async function recordUse(db: Db, id: bigint, ip: string, now: Date): Promise<void> {
  await db
    .updateTable('api_key')
    .set({ last_used_at: now, last_used_ip: ip })
    .where('id', '=', id)
    .where((or) => or.or([or('last_used_at', 'is', null), or('last_used_at', '<=', new Date(now.getTime() - LAST_USE_MS))]))
    .execute()
}

/**
 * Checks the rights and networks of a new key.
 * @throws AppError INVALID_INPUT
 */
export function assertKeyInput(kind: KeyKind, { rights, networks }: ApiKeyInput): void {
  if (!rights.every((right) => isKeyRight(kind, right)))
    throw new AppError('INVALID_INPUT', {}, [{ path: 'rights', message: 'A key cannot have this right' }])
  if (networkList(networks) === undefined)
    throw new AppError('INVALID_INPUT', {}, [{ path: 'networks', message: 'Enter networks such as 192.0.2.0/24 or 2001:db8::/32' }])
}

/**
 * Creates a key for the member's own data, and mails the member. Requires a proof, because a key outlives the session.
 * @returns the key, which is not stored
 * @throws AppError INVALID_INPUT, API_KEYS_FULL, STAFF_HAVE_NO_WALLETS, and the errors of the proof
 */
export async function createApiKey(
  db: Db,
  deps: Deps,
  { proof, input, ...holder }: Holder & { proof: Proof; input: ApiKeyInput },
  origin: Origin,
): Promise<{ id: string; key: string }> {
  assertKeyInput('member', input)
  await assertOwner(db, deps, { ...holder, proof }, origin)
  return inSession(db, holder, async (tx, member) => {
    if (member.role !== 'MEMBER') throw new AppError('STAFF_HAVE_NO_WALLETS')
    const now = deps.clock.now()
    if ((await listApiKeys(tx, member.id, now)).length >= API_KEYS_MAX) throw new AppError('API_KEYS_FULL')
    const key = newKey(deps)
    const { id, expiresAt } = await insertKey(tx, deps, { ownerId: member.id, kind: 'member', token_digest: digest(key) }, input)
    const { t, time } = mailLanguage(deps.config, member.language)
    const lines = [
      t('On {at} the API key “{name}” was created. Software with this key can read data of your account until {until}.', {
        at: time(now),
        name: input.name,
        until: time(expiresAt),
      }),
      t('If that was not you, end the key in your profile, and change your password at once.'),
    ]
    await enqueueMail(tx, deps, {
      to: member.email,
      language: member.language,
      template: 'notice',
      data: { name: member.name, title: t('a new API key'), lines },
    })
    const detail = { id, name: input.name, rights: input.rights, networks: input.networks, expiresAt: expiresAt.toISOString() }
    await auditAuth(tx, deps, { action: 'api-key-created', member, origin, detail })
    return { id, key }
  })
}

/** Creates the secret of a key. */
export const newKey = ({ ids }: Pick<Deps, 'ids'>): string => `${PREFIX}${ids.secret()}`

/** Stores a key whose input was checked. */
export async function insertKey(
  tx: Tx,
  deps: Deps,
  { ownerId, ...of }: { ownerId: bigint; kind: KeyKind; token_digest: string | null },
  { name, rights, networks, days }: ApiKeyInput,
): Promise<{ id: string; expiresAt: Date }> {
  const now = deps.clock.now()
  const id = deps.ids.publicId()
  const expiresAt = new Date(now.getTime() + days * DAY_MS)
  await tx
    .insertInto('api_key')
    .values({
      ...of,
      public_id: id,
      member_id: ownerId,
      name,
      rights: [...new Set(rights)],
      networks: [...new Set(networks)],
      created_at: now,
      expires_at: expiresAt,
    })
    .execute()
  return { id, expiresAt }
}

/** Returns a key without its secret. */
export const shownKey = (row: Selectable<ApiKeyTable>) => ({
  id: row.public_id,
  name: row.name,
  rights: row.rights,
  networks: row.networks,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  lastUsedIp: row.last_used_ip,
})

/** Lists a member's live keys, newest first. */
export async function listApiKeys(db: Db, memberId: bigint, now: Date) {
  const rows = await db
    .selectFrom('api_key')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('kind', '=', 'member')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(shownKey)
}

/**
 * Ends a key of the member.
 * @throws AppError NOT_FOUND, also for an ended key and another member's key
 */
export async function endApiKey(tx: Tx, deps: Deps, { memberId, id }: { memberId: bigint; id: string }, origin: Origin): Promise<void> {
  const ended = await tx
    .updateTable('api_key')
    .set({ ended_at: deps.clock.now(), end_reason: 'ended-by-owner' })
    .where('public_id', '=', id)
    .where('member_id', '=', memberId)
    .where('kind', '=', 'member')
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (ended.numUpdatedRows === 0n) throw new AppError('NOT_FOUND')
  await auditAuth(tx, deps, { action: 'api-key-ended', member: await memberById(tx, memberId), origin, detail: { id } })
}
