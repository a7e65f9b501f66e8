import { TOTP } from 'otpauth'
import { enqueueMail } from '../../../gateways/mailer/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { encrypt, reEncrypt, decrypt } from '../../../platform/crypto/encrypt.ts'
import type { EncryptedColumn } from '../../../platform/crypto/encrypted-column.ts'
import { lockMember, memberById, type Member, setSecondFactor } from '../../members/index.ts'
import { recordEvent } from '../../notices/index.ts'
import { cancelRecoveryByProof } from '../account/account-recovery.ts'
import { auditAuth, recordRejectedProof } from '../audit-auth.ts'
import { startPayoutFreeze } from '../passwords/payout-freeze.ts'
import { type Holder, inSession } from '../sessions/in-session.ts'
import { assertOwnPassword } from '../passwords/own-password.ts'
import { consumeRecoveryCode, createRecoveryCodes, isRecoveryCode, saveRecoveryCodes } from './recovery-codes.ts'
import { revokeSessionsOf, type Origin } from '../sessions/sessions.ts'
import { clearAttempts, oneAtATime, registerAttempt, sessionBudget, type AttemptBudget } from '../sign-in-limit.ts'

/** Encrypted authenticator secrets. */
export const encryptedFactors: EncryptedColumn = {
  table: 'second_factor',
  key: 'member_id',
  column: 'encrypted_secret',
  purpose: 'second factor',
  owner: 'member_id',
}
const PERIOD_SECONDS = 30
/** Number of accepted time steps before and after the current one. */
const WINDOW = 1

/**
 * Accepts a code of the member's authenticator app or a recovery code, each at most once (ASVS 6.5.1). Failures are limited like
 * sign-ins, in a separate budget that only a correct code clears.
 * @param db the pool: the attempt is counted in any case
 * @throws AppError SECOND_FACTOR_REFUSED, TOO_MANY_REQUESTS, BUSY
 */
export async function assertSecondFactor(
  db: Db,
  deps: Deps,
  member: Pick<Member, 'id' | 'email'>,
  { otp, budget, origin }: { otp: string; budget: AttemptBudget; origin: Origin },
): Promise<void> {
  await oneAtATime(budget, async () => {
    const register = () => registerAttempt(db, budget, deps.clock.now())
    if (isRecoveryCode(otp)) await consumeRecoveryCode(db, deps, { memberId: member.id, code: otp, origin }, register)
    else {
      await register()
      await assertCode(db, deps, member.id, otp)
    }
    await clearAttempts(db, budget)
  })
}

