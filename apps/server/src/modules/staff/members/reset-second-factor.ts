import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { auditStaff, type StaffActor } from '../access/actor.ts'
import { cancelFactorReset } from '../../auth/index.ts'
import { lockOther, subjectOf } from './decide-member.ts'
import { lockApprovals } from '../proposals/reschedule.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'

/**
 * Proposes a second-factor reset. After another admin approves it and the waiting period ends, the account signs in with its password
 * and a mailed code. Staff must then set up a new authenticator app before they can act [ASVS 6.4.4].
 * @returns the proposal's public id
 * @throws AppError STAFF_ONLY, NOT_FOUND, SECOND_FACTOR_OFF, FOUR_EYES for the actor's account
 */
export async function proposeSecondFactorReset(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; reason: string },
): Promise<string> {
  await lockApprovals(tx)
  const member = await lockOther(tx, deps, actor, 'resetSecondFactor', input.id)
  if (!member.second_factor) throw new AppError('SECOND_FACTOR_OFF')
  return submitProposal(tx, deps, actor, { subject: 'second-factor', value: { email: member.email }, reason: input.reason })
}

/**
 * Cancels a pending second-factor reset. One person is enough, because this only keeps the account as secure as it was.
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED if none is pending, FOUR_EYES for the actor's account
 */
export async function cancelSecondFactorReset(tx: Tx, deps: Deps, actor: StaffActor, input: { id: string; reason: string }): Promise<void> {
  const member = await lockOther(tx, deps, actor, 'cancelSecondFactorReset', input.id)
  if (!(await cancelFactorReset(tx, deps, member))) throw new AppError('ALREADY_DECIDED')
  await auditStaff(tx, deps, actor, { action: 'member.cancel-second-factor-reset', subject: subjectOf(member), reason: input.reason })
}
