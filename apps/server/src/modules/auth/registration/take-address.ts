import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { lockMember, type Member, memberByEmail, setContact } from '../../members/index.ts'
import { voidVerification } from '../codes.ts'
import { deleteAttempts, releaseUnfinished } from './registration-attempt.ts'
import { voidResetLinks } from '../passwords/reset-password.ts'

/** Returns true if no account has the address, or only an unfinished registration. */
export const isAddressFree = async (db: Db, email: string): Promise<boolean> => (await memberByEmail(db, email))?.is_verified !== true

/**
 * Sets a proved address for a member, and removes the address from an unfinished registration. The caller has locked the member's row.
 * @throws AppError EMAIL_LINK_INVALID if another account has the address
 */
export async function takeAddress(tx: Tx, deps: Deps, member: Member, email: string): Promise<void> {
  const now = deps.clock.now()
  const held = await memberByEmail(tx, email)
  if (held !== undefined) {
    const holder = await lockMember(tx, held.id)
    if (holder.is_verified && holder.email === email) throw new AppError('EMAIL_LINK_INVALID')
    if (holder.email === email) await releaseUnfinished(tx, deps, holder)
  }
  await deleteAttempts(tx, email)
  await setContact(tx, member.id, { email }, now)
  await voidVerification(tx, member.id, now)
  await voidResetLinks(tx, member.id, now)
}
