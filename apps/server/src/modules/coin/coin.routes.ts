import * as wire from '@tizara/contract/coin'
import { answer, answers, type Bind } from '../../http/calls/bind-route.ts'
import { coinPriceDays } from '../settings/index.ts'
import { buyTokens } from './buy-token.ts'
import { listPurchases } from './coin.queries.ts'

export function coinRoutes(bind: Bind): void {
  bind.moneyBatch(wire.buyToken, async (tx, deps, calls) => {
    const inputs = calls.map(({ viewer, body }) => ({ memberId: viewer.memberId, ...body }))
    const say = (id: string) => answer({ receipt: { kind: 'buy-token' as const, id } }, 'Successfully purchased')
    return answers(await buyTokens(tx, deps, inputs), say)
  })
  bind.read(wire.buyTokenHistory, async ({ db, viewer, query }) => answer(await listPurchases(db, viewer.memberId, query)))
  bind.read(wire.coinPriceHistory, async ({ db, deps, query }) => answer({ days: await coinPriceDays(db, deps.clock.now(), query.days) }))
}
