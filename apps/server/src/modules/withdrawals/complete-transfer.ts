import type { Selectable } from 'kysely'
import { release } from '../../ledger/index.ts'
import { AppError, unwrapSingle } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { PayoutRequestTable } from '../../platform/db/tables.generated.ts'
import { mayReceiveTransfers, type Member, memberById } from '../members/index.ts'
import { membersHeldByScreening } from '../screening/index.ts'
import { postTransfers } from './post-transfers.ts'

/** Proof by which the owner confirmed a held transfer. */
type Proof = 'page' | 'link' | 'step-up'

/**
 * Posts a confirmed transfer: releases the hold and moves the amount to the receiver.
 * @param request the row, locked by this transaction
 * @returns the ledger transfer to the receiver
 * @throws AppError PAYOUT_HELD, TRANSFER_CHECKED, USER_NOT_FOUND if the receiver may receive no transfers any more
 */
export async function completeTransfer(
  tx: Tx,
  deps: Deps,
  owner: Member,
  request: Selectable<PayoutRequestTable>,
  confirmed: { how: Proof; mac: Buffer },
): Promise<bigint> {
  const at = deps.clock.now()
  assertNotFrozen(owner, at)
  if ((await membersHeldByScreening(tx, [owner.id])).size > 0) throw new AppError('TRANSFER_CHECKED')
  const { receiver_id: receiverId } = request
  const receiver = receiverId === null ? undefined : await memberById(tx, receiverId)
  if (receiver === undefined || !mayReceiveTransfers(receiver)) throw new AppError('USER_NOT_FOUND')
  const cause = { type: 'payout_request', id: request.public_id }
  await release(tx, { holdId: request.hold_id, kind: 'transferReleased', cause, at })
  const sent = { senderId: request.member_id, receiverId: receiver.id, amount: request.amount }
  const transferId = unwrapSingle(await postTransfers(tx, at, [sent]))
  await tx
    .updateTable('payout_request')
    .set({
      status: 'APPROVED',
      confirmed_at: at,
      confirmed_how: confirmed.how,
      owner_mac: confirmed.mac,
      decided_at: at,
      transfer_id: transferId,
    })
    .where('id', '=', request.id)
    .execute()
  return transferId
}

/**
 * Rejects the transfer during a payout freeze. A freeze after a sign-in from a new device does not apply. Such a sign-in proves only the
 * password, and the confirmation (mailed link, code, passkey or known device) proves more.
 */
function assertNotFrozen({ payouts_frozen_until: until, payouts_frozen_for: cause }: Member, now: Date): void {
  if (until !== null && until > now && cause !== 'device') throw new AppError('PAYOUT_HELD', { at: until.toISOString() })
}
