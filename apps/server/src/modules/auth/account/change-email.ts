import type { ReplyOf } from '@tizara/contract'
import type { pendingEmail } from '@tizara/contract/contact-details'
import { sql } from 'kysely'
import { rateLimitError } from '../../../http/calls/rate-limit.ts'
import { enqueueMail } from '../../../gateways/mailer/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction, sqlState, type Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import { hasOwner, lockMember, unreachableAddress } from '../../members/index.ts'
import { recordEvent } from '../../notices/index.ts'
import { deleteRecovery, proveRecoveryAddress } from './account-recovery.ts'
import { assertEmailDomain } from '../registration/allowed-domain.ts'
import { auditAuth } from '../audit-auth.ts'
import { REGISTRATIONS_PER_DAY, CODES_WINDOW_MS, EMAIL_CHANGES_PER_DAY, EMAIL_CHANGE_CANCEL_MS, endsAt } from '../auth.rules.ts'
import { notifyContactChange } from './contact-details.ts'
import { startPayoutFreeze } from '../passwords/payout-freeze.ts'
import { type Holder, inSession } from '../sessions/in-session.ts'
import { deleteDevices } from '../sessions/known-devices.ts'
import { revokeSessionsOf, type Origin } from '../sessions/sessions.ts'
import { assertOwner, type Proof } from '../factors/step-up.ts'
import { takeAddress } from '../registration/take-address.ts'

/**
 * Stops all payouts of a member whom the transaction locks, and revokes what was confirmed or approved before. Withdrawals are a later
 * module, so `main` passes the function in.
 */
export type StopPayouts = (tx: Tx, memberId: bigint, now: Date) => Promise<void>

/**
 * Requests a new address after a proof: mails a link to the new address, mails a link that stops the change to the present address, and
 * freezes payouts. If the new address belongs to another account, or was sent many links within 24 hours, it gets no link. Everything else
 * is the same, so that the response does not reveal whether an account exists (docs/decisions/0045-contact-changes.md).
 * @param input `email` in lower case
 * @throws AppError EMAIL_UNCHANGED, EMAIL_DOMAIN_REFUSED, TOO_MANY_REQUESTS, and the errors of the proof
 */
export async function requestEmailChange(
  db: Db,
  deps: Deps,
  { email, proof, ...holder }: Holder & { email: string; proof: Proof },
  origin: Origin,
): Promise<void> {
  await assertEmailDomain(db, deps, email)
  await assertOwner(db, deps, { ...holder, proof }, origin)
  await inSession(db, holder, async (tx, member) => {
    if (member.email === email) throw new AppError('EMAIL_UNCHANGED')
    const now = deps.clock.now()
    await assertFewRequests(tx, member.id, now)
    await stopPending(tx, member.id, now)
    const isFree = !(await hasOwner(tx, email)) && !(await isMailedOften(tx, email, now))
    const [token, stopToken] = [deps.ids.secret(), deps.ids.secret()]
    const expires = endsAt.verifyLink(deps.config, now)
    await tx
      .insertInto('email_change')
      .values({
        member_id: member.id,
        email,
        previous_email: member.email,
        confirm_digest: isFree ? digest(token) : null,
        stop_digest: digest(stopToken),
        created_at: now,
        expires_at: expires,
        stoppable_until: new Date(now.getTime() + EMAIL_CHANGE_CANCEL_MS),
      })
      .execute()
    const { name, language } = member
    if (isFree) {
      const data = { name, token, until: expires }
      await enqueueMail(tx, deps, { to: email, language, template: 'newEmail', data, notAfter: expires, replaceKey: `email:${member.id}` })
    }
    await enqueueMail(tx, deps, { to: member.email, language, template: 'emailChange', data: { name, token: stopToken, at: now } })
    await startPayoutFreeze(tx, member.id, 'contact', now)
    await recordEvent(tx, deps, member.id, { event: 'contact', facts: { what: 'email-requested' } })
    await auditAuth(tx, deps, { action: 'request-email', member, origin })
  })
}

async function assertFewRequests(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  const recent = await tx
    .selectFrom('email_change')
    .select('created_at')
    .where('member_id', '=', memberId)
    .where('created_at', '>', new Date(now.getTime() - CODES_WINDOW_MS))
    .orderBy('id', 'desc')
    .limit(EMAIL_CHANGES_PER_DAY)
    .execute()
  const oldest = recent[EMAIL_CHANGES_PER_DAY - 1]
  if (oldest !== undefined) throw rateLimitError(new Date(oldest.created_at.getTime() + CODES_WINDOW_MS), now)
}

/**
 * Returns true if an address was sent the maximum number of links within 24 hours. Without this limit, several accounts together could
 * flood the mailbox of a stranger.
 */
async function isMailedOften(tx: Tx, email: string, now: Date): Promise<boolean> {
  const recent = await tx
    .selectFrom('email_change')
    .select('id')
    .where('email', '=', email)
    .where('confirm_digest', 'is not', null)
    .where('created_at', '>', new Date(now.getTime() - CODES_WINDOW_MS))
    .limit(REGISTRATIONS_PER_DAY)
    .execute()
  return recent.length >= REGISTRATIONS_PER_DAY
}

async function stopPending(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await tx
    .updateTable('email_change')
    .set({ stopped_at: now })
    .where('member_id', '=', memberId)
    .where('confirmed_at', 'is', null)
    .where('stopped_at', 'is', null)
    .execute()
}

