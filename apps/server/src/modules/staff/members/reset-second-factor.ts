import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { StaffActor } from '../access/actor.ts'
import { lockOther } from './decide-member.ts'
import { queueForApproval } from '../proposals/reschedule.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'

/**
 * Files that somebody lost the authenticator app; once another admin has approved it, the account signs in with the
 * password alone, and staff have to set up a new app before they can act (ASVS 6.4.4).
 * @returns the id of the change
 * @throws AppError STAFF_ONLY, NOT_FOUND, SECOND_FACTOR_OFF, FOUR_EYES for the own account
 */
export async function proposeSecondFactorReset(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; reason: string },
): Promise<string> {
  await queueForApproval(tx)
  const member = await lockOther(tx, actor, 'resetSecondFactor', input.id)
  if (!member.second_factor) throw new AppError('SECOND_FACTOR_OFF')
  return submitProposal(tx, deps, actor, { subject: 'second-factor', value: { email: member.email }, reason: input.reason })
}
