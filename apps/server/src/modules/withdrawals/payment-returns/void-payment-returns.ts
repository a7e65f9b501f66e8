import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { cancelSendingOf } from '../sending/cancel-sending.ts'

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
