import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import { linkedTo } from './linked-accounts.ts'

/**
 * Returns true if an action concerns the staff member's own or a linked account.
 * @param mayActOnSelf true for an action that only takes from the staff member; a linked account remains a conflict
 */
export async function hasConflictOfInterest(
  db: Db,
  staffId: bigint,
  memberIds: readonly bigint[],
  { mayActOnSelf = false }: { mayActOnSelf?: boolean } = {},
): Promise<boolean> {
  if (!mayActOnSelf && memberIds.includes(staffId)) return true
  const others = memberIds.filter((id) => id !== staffId)
  return others.length > 0 && (await linkedTo(db, staffId, others)).size > 0
}

/**
 * Rejects a staff action on their own or a linked account.
 * @throws AppError FOUR_EYES
 */
export async function assertNoConflictOfInterest(
  db: Db,
  staffIds: readonly bigint[],
  memberIds: readonly bigint[],
  options?: { mayActOnSelf?: boolean },
): Promise<void> {
  for (const staffId of staffIds) if (await hasConflictOfInterest(db, staffId, memberIds, options)) throw new AppError('FOUR_EYES')
}
