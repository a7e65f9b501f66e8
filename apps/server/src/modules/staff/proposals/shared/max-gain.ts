import type { Db } from '../../../../platform/db/database.ts'
import { nftsOnSale } from '../../../nfts/index.ts'
import { type MaxGain, currentProgramme, type Offer, maxGroupGain, type ProgrammeRules } from '../../../rewards/index.ts'
import { currentSettings } from '../../../settings/index.ts'
import { plansOnSale } from '../../../staking/index.ts'

/**
 * Computes the maximum gain of a member group under the current programme, plans, NFTs and settings [RW-14].
 * @param draft a programme instead of the current one
 */
export const currentMaxGain = async (db: Db, now: Date, draft?: ProgrammeRules): Promise<MaxGain> =>
  maxGroupGain(await currentOffer(db, now, draft))

/** Reads all current values that affect the earnings on coin. */
export async function currentOffer(db: Db, now: Date, draft?: ProgrammeRules): Promise<Offer> {
  const rules = draft ?? (await currentProgramme(db, now))
  const settings = await currentSettings(db, now)
  return {
    rules,
    plans: await plansOnSale(db, now),
    nfts: await nftsOnSale(db, now),
    holdDays: settings.rewardHoldDays,
    coinPrice: settings.coinPrice,
    convertRate: settings.convertRate,
    withdrawalFeePercent: settings.platformFeePercent + settings.networkFeePercent,
    bridgeFeePercent: settings.bridgeFeePercent,
    boundWarningPercent: settings.boundWarningPercent,
  }
}
