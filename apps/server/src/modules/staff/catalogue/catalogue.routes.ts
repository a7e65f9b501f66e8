import * as wire from '@tizara/contract/staff-changes'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { coinPriceDays } from '../../settings/index.ts'
import { readCatalogue } from './catalogue.queries.ts'
import { catalogueStanding } from './catalogue-standing.queries.ts'

/** Binds the routes that read current prices, plans and rules, and their history. */
export function catalogueRoutes(bind: Bind): void {
  bind.read(wire.staffCatalogue, async ({ db, deps, viewer }) => {
    const standing = await catalogueStanding(db, viewer.memberId, deps.clock.now())
    return answer({ ...(await readCatalogue(db, deps)), standing })
  })
  bind.read(wire.priceHistory, async ({ db, deps, query }) => answer(await coinPriceDays(db, deps.clock.now(), query.days)))
}
