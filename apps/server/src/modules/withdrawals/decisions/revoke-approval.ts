import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { NO_FIRST_APPROVAL } from '../payout-mac.ts'

/**
 * Revokes a first approval before the second is given.
 * @param input the request's public id and kind, and the approver
 * @throws AppError NOT_FOUND, ALREADY_DECIDED, ITEM_CHANGED if this person has not approved
 */
export async function revokePayoutApproval(tx: Tx, input: { id: string; kind: 'withdrawal' | 'bridge'; staffId: bigint }): Promise<void> {
  const updated = await tx
    .updateTable('payout_request')
    .set(NO_FIRST_APPROVAL)
    .where('public_id', '=', input.id)
    .where('kind', '=', input.kind)
    .where('status', '=', 'PENDING')
    .where('first_approved_by', '=', input.staffId)
    .executeTakeFirst()
  if (updated.numUpdatedRows > 0n) return
  const row = await tx
    .selectFrom('payout_request')
    .select('status')
    .where('public_id', '=', input.id)
    .where('kind', '=', input.kind)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_FOUND')
  throw new AppError(row.status === 'PENDING' ? 'ITEM_CHANGED' : 'ALREADY_DECIDED')
}
