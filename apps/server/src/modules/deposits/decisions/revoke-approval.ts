import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { queuedDeposit } from './deposit-queue.queries.ts'
import { NO_FIRST_APPROVAL } from './first-approval.ts'

/**
 * Revokes a first approval before the second.
 * @param input the deposit's public id, and the approver
 * @throws AppError NOT_FOUND, ALREADY_DECIDED, ITEM_CHANGED if this person has not approved
 */
export async function revokeDepositApproval(tx: Tx, input: { id: string; staffId: bigint }): Promise<void> {
  const updated = await tx
    .updateTable('deposit')
    .set(NO_FIRST_APPROVAL)
    .where('public_id', '=', input.id)
    .where('first_approved_by', '=', input.staffId)
    .executeTakeFirst()
  if (updated.numUpdatedRows > 0n) return
  const row = await queuedDeposit(tx, input.id)
  if (row === undefined) throw new AppError('NOT_FOUND')
  throw new AppError(row.status === 'PENDING' ? 'ITEM_CHANGED' : 'ALREADY_DECIDED')
}
