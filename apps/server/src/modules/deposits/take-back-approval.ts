import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'

/**
 * Takes a first approval back, as long as nobody has given the second.
 * @param input the deposit's id on the wire, and whose approval
 * @throws AppError NOT_FOUND, ALREADY_DECIDED, ITEM_CHANGED when there is none of this person
 */
export async function takeBackDepositApproval(tx: Tx, input: { id: string; staffId: bigint }): Promise<void> {
  const taken = await tx
    .updateTable('deposit')
    .set({ first_approved_by: null, first_approved_at: null })
    .where('public_id', '=', input.id)
    .where('first_approved_by', '=', input.staffId)
    .where('decided_by', 'is', null)
    .executeTakeFirst()
  if (taken.numUpdatedRows > 0n) return
  const row = await tx.selectFrom('deposit').select(['decided_by', 'way']).where('public_id', '=', input.id).executeTakeFirst()
  if (row === undefined || row.way !== 'hosted') throw new AppError('NOT_FOUND')
  throw new AppError(row.decided_by === null ? 'ITEM_CHANGED' : 'ALREADY_DECIDED')
}