/** Returns the member's address that awaits its confirmation. */
export async function readPendingEmail(db: Db, memberId: bigint, now: Date): Promise<ReplyOf<typeof pendingEmail>> {
  const pending = await db
    .selectFrom('email_change')
    .select(['email', 'expires_at as until'])
    .where('member_id', '=', memberId)
    .where('confirmed_at', 'is', null)
    .where('stopped_at', 'is', null)
    .where('expires_at', '>', now)
    // A recovery by staff is not a request of this member.
    .where('id', 'not in', (query) =>
      query.selectFrom('account_recovery').select('email_change_id').where('email_change_id', 'is not', null),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { pending: pending ?? null }
}

/**
 * Sets the new address, by the token of the link mailed to this address. All sessions end. Links mailed to the earlier address become
 * invalid, except the link that stops the change. In an account recovery, the link only proves the new mailbox.
 * @returns when the address takes effect, if an account recovery waits until then; otherwise null
 * @throws AppError EMAIL_LINK_INVALID for an unknown, used, stopped or expired link, and if another account has the address by now
 */
export function confirmEmailChange(db: Db, deps: Deps, token: string | undefined, origin: Origin): Promise<Date | null> {
  return withAddress(db, async (tx) => {
    const now = deps.clock.now()
    const links = tx
      .selectFrom('email_change')
      .selectAll()
      .where('confirm_digest', '=', digest(token ?? ''))
    const found = await links.executeTakeFirst()
    if (found === undefined) throw new AppError('EMAIL_LINK_INVALID')
    const member = await lockMember(tx, found.member_id)
    const takesEffectAt = await proveRecoveryAddress(tx, found.id, now)
    if (takesEffectAt !== undefined) {
      await auditAuth(tx, deps, { action: 'prove-recovery-address', member, origin })
      return takesEffectAt
    }
    const used = await tx
      .updateTable('email_change')
      .set({ confirmed_at: now })
      .where('id', '=', found.id)
      .where('confirmed_at', 'is', null)
      .where('stopped_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    if (used.numUpdatedRows === 0n || !member.is_active) throw new AppError('EMAIL_LINK_INVALID')
    await takeAddress(tx, deps, member, found.email)
    await startPayoutFreeze(tx, member.id, 'contact', now)
    await revokeSessionsOf(tx, member.id, 'email', now)
    await notifyContactChange(tx, deps, member, 'email')
    await auditAuth(tx, deps, { action: 'change-email', member, origin })
    return null
  })
}

/**
 * Stops a change by the link mailed to the earlier address, which is valid for seven days, or an account recovery. If the change is already
 * confirmed, the earlier address is restored. If another account has it by now, the account has no address until two people of the staff
 * recover it: a password reset must not be mailed to the thief. All sessions end, all devices count as new, and payouts stop until a password reset by mail,
 * because someone stole the proof for the change. What the thief confirmed is revoked.
 * @throws AppError EMAIL_LINK_INVALID
 */
export function stopEmailChange(db: Db, deps: Deps, token: string | undefined, origin: Origin, stopPayouts: StopPayouts): Promise<void> {
  return withAddress(db, async (tx) => {
    const now = deps.clock.now()
    const links = tx
      .selectFrom('email_change')
      .selectAll()
      .where('stop_digest', '=', digest(token ?? ''))
    const found = await links.executeTakeFirst()
    if (found === undefined) throw new AppError('EMAIL_LINK_INVALID')
    const member = await lockMember(tx, found.member_id)
    // Accepts the link even if a newer request has stopped this change, because the newer request may come from the thief.
    const used = await tx
      .updateTable('email_change')
      .set({ stopped_at: now, stop_digest: `used ${found.id}` })
      .where('id', '=', found.id)
      .where('stop_digest', '=', found.stop_digest)
      .where('stoppable_until', '>', now)
      // The change may have been completed while this call waited for the lock.
      .returning('confirmed_at')
      .executeTakeFirst()
    if (used === undefined) throw new AppError('EMAIL_LINK_INVALID')
    await voidLaterChanges(tx, found, now)
    if (used.confirmed_at !== null && member.email !== found.previous_email)
      await takeAddress(tx, deps, member, await addressAfterStop(tx, found))
    await deleteRecovery(tx, member.id)
    await revokeSessionsOf(tx, member.id, 'stopped', now)
    await deleteDevices(tx, member.id)
    await notifyContactChange(tx, deps, { ...member, email: found.previous_email }, 'email-stopped')
    await stopPayouts(tx, member.id, now)
    await auditAuth(tx, deps, { action: 'stop-email', member, origin })
  })
}

/** Returns the earlier address, or one that nobody can read if another account has it by now. */
async function addressAfterStop(
  tx: Tx,
  { member_id: id, previous_email: email }: { member_id: bigint; previous_email: string },
): Promise<string> {
  return (await hasOwner(tx, email)) ? unreachableAddress({ id, email }) : email
}

/**
 * Stops all later changes and makes their stop links invalid. The thief received these links and could restore the thief's address with
 * them.
 */
async function voidLaterChanges(tx: Tx, { id, member_id }: { id: bigint; member_id: bigint }, now: Date): Promise<void> {
  await tx
    .updateTable('email_change')
    .set({ stopped_at: sql`coalesce(stopped_at, ${now})`, stop_digest: sql`'used ' || id` })
    .where('member_id', '=', member_id)
    .where('id', '>', id)
    .execute()
}

/** Runs a change of address. If a registration takes the address at the same time, the registration succeeds and the change fails. */
async function withAddress<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await inTransaction(db, work)
  } catch (error) {
    throw sqlState(error) === '23505' ? new AppError('EMAIL_LINK_INVALID') : error
  }
}
