import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { OTP_LENGTH, OTP_RESEND_SECONDS } from '@tizara/contract'
import { rateLimitError } from '../../http/calls/rate-limit.ts'
import { enqueueMail } from '../../gateways/mailer/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { digest } from '../../platform/runtime/ids.ts'
import { deriveKey, keysOf } from '../../platform/crypto/encrypt.ts'
import type { Member } from '../members/index.ts'
import { CODE_ATTEMPTS, CODES_WINDOW_MS, CODES_PER_DAY, endsAt } from './auth.rules.ts'

/** Hashes a code with a key. Anyone reading the table could brute-force a plain digest, as it has six digits. */
function codeHash(key: string, memberId: bigint, code: string): string {
  return createHmac('sha256', deriveKey(key, 'mail code')).update(`${memberId}:${code}`).digest('hex')
}

type Addressee = Pick<Member, 'id' | 'email' | 'language' | 'is_verified' | 'password_proved'>

/** Returns true if the member proved address and password. A code then only completes a sign-in. */
export const hasProvedBoth = (member: Pick<Member, 'is_verified' | 'password_proved'>): boolean =>
  member.is_verified && member.password_proved

/**
 * Mails a new code and a new link, and makes earlier ones invalid (GN-09, GN-10). A sign-in gets a code without a link.
 * @param tx a transaction that holds the member's lock
 * @throws AppError TOO_MANY_REQUESTS within 90 seconds of the last resend (CO-35) and above ten codes a day
 */
export async function mailVerification(tx: Tx, deps: Deps, member: Addressee, cause: 'register' | 'resend'): Promise<void> {
  const now = deps.clock.now()
  const allowedFrom = cause === 'resend' ? await resendAllowedFrom(tx, member.id, now) : now
  if (allowedFrom > now) throw rateLimitError(allowedFrom, now)
  await voidVerification(tx, [member.id], now)
  const code = deps.ids.digits(OTP_LENGTH)
  await tx
    .insertInto('mail_code')
    .values({
      member_id: member.id,
      cause,
      code_hash: codeHash(deps.config.dataKey, member.id, code),
      created_at: now,
      expires_at: endsAt.code(deps.config, now),
    })
    .execute()
  const mail = {
    to: member.email,
    language: member.language,
    notAfter: endsAt.code(deps.config, now),
    replaceKey: `verification:${member.id}`,
  }
  if (hasProvedBoth(member)) {
    await enqueueMail(tx, deps, { ...mail, template: 'signInCode', data: { code } })
    return
  }
  const token = deps.ids.secret()
  await tx
    .insertInto('mail_link')
    .values({
      member_id: member.id,
      purpose: 'verify',
      token_digest: digest(token),
      created_at: now,
      expires_at: endsAt.verifyLink(deps.config, now),
    })
    .execute()
  await enqueueMail(tx, deps, { ...mail, template: 'verification', data: { code, token } })
}

/**
 * Mails the code that completes a sign-in. Within the limits of a resend it mails none, and an earlier code stays valid.
 * @param tx a transaction that holds the member's lock
 */
export async function mailSignInCode(tx: Tx, deps: Deps, member: Addressee): Promise<void> {
  if ((await resendAllowedFrom(tx, member.id, deps.clock.now())) <= deps.clock.now()) await mailVerification(tx, deps, member, 'resend')
}

async function resendAllowedFrom(tx: Tx, memberId: bigint, now: Date): Promise<Date> {
  const recent = await tx
    .selectFrom('mail_code')
    .select(['cause', 'created_at'])
    .where('member_id', '=', memberId)
    .where('created_at', '>', new Date(now.getTime() - CODES_WINDOW_MS))
    .orderBy('created_at', 'desc')
    .execute()
  const resent = recent.find((code) => code.cause === 'resend')
  const ends = [
    (resent?.created_at.getTime() ?? 0) + OTP_RESEND_SECONDS * 1000,
    (recent[CODES_PER_DAY - 1]?.created_at.getTime() ?? 0) + CODES_WINDOW_MS,
  ]
  return new Date(Math.max(...ends))
}

/** Invalidates the valid codes and verification links of members. */
export async function voidVerification(tx: Tx, memberIds: readonly bigint[], now: Date): Promise<void> {
  const owner = sql<bigint>`any(${memberIds})`
  await tx.updateTable('mail_code').set({ used_at: now }).where('member_id', '=', owner).where('used_at', 'is', null).execute()
  await tx
    .updateTable('mail_link')
    .set({ used_at: now })
    .where('member_id', '=', owner)
    .where('purpose', '=', 'verify')
    .where('used_at', 'is', null)
    .execute()
}

/**
 * Counts an attempt, then compares the code. One committed statement raises the count before the comparison, so that parallel attempts
 * share the limit of five.
 * @returns the code's id; the caller must mark the code as used
 * @throws AppError OTP_REFUSED
 */
export async function tryCode(db: Db, deps: Deps, memberId: bigint, typed: string): Promise<bigint> {
  const now = deps.clock.now()
  const code = await inTransaction(db, (tx) =>
    tx
      .updateTable('mail_code')
      .set((expression) => ({ attempts: expression('attempts', '+', 1) }))
      .where('member_id', '=', memberId)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .where('attempts', '<', CODE_ATTEMPTS)
      .returning(['id', 'code_hash'])
      .executeTakeFirst(),
  )
  if (code === undefined) throw new AppError('OTP_REFUSED')
  const stored = Buffer.from(code.code_hash, 'hex')
  const right = keysOf(deps.config).some((key) => timingSafeEqual(Buffer.from(codeHash(key, memberId, typed), 'hex'), stored))
  if (!right) throw new AppError('OTP_REFUSED')
  return code.id
}
