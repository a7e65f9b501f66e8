import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { readReturnable } from '../../deposits/index.ts'
import { cancelPlatformPayout, paymentReturnsOf } from '../../withdrawals/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'

/** Reads the returnable payments of a deposit and its earlier returns. A return needs two people. */
export async function readReturns(db: Db, deps: Pick<Deps, 'config' | 'clock'>, deposit: string) {
  return { returnable: await readReturnable(db, deps, deposit), returns: await paymentReturnsOf(db, deps, deposit) }
}

/**
 * Cancels the return of a payment. One person suffices, because the money stays in the hot wallet.
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED
 */
export async function stopPaymentReturn(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  { id, reason }: { id: string; reason: string },
): Promise<'CANCELLED' | 'CANCEL_REQUESTED'> {
  await assertStaff(tx, deps, actor, 'cancelPaymentReturn')
  const state = (await cancelPlatformPayout(tx, deps, id, 'RETURN')) === 'ended' ? 'CANCELLED' : 'CANCEL_REQUESTED'
  await auditStaff(tx, deps, actor, { action: 'payment-return.cancel', subject: { type: 'payment_return', id }, reason, detail: { state } })
  return state
}
