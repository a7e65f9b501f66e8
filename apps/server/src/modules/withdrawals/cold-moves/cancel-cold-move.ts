import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { cancelSendingOf } from '../sending/cancel-sending.ts'

/**
 * Cancels a cold move. An unsigned move ends at once. A signed move ends when the chain has proved that it cannot arrive.
 * @param id public id
 * @throws AppError NOT_FOUND; ALREADY_DECIDED if it ended or its cancellation was requested
 */
export async function cancelColdMove(tx: Tx, deps: Deps, id: string): Promise<'ended' | 'asked'> {
  const move = await tx.selectFrom('cold_move').select('id').where('public_id', '=', id).executeTakeFirst()
  if (move === undefined) throw new AppError('NOT_FOUND')
  return (await cancelSendingOf(tx, deps, move.id)) === 'returned' ? 'ended' : 'asked'
}
