import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { markPasswordsUnproved, lockMember, markPasswordProved, markVerified, type Member, memberById } from '../../members/index.ts'
import { cancelRecoveryByProof } from '../account/account-recovery.ts'
import { auditAuth } from '../audit-auth.ts'
import { hasProvedBoth, mailVerification, tryCode, voidVerification } from '../codes.ts'
import { useLink } from '../links.ts'
import { deleteAttempts, useAttempt } from './registration-attempt.ts'
import {
  revokeSessionsAwaitingCode,
  revokeUnprovedSessions,
  openSession,
  ownerOfRefreshToken,
  type OpenedSession,
  type Origin,
} from '../sessions/sessions.ts'

/**
 * Verifies the address by the mailed code (API-27), or completes a sign-in that waits for a code. A new session replaces the session of the
 * call.
 * @throws AppError OTP_REFUSED
 */
export async function verifyByCode(db: Db, deps: Deps, input: { memberId: bigint; code: string }, origin: Origin): Promise<OpenedSession> {
  let codeId: bigint
  try {
    codeId = await tryCode(db, deps, input.memberId, input.code)
  } catch (error) {
    if (error instanceof AppError) await recordRejection(db, deps, input.memberId, origin, error.code)
    throw error
  }
  return inTransaction(db, async (tx) => {
    const member = await lockMember(tx, input.memberId)
    const used = await tx
      .updateTable('mail_code')
      .set({ used_at: deps.clock.now() })
      .where('id', '=', codeId)
      .where('used_at', 'is', null)
      .executeTakeFirst()
    if (used.numUpdatedRows === 0n) throw new AppError('OTP_REFUSED')
    return finish(tx, deps, member, origin, { action: 'verify-code', knowsPassword: true })
  })
}

/**
 * Verifies the address by a mailed link's token (API-26, ST-74). In the browser that registered, it also proves the password.
 * Elsewhere a different person may open the link, so the password works only together with a mailed code.
 * @throws AppError LINK_EXPIRED for an unknown, used or expired token, ACCOUNT_BLOCKED
 */
export async function verifyByLink(
  db: Db,
  deps: Deps,
  link: { token: string | undefined; refresh: string | undefined },
  origin: Origin,
): Promise<OpenedSession> {
  const { token, refresh } = link
  if (token === undefined) throw new AppError('LINK_EXPIRED')
  return inTransaction(db, async (tx) => {
    const now = deps.clock.now()
    const member = await useLink(tx, 'verify', token, now)
    if (member === undefined) {
      const added = await useAttempt(tx, deps, token)
      if (added === undefined) throw new AppError('LINK_EXPIRED')
      return finish(tx, deps, added, origin, { action: 'verify-link', knowsPassword: false })
    }
    if (!member.is_active) throw new AppError('ACCOUNT_BLOCKED')
    const knowsPassword = refresh !== undefined && (await ownerOfRefreshToken(tx, refresh, now)) === member.id
    return finish(tx, deps, member, origin, { action: 'verify-link', knowsPassword })
  })
}

/**
 * Mails a new code to a member whose session waits for one, with a link if address or password are not proved (API-28). Does nothing for
 * other sessions.
 * @throws AppError TOO_MANY_REQUESTS
 */
export async function resendCode(tx: Tx, deps: Deps, viewer: { memberId: bigint; isVerified: boolean }, origin: Origin): Promise<void> {
  if (viewer.isVerified) return
  const member = await lockMember(tx, viewer.memberId)
  await mailVerification(tx, deps, member, 'resend')
  await auditAuth(tx, deps, { action: 'resend-code', member, origin })
}

/**
 * Opens the session of a proved address. Ends all earlier sessions without this proof, because another person may have opened them. If
 * address and password were proved before, only sessions that wait for a code end.
 */
async function finish(
  tx: Tx,
  deps: Deps,
  member: Member,
  origin: Origin,
  how: { action: string; knowsPassword: boolean },
): Promise<OpenedSession> {
  const now = deps.clock.now()
  await cancelRecoveryByProof(tx, deps, member, origin, 'mailbox')
  await voidVerification(tx, [member.id], now)
  await markVerified(tx, member.id, now)
  await deleteAttempts(tx, member.email)
  if (how.knowsPassword) await markPasswordProved(tx, member.id, now)
  // Another person may have set the password of an imported account before its address was proved.
  else if (!member.is_verified) await markPasswordsUnproved(tx, [member.id], now)
  await (hasProvedBoth(member) ? revokeSessionsAwaitingCode : revokeUnprovedSessions)(tx, member.id, now)
  const session = await openSession(tx, deps, member, origin, { address: true })
  await auditAuth(tx, deps, { action: how.action, member, origin })
  return session
}

async function recordRejection(db: Db, deps: Deps, memberId: bigint, origin: Origin, outcome: string): Promise<void> {
  const member = await memberById(db, memberId)
  await inTransaction(db, (tx) => auditAuth(tx, deps, { action: 'verify-code', member, origin, outcome }))
}
