import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '../../../platform/runtime/clock.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { lockMember, type Member } from '../../members/index.ts'
import { writeAccessToken } from './access-token.ts'
import { sessionNetwork } from './session-network.ts'
import { deviceName, MAX_SESSIONS, SESSION_MS } from '../auth.rules.ts'
import { recordDevice } from './known-devices.ts'

/** Client data at sign-in. */
export interface Origin {
  ip: string
  userAgent: string
  timeZone?: string | undefined
  requestId: string
  /** Tokens of the device cookie. */
  deviceTokens?: readonly string[] | undefined
}

/** Picks the client data from a call. */
export const originOf = ({ ip, userAgent, timeZone, requestId }: Origin): Origin => ({ ip, userAgent, timeZone, requestId })

/** New session. The owner receives its tokens once. */
export interface OpenedSession {
  sessionId: bigint
  accessToken: string
  /** Refresh token for the cookie. The database stores only its digest. */
  refreshToken: string
  /** Device type as a readable name. */
  device: string
  /** True if the sign-in added this device to the account. */
  isNewDevice: boolean
  /** Token of a new device for the cookie. The database stores only its digest. */
  deviceToken: string | undefined
}

/**
 * Opens a session and ends the oldest above {@link MAX_SESSIONS}.
 * @param proved proofs in addition to the password: a second factor, or the address by a mailed code or link. A session that awaits a
 * code does not make its device known.
 */
export async function openSession(
  tx: Tx,
  deps: Deps,
  member: Pick<Member, 'id' | 'public_id' | 'role'>,
  origin: Origin,
  proved: { secondFactor?: boolean; address?: boolean; awaitsCode?: boolean } = {},
): Promise<OpenedSession> {
  const now = deps.clock.now()
  const staff = member.role !== 'MEMBER'
  const device = deviceName(origin.userAgent)
  await lockMember(tx, member.id)
  const { address = false, awaitsCode = false } = proved
  const tokens = origin.deviceTokens ?? []
  const known = awaitsCode ? undefined : await recordDevice(tx, deps, { memberId: member.id, tokens, provedAddress: address })
  const { id } = await tx
    .insertInto('session')
    .values({
      public_id: deps.ids.publicId(),
      member_id: member.id,
      created_at: now,
      last_seen_at: now,
      idle_seconds: staff ? deps.config.staffIdleMinutes * 60 : (deps.config.sessionIdleDays * DAY_MS) / 1000,
      expires_at: new Date(now.getTime() + (staff ? deps.config.staffSessionHours * HOUR_MS : SESSION_MS)),
      ip: origin.ip,
      network: sessionNetwork(deps.config, origin.ip),
      user_agent: origin.userAgent,
      device,
      device_id: known?.id ?? null,
      time_zone: origin.timeZone ?? null,
      second_factor_at: proved.secondFactor === true ? now : null,
      address_proved: address,
      awaits_code: awaitsCode,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await endOldest(tx, member.id, awaitsCode, now)
  return {
    sessionId: id,
    accessToken: writeAccessToken(deps.config, { id, memberPublicId: member.public_id }, now),
    refreshToken: await addRefreshToken(tx, deps, id),
    device,
    isNewDevice: known?.isNew ?? false,
    deviceToken: known?.token,
  }
}

/**
 * Adds the next refresh token of a session.
 * @returns the token for the cookie
 */
export async function addRefreshToken(tx: Tx, deps: Deps, sessionId: bigint): Promise<string> {
  const token = deps.ids.secret()
  await tx
    .insertInto('refresh_token')
    .values({ session_id: sessionId, token_digest: digest(token), created_at: deps.clock.now() })
    .execute()
  return token
}

export type EndReason =
  | 'log-out'
  | 'email'
  | 'ended-by-member'
  | 'ended-by-staff'
  | 'blocked'
  | 'too-many'
  | 'reuse'
  | 'verified'
  | 'released'
  | 'password'
  | 'second-factor'
  | 'role'
  | 'stopped'
  | 'suspended'
  | 'restored'
  | 'closing'

/**
 * Ends the live sessions and API keys of one or more members. The server then rejects their access and refresh tokens, and the keys.
 * @returns the number of ended sessions
 */
export async function revokeSessionsOf(
  tx: Tx,
  members: bigint | readonly bigint[],
  reason: EndReason,
  now: Date,
  keptSession?: bigint,
): Promise<number> {
  const owner = sql<bigint>`any(${[members].flat()})`
  await tx
    .updateTable('api_key')
    .set({ ended_at: now, end_reason: reason })
    .where('member_id', '=', owner)
    .where('ended_at', 'is', null)
    .execute()
  let update = tx
    .updateTable('session')
    .set({ ended_at: now, end_reason: reason })
    .where('member_id', '=', owner)
    .where('ended_at', 'is', null)
  if (keptSession !== undefined) update = update.where('id', '!=', keptSession)
  return Number((await update.executeTakeFirst()).numUpdatedRows)
}

/** Ends the sessions that were opened by the password alone, before the email address was verified. */
export async function revokeUnprovedSessions(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await tx
    .updateTable('session')
    .set({ ended_at: now, end_reason: 'verified' })
    .where('member_id', '=', memberId)
    .where('address_proved', '=', false)
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends a member's sessions that await a mailed code. */
export async function revokeSessionsAwaitingCode(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await tx
    .updateTable('session')
    .set({ ended_at: now, end_reason: 'verified' })
    .where('member_id', '=', memberId)
    .where('awaits_code', '=', true)
    .where('ended_at', 'is', null)
    .execute()
}

/** Returns the owner of the live session behind a refresh token. */
export async function ownerOfRefreshToken(tx: Tx, token: string, now: Date): Promise<bigint | undefined> {
  const held = await tx
    .selectFrom('refresh_token')
    .innerJoin('session', 'session.id', 'refresh_token.session_id')
    .select('session.member_id')
    .where('refresh_token.token_digest', '=', digest(token))
    .where('session.ended_at', 'is', null)
    .where('session.expires_at', '>', now)
    .executeTakeFirst()
  return held?.member_id
}

/**
 * Ends one session.
 * @returns true if it was live
 */
export async function revokeSession(tx: Tx, sessionId: bigint, reason: EndReason, now: Date): Promise<boolean> {
  const endedRows = await tx
    .updateTable('session')
    .set({ ended_at: now, end_reason: reason })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return endedRows.numUpdatedRows > 0n
}

/**
 * Ends the oldest sessions above the maximum. Sessions that wait for a code are counted separately, so that a caller with only the password
 * cannot end other sessions.
 */
async function endOldest(tx: Tx, memberId: bigint, awaitsCode: boolean, now: Date): Promise<void> {
  const surplus = await tx
    .selectFrom('session')
    .select('id')
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .where('awaits_code', '=', awaitsCode)
    .orderBy('id', 'desc')
    .offset(MAX_SESSIONS)
    .execute()
  for (const { id } of surplus) await revokeSession(tx, id, 'too-many', now)
}
