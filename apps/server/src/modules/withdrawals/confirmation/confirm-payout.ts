import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { memberById } from '../../members/index.ts'
import { assertNotStopped, type BookActor, auditPayoutAction } from '../addresses/address-book.ts'
import { completeTransfer } from '../complete-transfer.ts'
import { notifyOwner } from '../notify-member.ts'
import { hasValidOwnerMac, ownerMac } from '../payout-mac.ts'
import { lockOwn } from '../cancel-payout.ts'

/**
 * Confirms a pending outflow. Staff then see a payout, and a transfer is posted. An outflow that is already confirmed does not change.
 * @param how proof of the member
 * @throws AppError NOT_FOUND, ALREADY_DECIDED, CONFIRMATION_EXPIRED, PAYOUTS_STOPPED, PAYOUT_HELD, PAYOUT_CHANGED
 */
export async function confirmPayout(tx: Tx, deps: Deps, by: BookActor, { id, how }: { id: string; how: 'page' | 'link' }): Promise<void> {
  const request = await lockOwn(tx, by, id)
  if (request.confirmed_at !== null) return
  const at = deps.clock.now()
  if (request.confirm_by <= at) throw new AppError('CONFIRMATION_EXPIRED')
  // Reads the member after the lock, so that an earlier stop is visible.
  const owner = await memberById(tx, by.memberId)
  if (owner === undefined) throw new AppError('NOT_FOUND')
  assertNotStopped(owner)
  if (!hasValidOwnerMac(deps.config, request)) throw new AppError('PAYOUT_CHANGED')
  const mac = ownerMac(deps.config, { ...request, confirmed_how: how })
  if (request.kind === 'transfer') {
    await completeTransfer(tx, deps, owner, request, { how, mac })
  } else {
    await tx
      .updateTable('payout_request')
      .set({ confirmed_at: at, confirmed_how: how, owner_mac: mac })
      .where('id', '=', request.id)
      .execute()
  }
  await notifyOwner(tx, deps, 'confirmed', request)
  await auditPayoutAction(tx, deps, by, 'payout.confirm', id)
}
