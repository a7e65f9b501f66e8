import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { memberByEmail } from '../members/index.ts'
import { assertStaff, type StaffActor } from './actor.ts'
import { readChange } from './change-subjects.ts'
import { proposeChange } from './propose-change.ts'

/**
 * Files that somebody lost the authenticator app; once another admin has approved it, the account signs in with the
 * password alone, and staff have to set up a new app before they can act (ASVS 6.4.4).
 * @returns the id of the change
 * @throws AppError STAFF_ONLY, USER_NOT_FOUND, SECOND_FACTOR_OFF, FOUR_EYES for the own account
 */
export async function proposeSecondFactorReset(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { email: string; reason: string },
): Promise<string> {
  await assertStaff(tx, actor, 'resetSecondFactor')
  const change = readChange({ subject: 'second-factor', value: { email: input.email }, reason: input.reason })
  const member = await memberByEmail(tx, input.email)
  if (member === undefined) throw new AppError('USER_NOT_FOUND')
  if (member.id === actor.memberId) throw new AppError('FOUR_EYES')
  if (!member.second_factor) throw new AppError('SECOND_FACTOR_OFF')
  return proposeChange(tx, deps, actor, change)
}
