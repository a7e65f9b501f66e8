import type { Db } from '../../platform/database.ts'
import { nftsOnSale } from '../nfts/index.ts'
import { type Bound, currentProgramme, programmeBound } from '../rewards/index.ts'
import { currentSettings } from '../settings/index.ts'
import { plansOnSale } from '../staking/index.ts'

/** What a group of members can take out of the house as it stands: programme, plans and NFTs on sale, settings (RW-14). */
export async function currentBound(db: Db, now: Date): Promise<Bound> {
  const rules = await currentProgramme(db, now)
  const settings = await currentSettings(db, now)
  return programmeBound({
    rules,
    plans: await plansOnSale(db, now),
    nfts: await nftsOnSale(db, now),
    holdDays: settings.rewardHoldDays,
    coinPrice: settings.coinPrice,
    convertRate: settings.convertRate,
    withdrawalFeePercent: settings.platformFeePercent + settings.networkFeePercent,
    bridgeFeePercent: settings.bridgeFeePercent,
  })
}
