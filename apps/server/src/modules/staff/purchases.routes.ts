import * as wire from '@tizara/contract/staff-purchases'
import { answer, type Bind } from '../../http/bind-route.ts'
import { fileUndo } from './file-undo.ts'
import { listMemberPurchases } from './purchases.queries.ts'
import { actorOf, refusals } from './viewer.ts'

/** Binds the calls about members' purchases: what can be undone, undoing it, and who may buy below oneself. */
export function purchaseRoutes(bind: Bind): void {
  bind.read(wire.staffPurchases, async ({ db, deps, params, query }) => answer(await listMemberPurchases(db, deps, params.id, query)))
  bind.money(
    wire.undoPurchase,
    async ({ tx, deps, viewer, caller, params, body }) => {
      const changeId = await fileUndo(tx, deps, actorOf(viewer, caller), { ...params, reason: body.reason })
      return answer({ changeId }, 'Another staff member has to approve this')
    },
    refusals('purchase.undo', 'purchase'),
  )
}
