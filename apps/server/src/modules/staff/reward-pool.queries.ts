import type { Db } from '../../platform/database.ts'
import { coverageOf, haltedSince } from '../rewards/index.ts'

/** What the reward pool holds, what is set against promises besides, and what it promises and owes, by asset. */
export async function readRewardPool(db: Db) {
  const of = async (asset: 'COIN' | 'USD', name: 'coin' | 'usd') => {
    const { pool, committed, promised, owed } = await coverageOf(db, asset)
    return { asset: name, pool, committed, promised, owed }
  }
  return { assets: [await of('COIN', 'coin'), await of('USD', 'usd')], haltedSince: await haltedSince(db) }
}
