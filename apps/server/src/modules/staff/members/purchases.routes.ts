import * as wire from '@tizara/contract/staff-purchases'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { bindProposals } from '../proposals/bind-proposals.ts'
import { listMemberPurchases, purchaseByPublicId } from './purchases.queries.ts'

/** Binds the calls to list and reverse members' purchases. */
export function purchaseRoutes(bind: Bind): void {
  bind.read(wire.staffPurchases, async ({ db, deps, params, query }) => answer(await listMemberPurchases(db, deps, params.id, query)))
  // Any amount requires a second person, because uninvolved members lose rewards.
  bindProposals(bind).money(wire.reversePurchase, ['purchase.reverse', 'purchase'], 'purchase-reversal', async (input, tx) => {
    const purchase = await purchaseByPublicId(tx, input.kind, input.id)
    if (purchase === undefined) throw new AppError('NOT_FOUND')
    const { kind, id, email, asset, amount } = purchase
    return { kind, id, email, asset, amount }
  })
}
