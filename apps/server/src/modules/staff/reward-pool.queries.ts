import type { Db } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { coverageOf, haltedSince } from '../rewards/index.ts'

/** What the reward pool holds, what is set against promises besides, and what it promises and owes, by asset. */
export async function readRewardPool(db: Db, deps: Pick<Deps, 'clock'>) {
  const now = deps.clock.now()
  const of = async (asset: 'COIN' | 'USD', name: 'coin' | 'usd') => {
    const { pool, committed, promised, owed } = await coverageOf(db, asset, now)
    return { asset: name, pool, committed, promised, owed }
  }
  return { assets: [await of('COIN', 'coin'), await of('USD', 'usd')], haltedSince: await haltedSince(db) }
}
