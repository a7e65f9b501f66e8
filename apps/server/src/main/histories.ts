import { coinHistories, coinMovements } from '../modules/coin/index.ts'
import { depositHistories } from '../modules/deposits/index.ts'
import type { History } from '../modules/members/index.ts'
import { nftHistories, nftMovements } from '../modules/nfts/index.ts'
import { rewardHistories } from '../modules/rewards/index.ts'
import { stakingHistories, stakingMovements } from '../modules/staking/index.ts'
import { supportHistories } from '../modules/support/index.ts'
import { transferHistories, transferMovements } from '../modules/transfers/index.ts'
import type { Movements } from '../modules/wallets/index.ts'
import { withdrawalHistories } from '../modules/withdrawals/index.ts'

/** Every list that members have of their own rows. */
export const histories: readonly History[] = [
  ...depositHistories,
  ...withdrawalHistories,
  ...coinHistories,
  ...transferHistories,
  ...stakingHistories,
  ...nftHistories,
  ...rewardHistories,
  ...supportHistories,
]

/** What the ledger's transfers are called where no list has them. */
export const movements: Movements = { ...coinMovements, ...transferMovements, ...stakingMovements, ...nftMovements }
