import * as wire from '@tizara/contract/withdrawals'
import { answer, answers, type Bind } from '../../http/bind-route.ts'
import { requestBridges } from './request-bridge.ts'
import { requestWithdrawals } from './request-withdrawal.ts'
import { listBridges, listWithdrawals } from './withdrawals.queries.ts'

/** Binds the calls of this capability. */
export function withdrawalRoutes(bind: Bind): void {
  bind.moneyTogether(wire.withdrawDeposit, async (tx, deps, calls) => {
    const wishes = calls.map(({ viewer, body, caller }) => ({ memberId: viewer.memberId, ...body, quoted: caller.quoted }))
    const say = (id: string) => answer({ receipt: { kind: 'withdrawal' as const, id } }, 'Withdraw request success')
    return answers(await requestWithdrawals(tx, deps, wishes), say)
  })
  bind.moneyTogether(wire.bridge, async (tx, deps, calls) => {
    const wishes = calls.map(({ viewer, body: { to: address, ...wish }, caller }) => ({
      memberId: viewer.memberId,
      ...wish,
      address,
      quoted: caller.quoted,
    }))
    const say = (id: string) => answer({ receipt: { kind: 'bridge' as const, id } }, 'Bridged Request success')
    return answers(await requestBridges(tx, deps, wishes), say)
  })
  bind.read(wire.bridgeHistory, async ({ db, viewer, query }) => answer(await listBridges(db, viewer.memberId, query)))
  bind.read(wire.withdrawalHistory, async ({ db, viewer, query }) => answer(await listWithdrawals(db, viewer, query)))
}
