import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { notifyOwner } from './notify-member.ts'

/**
 * Records the transaction of an approved manual payout, once, and notifies the member.
 * @param input the request's public id and kind, and the transaction hash
 * @throws AppError NOT_FOUND, NOT_APPROVED, ALREADY_DECIDED if a hash is recorded already or the server sends the payout
 */
export async function nameTransaction(
  tx: Tx,
  deps: Deps,
  input: { id: string; kind: 'withdrawal' | 'bridge'; txHash: string },
): Promise<void> {
  const request = await tx
    .selectFrom('payout_request')
    .selectAll()
    .where('public_id', '=', input.id)
    .where('kind', '=', input.kind)
    .forUpdate()
    .executeTakeFirst()
  if (request === undefined) throw new AppError('NOT_FOUND')
  if (request.status !== 'APPROVED') throw new AppError('NOT_APPROVED')
  const sending = await tx.selectFrom('payout_sending').select('state').where('request_id', '=', request.id).executeTakeFirst()
  if (request.tx_hash !== null || sending !== undefined) throw new AppError('ALREADY_DECIDED')
  await tx.updateTable('payout_request').set({ tx_hash: input.txHash }).where('id', '=', request.id).execute()
  await notifyOwner(tx, deps, 'paid', request)
}
