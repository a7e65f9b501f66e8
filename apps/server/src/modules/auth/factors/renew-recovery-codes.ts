import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { memberById } from '../../members/index.ts'
import { auditAuth } from '../audit-auth.ts'
import { startPayoutFreeze } from '../passwords/payout-freeze.ts'
import { type Holder, inSession } from '../sessions/in-session.ts'
import { notifyFactorChange } from './notify-factor-change.ts'
import { createRecoveryCodes, saveRecoveryCodes } from './recovery-codes.ts'
import { revokeSessionsOf, type Origin } from '../sessions/sessions.ts'
import { assertStepUp, type Proof } from './step-up.ts'

/**
 * Replaces the recovery codes after a proof by the second factor. Like every change of a factor it ends other sessions, freezes payouts
 * and notifies the member.
 * @returns the new codes, which are stored as digests only
 * @throws AppError SECOND_FACTOR_OFF, and the errors of the proof
 */
export async function renewRecoveryCodes(
  db: Db,
  deps: Deps,
  { proof, ...holder }: Holder & { proof: Proof },
  origin: Origin,
): Promise<string[]> {
  if ((await memberById(db, holder.memberId))?.second_factor !== true) throw new AppError('SECOND_FACTOR_OFF')
  await assertStepUp(db, deps, { ...holder, proof }, origin)
  const codes = await createRecoveryCodes(deps, origin)
  await inSession(db, holder, async (tx, member) => {
    // Another call may have removed the app during the proof.
    if (!member.second_factor) throw new AppError('SECOND_FACTOR_OFF')
    const now = deps.clock.now()
    await saveRecoveryCodes(tx, deps, member.id, codes)
    await startPayoutFreeze(tx, member.id, 'second-factor', now)
    await revokeSessionsOf(tx, member.id, 'second-factor', now, holder.sessionId)
    await notifyFactorChange(tx, deps, member, { what: 'recovery-codes-renewed' })
    await auditAuth(tx, deps, { action: 'recovery-codes-renewed', member, origin })
  })
  return codes.shown
}
