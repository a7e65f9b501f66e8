import { enqueueMail } from '../../../gateways/mailer/index.ts'
import { callerNetwork } from '../../../http/server/caller-network.ts'
import type { Lease } from '../../../jobs/lease.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import { isUnfinished, lockMember, memberByEmail, memberById, setPasswordHash, setPayoutStop } from '../../members/index.ts'
import { recordEvent } from '../../notices/index.ts'
import { cancelRecoveryByProof } from '../account/account-recovery.ts'
import { auditAuth } from '../audit-auth.ts'
import { endsAt, RESET_WINDOW_MS, RESETS_PER_HOUR } from '../auth.rules.ts'
import { ownerOfLink, useLink } from '../links.ts'
import { startPayoutFreeze } from './payout-freeze.ts'
import { hashPassword } from './password-hash.ts'
import { assertPassword } from './password.rules.ts'
import { revokeSessionsOf, type Origin } from '../sessions/sessions.ts'
import { clearAccountAttempts } from '../sign-in-limit.ts'

/**
 * Stores a request for a reset link (API-30, API-31). A job looks up the address later, so that the call takes as long for unknown
 * addresses.
 */
export async function requestReset(tx: Tx, deps: Pick<Deps, 'clock'>, email: string, origin: Origin): Promise<void> {
  await tx
    .insertInto('reset_request')
    .values({ email, ip: origin.ip, request_id: origin.requestId, created_at: deps.clock.now() })
    .execute()
}

/**
 * Mails requested reset links, within the limit of `mailResetLink`. Earlier links stay valid, because anyone can request a link for a known
 * address. The first use makes all others invalid.
 * @returns the number of handled requests
 */
export function answerResetRequests(lease: Lease, deps: Deps): Promise<number> {
  return lease.untilDone(async (tx) => {
    const answered = await answerOne(tx, deps)
    return { done: answered ? 1 : 0, more: answered }
  })
}

async function answerOne(tx: Tx, deps: Deps): Promise<boolean> {
  const now = deps.clock.now()
  const request = await tx
    .selectFrom('reset_request')
    .selectAll()
    .where('handled_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (request === undefined) return false
  await tx.updateTable('reset_request').set({ handled_at: now }).where('id', '=', request.id).execute()
  const known = await memberByEmail(tx, request.email)
  const origin = { ip: request.ip, userAgent: '', requestId: request.request_id }
  // Skips unfinished registrations, because a member completes a registration by the registration's own mail, or registers again.
  const mailed = known !== undefined && !isUnfinished(known) && (await mailResetLink(tx, deps, known.id))
  await auditAuth(tx, deps, { action: 'forgot-password', member: known, origin, detail: { mailed } })
  return true
}

/**
 * Mails a reset link, also when staff request it for a member (ASVS 6.4.6). Above three links an hour, a further link is mailed only if
 * half of the newest link's lifetime is over. A stranger who requests links therefore can neither flood the mailbox nor leave the member
 * without a valid link.
 * @returns false if no link was mailed
 */
export async function mailResetLink(tx: Tx, deps: Deps, memberId: bigint): Promise<boolean> {
  const now = deps.clock.now()
  const member = await lockMember(tx, memberId)
  const recent = await tx
    .selectFrom('mail_link')
    .select(['created_at', 'expires_at'])
    .where('member_id', '=', memberId)
    .where('purpose', '=', 'reset')
    .where('created_at', '>', new Date(now.getTime() - RESET_WINDOW_MS))
    .orderBy('id', 'desc')
    .limit(RESETS_PER_HOUR)
    .execute()
  const [newest] = recent
  if (newest !== undefined && recent.length === RESETS_PER_HOUR && !isHalfOver(newest, now)) return false
  const token = deps.ids.secret()
  const expires = endsAt.resetLink(deps.config, now)
  await tx
    .insertInto('mail_link')
    .values({ member_id: memberId, purpose: 'reset', token_digest: digest(token), created_at: now, expires_at: expires })
    .execute()
  await enqueueMail(tx, deps, {
    to: member.email,
    language: member.language,
    template: 'reset',
    data: { name: member.name, token },
    notAfter: expires,
    replaceKey: `reset:${memberId}`,
  })
  return true
}

/** Returns true if a link has lived half its time. */
const isHalfOver = (link: { created_at: Date; expires_at: Date }, now: Date): boolean =>
  now.getTime() >= (link.created_at.getTime() + link.expires_at.getTime()) / 2

/**
 * Sets a new password by a mailed link's token and ends all sessions of the account (API-32, ASVS 7.4.3).
 * @param db the pool: hashing runs outside the transaction
 * @throws AppError RESET_LINK_EXPIRED, PASSWORD_TOO_COMMON
 */
export async function resetPassword(
  db: Db,
  deps: Deps,
  input: { token: string | undefined; newPassword: string },
  origin: Origin,
): Promise<void> {
  const { token } = input
  const owner = token === undefined ? undefined : await ownerOfLink(db, 'reset', token, deps.clock.now())
  const before = owner === undefined ? undefined : await memberById(db, owner)
  if (token === undefined || before === undefined) throw new AppError('RESET_LINK_EXPIRED')
  assertPassword(input.newPassword, deps.config, before)
  const passwordHash = await hashPassword(input.newPassword, callerNetwork(origin.ip))
  await inTransaction(db, async (tx) => {
    const now = deps.clock.now()
    const member = await useLink(tx, 'reset', token, now)
    if (member === undefined) throw new AppError('RESET_LINK_EXPIRED')
    await cancelRecoveryByProof(tx, deps, member, origin, 'mailbox')
    await setPasswordHash(tx, { id: member.id, passwordHash, at: now, byReset: true })
    await startPayoutFreeze(tx, member.id, 'password', now)
    // Resumes stopped payouts: the reset has signed out every other person.
    await setPayoutStop(tx, member.id, null)
    await voidResetLinks(tx, member.id, now)
    await revokeSessionsOf(tx, member.id, 'password', now)
    await clearAccountAttempts(tx, member.email)
    await enqueueMail(tx, deps, {
      to: member.email,
      language: member.language,
      template: 'passwordChanged',
      data: { name: member.name, at: now, how: 'reset' },
    })
    await recordEvent(tx, deps, member.id, { event: 'password', facts: { how: 'reset' } })
    await auditAuth(tx, deps, { action: 'reset-password', member, origin })
  })
}

/** Invalidates a member's valid reset links. */
export async function voidResetLinks(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await tx
    .updateTable('mail_link')
    .set({ used_at: now })
    .where('member_id', '=', memberId)
    .where('purpose', '=', 'reset')
    .where('used_at', 'is', null)
    .execute()
}
