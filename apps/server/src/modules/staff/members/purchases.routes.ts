import * as wire from '@tizara/contract/staff-purchases'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { proposePurchaseReversal } from './propose-purchase-reversal.ts'
import { listMemberPurchases } from './purchases.queries.ts'
import { bindStaffActions, proposed } from '../access/bind-staff-actions.ts'

/** Binds the calls to list and reverse members' purchases. */
export function purchaseRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  bind.read(wire.staffPurchases, async ({ db, deps, params, query }) => answer(await listMemberPurchases(db, deps, params.id, query)))
  action.money(wire.reversePurchase, 'purchase.reverse', 'purchase', async ({ tx, deps, actor, input }) =>
    proposed(await proposePurchaseReversal(tx, deps, actor, input)),
  )
}
