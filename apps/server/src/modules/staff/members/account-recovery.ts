import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { auditStaff, type StaffActor } from '../access/actor.ts'
import { cancelRecovery } from '../../auth/index.ts'
import { lockOther, subjectOf } from './decide-member.ts'
import { lockApprovals } from '../proposals/reschedule.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'

/**
 * Proposes to recover an account whose owner lost the second factor, the mailbox or both. After another admin approves it and the waiting
 * period ends, the account signs in with its password or a new one, and a mailed code. Staff must then set up a new authenticator app
 * before they can act [ASVS 6.4.4].
 * @param input `email` is the new address in lower case, if the mailbox is lost
 * @returns the proposal's public id
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for the actor's account, and the errors of `startRecovery`
 */
export async function proposeAccountRecovery(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; secondFactor: boolean; email?: string | undefined; reason: string },
): Promise<string> {
  await lockApprovals(tx)
  const member = await lockOther(tx, deps, actor, 'proposeAccountRecovery', input.id)
  const value = { memberId: member.public_id, email: member.email, secondFactor: input.secondFactor, newEmail: input.email ?? null }
  return submitProposal(tx, deps, actor, { subject: 'account-recovery', value, reason: input.reason })
}

/**
 * Cancels a pending recovery. One person is enough, because this only keeps the account as secure as it was.
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED if none is pending, FOUR_EYES for the actor's account
 */
export async function cancelAccountRecovery(tx: Tx, deps: Deps, actor: StaffActor, input: { id: string; reason: string }): Promise<void> {
  const member = await lockOther(tx, deps, actor, 'cancelAccountRecovery', input.id)
  if (!(await cancelRecovery(tx, deps, member))) throw new AppError('ALREADY_DECIDED')
  await auditStaff(tx, deps, actor, { action: 'member.cancel-recovery', subject: subjectOf(member), reason: input.reason })
}
