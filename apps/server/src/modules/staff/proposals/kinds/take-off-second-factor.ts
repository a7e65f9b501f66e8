import { AppError } from '../../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { removeSecondFactor } from '../../../auth/index.ts'
import { memberByEmail } from '../../../members/index.ts'
import { auditStaff } from '../../access/actor.ts'
import { assertNotOwn } from '../../duties/not-own.ts'
import type { ChangeMakers } from '../../access/decider.ts'

/**
 * Takes the lost authenticator app off, for two admins neither of whom owns the account; without the second one only on
 * trial.
 * @throws AppError USER_NOT_FOUND, FOUR_EYES, SECOND_FACTOR_OFF
 */
export async function takeOffSecondFactor(tx: Tx, deps: Deps, email: string, { maker, checkerId }: ChangeMakers): Promise<void> {
  const member = await memberByEmail(tx, email)
  if (member === undefined) throw new AppError('USER_NOT_FOUND')
  await assertNotOwn(tx, member.id, { maker, checkerId })
  await removeSecondFactor(tx, deps, member.id)
  // The change itself names no member: its owner sees it in what staff did on the account.
  if (checkerId !== undefined)
    await auditStaff(tx, deps, maker, { action: 'member.reset-second-factor', subject: { type: 'member', id: member.public_id } })
}
