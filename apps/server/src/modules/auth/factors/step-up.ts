import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { type Member, memberById } from '../../members/index.ts'
import { cancelRecoveryByStepUp } from '../account/account-recovery.ts'
import { recordRejectedProof } from '../audit-auth.ts'
import { assertTrustedDevice } from '../sessions/known-devices.ts'
import { assertOwnPassword } from '../passwords/own-password.ts'
import { assertPasskey, type PasskeyAnswer } from './passkey-sign-in.ts'
import { assertSecondFactor } from './second-factor.ts'
import { sessionBudget } from '../sign-in-limit.ts'
import type { Origin } from '../sessions/sessions.ts'

/** Step-up proof: an app code, a recovery code or a passkey if the app is set up, otherwise the password. */
export interface Proof {
  otp?: string | undefined
  passkey?: PasskeyAnswer | undefined
  password?: string | undefined
}

interface StepUpInput {
  memberId: bigint
  sessionId: bigint
  proof: Proof
}

/**
 * Requires a proof from a signed-in member before a change of money or address (ASVS 7.5.1, 7.5.3). Failures are rate-limited like failed
 * sign-ins and written to the audit log. A proof by the second factor cancels a pending account recovery, and so does one on a trusted
 * device.
 * @param db the pool: passwords are compared outside a transaction
 * @throws AppError SECOND_FACTOR_REQUIRED, SECOND_FACTOR_REFUSED, PASSKEY_REFUSED, CURRENT_PASSWORD_WRONG, TOO_MANY_REQUESTS
 */
export async function assertStepUp(db: Db, deps: Deps, input: StepUpInput, origin: Origin): Promise<void> {
  const member = await memberById(db, input.memberId)
  if (member === undefined) throw new AppError('UNAUTHENTICATED')
  if (!member.second_factor) {
    const { sessionId, proof } = input
    await assertOwnPassword(db, deps, { memberId: member.id, sessionId, password: proof.password ?? '' }, origin)
    return
  }
  await recordRejectedProof(db, deps, { member, origin }, () => assertFactor(db, deps, member, input, origin))
  await cancelRecoveryByStepUp(db, deps, member.id, origin, 'second-factor')
}

async function assertFactor(
  db: Db,
  deps: Deps,
  member: Member,
  { sessionId, proof: { otp, passkey } }: StepUpInput,
  origin: Origin,
): Promise<void> {
  const budget = sessionBudget(member.email, sessionId, 'second factor')
  if (passkey !== undefined) {
    return assertPasskey(db, deps, member, { purpose: 'show', sessionId, answer: passkey, budget })
  }
  if (otp === undefined) throw new AppError('SECOND_FACTOR_REQUIRED')
  await assertSecondFactor(db, deps, member, { otp, budget, origin })
}

/**
 * Requires a proof that a thief with only the password cannot give. Without a second factor, the password is accepted only on a trusted
 * device.
 * @throws AppError DEVICE_NOT_TRUSTED, and the errors of {@link assertStepUp}
 */
export async function assertTrustedStepUp(db: Db, deps: Deps, input: StepUpInput, origin: Origin): Promise<void> {
  await assertStepUp(db, deps, input, origin)
  const member = await memberById(db, input.memberId)
  if (member === undefined || member.second_factor) return
  await recordRejectedProof(db, deps, { member, origin, hourly: true }, () => assertTrustedDevice(db, deps, input.sessionId))
  await cancelRecoveryByStepUp(db, deps, input.memberId, origin, 'device')
}

/**
 * Requires a proof that the caller is the member: a code, a passkey, or the password on a device that is not new.
 * @throws AppError CONTACT_CHANGE_NEEDS_KNOWN_DEVICE, and the errors of {@link assertStepUp}
 */
export async function assertOwner(db: Db, deps: Deps, input: StepUpInput, origin: Origin): Promise<void> {
  try {
    await assertTrustedStepUp(db, deps, input, origin)
  } catch (error) {
    // Replaces the error, because its text offers a mailed link, which only payouts and transfers have.
    throw error instanceof AppError && error.code === 'DEVICE_NOT_TRUSTED' ? new AppError('CONTACT_CHANGE_NEEDS_KNOWN_DEVICE') : error
  }
}
