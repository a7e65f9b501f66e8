import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { cancelSendingOf } from '../sending/cancel-sending.ts'

/**
 * Cancels a cold move or proceeds, which return to the sales fund. An unsigned one ends at once. A signed one ends when the chain has
 * proved that it cannot arrive.
 * @param id public id
 * @throws AppError NOT_FOUND; ALREADY_DECIDED if it ended or its cancellation was requested
 */
export async function cancelColdMove(tx: Tx, deps: Deps, id: string): Promise<'ended' | 'asked'> {
  const found = await sql<{ id: bigint }>`
    select id from cold_move where public_id = ${id} union all select id from proceeds_payout where public_id = ${id}`.execute(tx)
  const [move] = found.rows
  if (move === undefined) throw new AppError('NOT_FOUND')
  return (await cancelSendingOf(tx, deps, move.id)) === 'returned' ? 'ended' : 'asked'
}
