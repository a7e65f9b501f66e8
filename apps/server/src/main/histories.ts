import { coinHistories } from '../modules/coin/index.ts'
import { depositHistories } from '../modules/deposits/index.ts'
import type { History } from '../modules/histories/index.ts'
import { importHistories } from '../modules/import/index.ts'
import { nftHistories } from '../modules/nfts/index.ts'
import { rewardHistories } from '../modules/rewards/index.ts'
import { stakingHistories } from '../modules/staking/index.ts'
import { supportHistories } from '../modules/support/index.ts'
import { transferHistories } from '../modules/transfers/index.ts'
import { withdrawalHistories } from '../modules/withdrawals/index.ts'

/** All lists of a member's own rows. */
export const histories: readonly History[] = [
  ...depositHistories,
  ...withdrawalHistories,
  ...coinHistories,
  ...transferHistories,
  ...stakingHistories,
  ...nftHistories,
  ...rewardHistories,
  ...supportHistories,
  ...importHistories,
]
