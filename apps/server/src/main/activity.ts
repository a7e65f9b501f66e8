import { withCoinPurchase } from '../modules/coin/index.ts'
import { withActiveNft } from '../modules/nfts/index.ts'
import { withRunningStake } from '../modules/staking/index.ts'

/** Queries of the three facts that make a member active (EN-10), for profile and team. */
export const activity = { withRunningStake, withActiveNft, withCoinPurchase }
