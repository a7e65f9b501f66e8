import { isNewCopy } from '../../../gateways/chain/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { returnUnsigned } from './return-payout.ts'

/**
 * Requests the cancellation of an approved payout. The amount of an unsigned payout returns at once. The amount of a signed payout returns
 * only after the chain proves that the payment cannot arrive; it may still arrive.
 * @returns true if the money is already back
 * @throws AppError NOT_FOUND; NOT_APPROVED if the platform does not send it; ALREADY_DECIDED if it arrived or was returned;
 * PAYOUT_AFTER_RESTORE if it is unsigned, until the first full hour after a restore
 */
export async function cancelSending(
  tx: Tx,
  deps: Deps,
  { id, kind }: { id: string; kind: 'withdrawal' | 'bridge' },
): Promise<'returned' | 'asked'> {
  const request = await tx.selectFrom('payout_request').select('id').where('public_id', '=', id).where('kind', '=', kind).executeTakeFirst()
  if (request === undefined) throw new AppError('NOT_FOUND')
  return cancelSendingOf(tx, deps, request.id)
}

/**
 * Requests the cancellation of a payout, cold move or payment return by its id in payout_sending.
 * @returns, @throws as `cancelSending`
 */
export async function cancelSendingOf(tx: Tx, deps: Deps, requestId: bigint): Promise<'returned' | 'asked'> {
  const sending = await tx
    .updateTable('payout_sending')
    .set({ cancel_asked_at: deps.clock.now() })
    .where('request_id', '=', requestId)
    .where('cancel_asked_at', 'is', null)
    .where('ended_at', 'is', null)
    .returning('state')
    .executeTakeFirst()
  if (sending === undefined) throw new AppError((await isSent(tx, requestId)) ? 'ALREADY_DECIDED' : 'NOT_APPROVED')
  if (sending.state !== 'QUEUED') return 'asked'
  // The lost database may have sent it (docs/decisions/0067-payouts-after-a-restore.md).
  if (await isNewCopy(tx)) throw new AppError('PAYOUT_AFTER_RESTORE')
  await returnUnsigned(tx, deps, requestId)
  return 'returned'
}

const isSent = async (tx: Tx, requestId: bigint): Promise<boolean> =>
  (await tx.selectFrom('payout_sending').select('state').where('request_id', '=', requestId).executeTakeFirst()) !== undefined
