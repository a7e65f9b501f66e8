import * as wire from '@tizara/contract/coin'
import { answer, type Bind } from '../../http/bind-route.ts'
import { coinPriceDays } from '../settings/index.ts'
import { buyToken } from './buy-token.ts'
import { listPurchases } from './coin.queries.ts'

/** Binds the calls of this capability. */
export function coinRoutes(bind: Bind): void {
  bind.money(wire.buyToken, async ({ tx, deps, viewer, body }) => {
    const id = await buyToken(tx, deps, { memberId: viewer.memberId, ...body })
    return answer({ receipt: { kind: 'buy-token', id } }, 'Successfully purchased')
  })
  bind.read(wire.buyTokenHistory, async ({ db, viewer, query }) => answer(await listPurchases(db, viewer.memberId, query)))
  bind.read(wire.coinPriceHistory, async ({ db, deps, query }) => answer({ days: await coinPriceDays(db, deps.clock.now(), query.days) }))
}
