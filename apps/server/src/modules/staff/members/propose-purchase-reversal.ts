import type { PurchaseKind } from '@tizara/contract/staff-purchases'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertStaff, type StaffActor } from '../access/actor.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'
import { purchaseByPublicId } from './purchases.queries.ts'

/**
 * Proposes to reverse a purchase. Any amount requires a second person, because uninvolved members lose rewards.
 * @returns the proposal's public id
 * @throws AppError STAFF_ONLY, NOT_FOUND, PURCHASE_NOT_REVERSIBLE, INSUFFICIENT_BALANCE, COIN_SOLD_OUT, FOUR_EYES for the actor's purchase
 */
export async function proposePurchaseReversal(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { kind: PurchaseKind; id: string; reason: string },
): Promise<string> {
  await assertStaff(tx, deps, actor, 'reversePurchase')
  const purchase = await purchaseByPublicId(tx, input.kind, input.id)
  if (purchase === undefined) throw new AppError('NOT_FOUND')
  const { kind, id, email, asset, amount } = purchase
  return submitProposal(tx, deps, actor, { subject: 'purchase-reversal', value: { kind, id, email, asset, amount }, reason: input.reason })
}
