import type { Db } from '../../platform/db/database.ts'
import { tradeSettings } from '../settings/index.ts'
import { listPlans } from '../staking/index.ts'

/** Maximum plans in the offer. */
const MAX_PLANS = 100

/** Reads the price that a purchase costs now, in USD units per coin, and the stake plans on sale. */
export async function readOffer(db: Db, now: Date) {
  const settings = await tradeSettings(db, now)
  const { data } = await listPlans(db, now, { page: 1, limit: MAX_PLANS, status: 'ACTIVE' })
  const plans = data.map(({ id, planName, duration, minimum, apy }) => ({ id, planName, duration, minimum, apy }))
  return { coinPrice: settings.buyPrice, plans }
}
