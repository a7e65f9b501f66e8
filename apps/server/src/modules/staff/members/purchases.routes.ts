import * as wire from '@tizara/contract/staff-purchases'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { fileUndo } from './file-undo.ts'
import { listMemberPurchases } from './purchases.queries.ts'
import { bindStaffActions, filed } from '../access/bind-staff-actions.ts'

/** Binds the calls to list and reverse members' purchases. */
export function purchaseRoutes(bind: Bind): void {
  const act = bindStaffActions(bind)
  bind.read(wire.staffPurchases, async ({ db, deps, params, query }) => answer(await listMemberPurchases(db, deps, params.id, query)))
  act.money(wire.undoPurchase, 'purchase.undo', 'purchase', async ({ tx, deps, actor, input }) =>
    filed(await fileUndo(tx, deps, actor, input)),
  )
}
