import { withCoinPurchase } from '../modules/coin/index.ts'
import { withActiveNft } from '../modules/nfts/index.ts'
import { withRunningStake } from '../modules/staking/index.ts'

/** What makes a member active, for profile and team. */
export const activity = { withRunningStake, withActiveNft, withCoinPurchase }
