import type { CaseOutcome } from '@tizara/contract/staff-case-row'
import { AppError } from '../../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

/**
 * Closes an open case.
 * @throws AppError ALREADY_DECIDED if it is closed
 */
export async function endCase(
  tx: Tx,
  { id, outcome, reason, by, at }: { id: string; outcome: CaseOutcome; reason: string; by: bigint; at: Date },
): Promise<void> {
  const ended = await tx
    .updateTable('staff_case')
    .set({ outcome, outcome_reason: reason, closed_by: by, closed_at: at })
    .where('public_id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (ended.numUpdatedRows === 0n) throw new AppError('ALREADY_DECIDED')
}

/** Reads whether a case is open, and the public id of its owner. */
export async function caseStatus(db: Db, id: string): Promise<{ isOpen: boolean; owner: string | null }> {
  const row = await db
    .selectFrom('staff_case as c')
    .leftJoin('member as m', 'm.id', 'c.owner_id')
    .select(['c.closed_at', 'm.public_id as owner'])
    .where('c.public_id', '=', id)
    .executeTakeFirst()
  return { isOpen: row?.closed_at === null, owner: row?.owner ?? null }
}