async function assertCode(db: Db, deps: Deps, memberId: bigint, otp: string): Promise<void> {
  const held = await db.selectFrom('second_factor').selectAll().where('member_id', '=', memberId).executeTakeFirst()
  const secret = held === undefined ? undefined : decrypt(deps.config, encryptedFactors.purpose, held.encrypted_secret, String(memberId))
  if (held === undefined || secret === undefined) throw new AppError('SECOND_FACTOR_REFUSED')
  const now = deps.clock.now().getTime()
  const delta = new TOTP({ secret, period: PERIOD_SECONDS }).validate({ token: otp, window: WINDOW, timestamp: now })
  if (delta === null) throw new AppError('SECOND_FACTOR_REFUSED')
  const step = BigInt(Math.floor(now / 1000 / PERIOD_SECONDS) + delta)
  const renewed = reEncrypt(deps.config, encryptedFactors.purpose, held.encrypted_secret, String(memberId))
  const used = await db
    .updateTable('second_factor')
    .set({ last_step: step, ...(renewed === undefined ? {} : { encrypted_secret: renewed }) })
    .where('member_id', '=', memberId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  if (used.numUpdatedRows === 0n) throw new AppError('SECOND_FACTOR_REFUSED')
}

/**
 * Creates a new secret. The secret takes effect when {@link confirmSecondFactor} accepts the first code.
 * @param db the pool: the password is compared outside a transaction
 * @throws AppError SECOND_FACTOR_ON, CURRENT_PASSWORD_WRONG
 */
export async function beginSecondFactor(
  db: Db,
  deps: Deps,
  input: Holder & { password: string },
  origin: Origin,
): Promise<{ secret: string; uri: string }> {
  const member = await assertOwnPassword(db, deps, input, origin)
  if (member.second_factor) throw new AppError('SECOND_FACTOR_ON')
  const totp = new TOTP({ issuer: deps.config.brand.name, label: member.email, period: PERIOD_SECONDS })
  const now = deps.clock.now()
  const encrypted = encrypt(deps.config, encryptedFactors.purpose, totp.secret.base32, String(member.id))
  await inSession(db, input, (tx) =>
    tx
      .insertInto('second_factor')
      .values({ member_id: member.id, encrypted_secret: encrypted, created_at: now })
      .onConflict((conflict) =>
        conflict
          .column('member_id')
          .doUpdateSet({ encrypted_secret: encrypted, created_at: now, last_step: 0n })
          .where('second_factor.confirmed_at', 'is', null),
      )
      .execute(),
  )
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/**
 * Enables the second factor with a first code. Other sessions end (ASVS 7.4.3).
 * @returns the recovery codes, which are stored as digests only
 * @throws AppError SECOND_FACTOR_ON, SECOND_FACTOR_OFF, SECOND_FACTOR_REFUSED, TOO_MANY_REQUESTS
 */
export async function confirmSecondFactor(db: Db, deps: Deps, input: Holder & { otp: string }, origin: Origin): Promise<string[]> {
  const pending = await db.selectFrom('second_factor').select('confirmed_at').where('member_id', '=', input.memberId).executeTakeFirst()
  if (pending === undefined) throw new AppError('SECOND_FACTOR_OFF')
  if (pending.confirmed_at !== null) throw new AppError('SECOND_FACTOR_ON')
  const owner = await memberById(db, input.memberId)
  if (owner === undefined) throw new AppError('UNAUTHENTICATED')
  const budget = sessionBudget(owner.email, input.sessionId, 'second factor')
  await assertSecondFactor(db, deps, owner, { otp: input.otp, budget, origin })
  const codes = await createRecoveryCodes(deps, origin)
  await inSession(db, input, async (tx, member) => {
    const confirmed = await tx
      .updateTable('second_factor')
      .set({ confirmed_at: deps.clock.now() })
      .where('member_id', '=', member.id)
      .where('confirmed_at', 'is', null)
      // Requires a code of this secret, in case a concurrent call replaced it.
      .where('last_step', '>', 0n)
      .executeTakeFirst()
    if (confirmed.numUpdatedRows === 0n) throw new AppError('SECOND_FACTOR_REFUSED')
    await tx.updateTable('session').set({ second_factor_at: deps.clock.now() }).where('id', '=', input.sessionId).execute()
    await saveRecoveryCodes(tx, deps, member.id, codes)
    await switched(tx, deps, member, origin, true, input.sessionId)
  })
  return codes.shown
}

/**
 * Disables the second factor by password and code.
 * @throws AppError SECOND_FACTOR_OFF, CURRENT_PASSWORD_WRONG, SECOND_FACTOR_REFUSED, TOO_MANY_REQUESTS
 */
export async function disableSecondFactor(
  db: Db,
  deps: Deps,
  input: Holder & { password: string; otp: string },
  origin: Origin,
): Promise<void> {
  const before = await memberById(db, input.memberId)
  if (before?.second_factor !== true) throw new AppError('SECOND_FACTOR_OFF')
  await assertOwnPassword(db, deps, input, origin)
  const budget = sessionBudget(before.email, input.sessionId, 'second factor')
  await recordRejectedProof(db, deps, { member: before, origin }, () =>
    assertSecondFactor(db, deps, before, { otp: input.otp, budget, origin }),
  )
  await inSession(db, input, async (tx, member) => {
    await cancelRecoveryByProof(tx, deps, member, origin, 'second-factor')
    await deleteFactors(tx, member.id)
    await switched(tx, deps, member, origin, false, input.sessionId)
  })
}

/**
 * Removes a lost second factor, ends all sessions and notifies the member. The caller writes the audit entry.
 * @throws AppError SECOND_FACTOR_OFF
 */
export async function removeSecondFactor(tx: Tx, deps: Deps, memberId: bigint): Promise<void> {
  const member = await lockMember(tx, memberId)
  if (!member.second_factor) throw new AppError('SECOND_FACTOR_OFF')
  await deleteFactors(tx, member.id)
  await setAndMail(tx, deps, member, false)
}

/**
 * Deletes the app and the passkeys, because passkeys require the app and an attacker may have added one. Recovery codes are deleted by
 * cascade.
 */
async function deleteFactors(tx: Tx, memberId: bigint): Promise<void> {
  await tx.deleteFrom('passkey').where('member_id', '=', memberId).execute()
  await tx.deleteFrom('second_factor').where('member_id', '=', memberId).execute()
}

async function switched(tx: Tx, deps: Deps, member: Member, origin: Origin, on: boolean, keptSession: bigint): Promise<void> {
  await setAndMail(tx, deps, member, on, keptSession)
  await auditAuth(tx, deps, { action: on ? 'second-factor-on' : 'second-factor-off', member, origin })
}

async function setAndMail(tx: Tx, deps: Deps, member: Member, on: boolean, keptSession?: bigint): Promise<void> {
  const now = deps.clock.now()
  await setSecondFactor(tx, [member.id], on, now)
  await startPayoutFreeze(tx, member.id, 'second-factor', now)
  await revokeSessionsOf(tx, member.id, 'second-factor', now, keptSession)
  await recordEvent(tx, deps, member.id, { event: 'second-factor', facts: { what: on ? 'app-on' : 'app-off' } })
  await enqueueMail(tx, deps, {
    to: member.email,
    language: member.language,
    template: 'secondFactor',
    data: { name: member.name, on, at: now },
  })
}
