import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { StaffActor } from '../access/actor.ts'
import { lockOther } from './decide-member.ts'
import { lockApprovals } from '../proposals/reschedule.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'

/**
 * Proposes a second-factor reset. After another admin approves it, the account signs in with its password only. Staff must then
 * set up a new authenticator app before they can act [ASVS 6.4.4].
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
