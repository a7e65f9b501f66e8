import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { SendingKind } from '../sending/sending-kind.ts'
import { cancelSendingOf } from '../sending/cancel-sending.ts'

/**
 * Cancels a payout that belongs to no request of a member. An unsigned one ends at once. A signed one ends when the chain has proved that
 * it cannot arrive. Proceeds then return to the sales fund, and a payment can be returned again.
 * @param id public id
 * @param kinds kinds that the caller may cancel
 * @throws AppError NOT_FOUND, also for another kind; ALREADY_DECIDED if it ended or its cancellation was requested
 */
export async function cancelPlatformPayout(
  tx: Tx,
  deps: Deps,
  id: string,
  ...kinds: readonly Exclude<SendingKind, 'PAYOUT'>[]
): Promise<'ended' | 'asked'> {
  const { rows } = await sql<{ id: bigint }>`
    select s.request_id as id from sent_order o join payout_sending s on s.request_id = o.id
    where o.public_id = ${id} and s.kind = any(${kinds}::text[])`.execute(tx)
  const [payout] = rows
  if (payout === undefined) throw new AppError('NOT_FOUND')
  return (await cancelSendingOf(tx, deps, payout.id)) === 'returned' ? 'ended' : 'asked'
}
