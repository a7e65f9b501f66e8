import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { returnUnsigned } from './return-payout.ts'

/**
 * Asks for an approved payout to be taken back. Unsigned it goes back at once; a signed one only when the chain has proved
 * that it can't arrive any more, and it may well arrive.
 * @returns whether the money is back already
 * @throws AppError NOT_FOUND, NOT_APPROVED when it is not sent by the product, ALREADY_DECIDED when it has arrived or gone back
 */
export async function cancelSending(
  tx: Tx,
  deps: Deps,
  { id, kind }: { id: string; kind: 'withdrawal' | 'bridge' },
): Promise<'returned' | 'asked'> {
  const request = await tx.selectFrom('payout_request').select('id').where('public_id', '=', id).where('kind', '=', kind).executeTakeFirst()
  if (request === undefined) throw new AppError('NOT_FOUND')
  const asked = await tx
    .updateTable('payout_sending')
    .set({ cancel_asked_at: deps.clock.now() })
    .where('request_id', '=', request.id)
    .where('cancel_asked_at', 'is', null)
    .where('ended_at', 'is', null)
    .returning('state')
    .executeTakeFirst()
  if (asked === undefined) throw new AppError((await isSent(tx, request.id)) ? 'ALREADY_DECIDED' : 'NOT_APPROVED')
  if (asked.state !== 'QUEUED') return 'asked'
  await returnUnsigned(tx, deps, request.id)
  return 'returned'
}

const isSent = async (tx: Tx, requestId: bigint): Promise<boolean> =>
  (await tx.selectFrom('payout_sending').select('state').where('request_id', '=', requestId).executeTakeFirst()) !== undefined
