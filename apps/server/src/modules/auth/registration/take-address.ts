import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { type Member, setContact } from '../../members/index.ts'
import { voidVerification } from '../codes.ts'
import { deleteAttempts, releaseAddresses } from './registration-attempt.ts'
import { voidResetLinks } from '../passwords/reset-password.ts'

/**
 * Sets a proved address for a member, and removes the address from an unfinished registration. The caller has locked the member's row.
 * @throws AppError EMAIL_LINK_INVALID if another account has the address
 */
export async function takeAddress(tx: Tx, deps: Deps, member: Member, email: string): Promise<void> {
  const now = deps.clock.now()
  if ((await releaseAddresses(tx, deps, [email])).size > 0) throw new AppError('EMAIL_LINK_INVALID')
  await deleteAttempts(tx, email)
  await setContact(tx, member.id, { email }, now)
  await voidVerification(tx, [member.id], now)
  await voidResetLinks(tx, member.id, now)
}
