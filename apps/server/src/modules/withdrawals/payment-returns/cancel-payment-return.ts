import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { cancelSendingOf } from '../sending/cancel-sending.ts'

/**
 * Cancels a payment return. An unsigned one ends at once, a signed one when the chain has proved that it cannot arrive.
 * @param id public id
 * @throws AppError NOT_FOUND; ALREADY_DECIDED if it ended or its cancellation was requested
 */
export async function cancelPaymentReturn(tx: Tx, deps: Deps, id: string): Promise<'ended' | 'asked'> {
  const row = await tx.selectFrom('payment_return').select('id').where('public_id', '=', id).executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_FOUND')
  return (await cancelSendingOf(tx, deps, row.id)) === 'returned' ? 'ended' : 'asked'
}

/** Cancels the open returns among some rows of payout_sending, because a reorg removed their payment from the chain. */
export async function voidPaymentReturns(tx: Tx, deps: Deps, ids: readonly bigint[]): Promise<void> {
  const open = await tx
    .selectFrom('payout_sending')
    .select('request_id')
    .where('request_id', '=', (eb) => eb.fn.any(eb.val([...ids])))
    .where('kind', '=', 'RETURN')
    .where('ended_at', 'is', null)
    .where('cancel_asked_at', 'is', null)
    .execute()
  for (const { request_id } of open) await cancelSendingOf(tx, deps, request_id)
}
