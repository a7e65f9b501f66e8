import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { notifyOwner } from './notify-member.ts'

/**
 * Names the transaction by which an approved payout was made by hand, once, and tells its owner that it is paid.
 * @param input the request's id on the wire, its kind, and the transaction on the chain
 * @throws AppError NOT_FOUND, ALREADY_DECIDED when one is named already or the product sends it, NOT_APPROVED
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
