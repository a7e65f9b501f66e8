import * as wire from '@tizara/contract/withdrawals'
import { answer, type Bind } from '../../http/bind-route.ts'
import { requestBridge } from './request-bridge.ts'
import { requestWithdrawal } from './request-withdrawal.ts'
import { listBridges, listWithdrawals } from './withdrawals.queries.ts'

/** Binds the calls of this capability. */
export function withdrawalRoutes(bind: Bind): void {
  bind.money(wire.withdrawDeposit, async ({ tx, deps, viewer, body, caller }) => {
    const id = await requestWithdrawal(tx, deps, { memberId: viewer.memberId, ...body, quoted: caller.quoted })
    return answer({ receipt: { kind: 'withdrawal', id } }, 'Withdraw request success')
  })
  bind.money(wire.bridge, async ({ tx, deps, viewer, body, caller }) => {
    const { to: address, ...wish } = body
    const id = await requestBridge(tx, deps, { memberId: viewer.memberId, ...wish, address, quoted: caller.quoted })
    return answer({ receipt: { kind: 'bridge', id } }, 'Bridged Request success')
  })
  bind.read(wire.bridgeHistory, async ({ db, viewer, query }) => answer(await listBridges(db, viewer.memberId, query)))
  bind.read(wire.withdrawalHistory, async ({ db, viewer, query }) => answer(await listWithdrawals(db, viewer, query)))
}
