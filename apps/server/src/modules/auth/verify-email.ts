import { AppError } from '../../platform/app-error.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { lockMember, markVerified, type Member, memberById } from '../members/index.ts'
import { auditAuth } from './audit-auth.ts'
import { mailVerification, tryCode, voidVerification } from './codes.ts'
import { useLink } from './links.ts'
import { endSessionsOf, openSession, type OpenedSession, type Origin } from './sessions.ts'

/**
 * Verifies the address by the mailed code (API-27). The session that typed it ends and a new one begins.
 * @throws AppError OTP_REFUSED
 */
export async function verifyByCode(db: Db, deps: Deps, input: { memberId: bigint; code: string }, origin: Origin): Promise<OpenedSession> {
  let codeId: bigint
  try {
    codeId = await tryCode(db, deps, input.memberId, input.code)
  } catch (error) {
    if (error instanceof AppError) await noteRefusal(db, deps, input.memberId, origin, error.code)
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
    return finish(tx, deps, member, origin, 'verify-code')
  })
}

/**
 * Verifies the address by the token of the mailed link (API-26, ST-74).
 * @param token the link's token, if the call carried one
 * @throws AppError LINK_EXPIRED for an unknown, used or old token, ACCOUNT_BLOCKED
 */
export async function verifyByLink(db: Db, deps: Deps, token: string | undefined, origin: Origin): Promise<OpenedSession> {
  if (token === undefined) throw new AppError('LINK_EXPIRED')
  return inTransaction(db, async (tx) => {
    const now = deps.clock.now()
    const member = await useLink(tx, 'verify', token, now)
    if (member === undefined) throw new AppError('LINK_EXPIRED')
    if (!member.is_active) throw new AppError('ACCOUNT_BLOCKED')
    return finish(tx, deps, member, origin, 'verify-link')
  })
}

/**
 * Mails a new code and link to a member who is not verified yet (API-28); a verified one needs none.
 * @throws AppError TOO_MANY_REQUESTS
 */
export async function resendCode(tx: Tx, deps: Deps, memberId: bigint, origin: Origin): Promise<void> {
  const member = await lockMember(tx, memberId)
  if (member.is_verified) return
  await mailVerification(tx, deps, member, 'resend')
  await auditAuth(tx, deps, { action: 'resend-code', member, origin })
}

/** Sessions that were opened before the proof may be somebody else's: they end. */
async function finish(tx: Tx, deps: Deps, member: Member, origin: Origin, action: string): Promise<OpenedSession> {
  const now = deps.clock.now()
  await voidVerification(tx, member.id, now)
  await markVerified(tx, member.id, now)
  await endSessionsOf(tx, member.id, 'verified', now)
  const session = await openSession(tx, deps, member, origin)
  await auditAuth(tx, deps, { action, member, origin })
  return session
}

async function noteRefusal(db: Db, deps: Deps, memberId: bigint, origin: Origin, outcome: string): Promise<void> {
  const member = await memberById(db, memberId)
  await inTransaction(db, (tx) => auditAuth(tx, deps, { action: 'verify-code', member, origin, outcome }))
}
