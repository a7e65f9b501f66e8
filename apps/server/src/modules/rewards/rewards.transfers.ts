import type { TransferKind } from '../../ledger/index.ts'

const COIN = [['SYS-REWARD COIN', 'nativeWallet']] as const
const USD = [['SYS-REWARD USD', 'nftWallet']] as const

export const rewardTransfers = {
  stakeRewards: { cause: 'reward_run', pairs: COIN },
  stakeLogRewards: { cause: 'reward_run', pairs: COIN },
  nftRewards: { cause: 'reward_run', pairs: USD },
  referralReward: { cause: 'reward_instant', pairs: COIN },
  levelReward: { cause: 'reward_instant', pairs: COIN },
  rankBonus: { cause: 'reward_instant', pairs: COIN },
  nftLevelBonus: { cause: 'reward_instant', pairs: USD },
  rcmCredit: { cause: 'rcm_credit', pairs: [['SYS-REWARD COIN', 'rcmWallet']] },
  fundSales: { cause: 'sales_fund', pairs: [['SYS-OPERATOR USD', 'SYS-SALES USD']] },
  fundRewardPool: {
    cause: 'reward_pool',
    pairs: [
      ['SYS-COIN COIN', 'SYS-REWARD COIN'],
      ['SYS-SALES USD', 'SYS-REWARD USD'],
      ['SYS-OPERATOR COIN', 'SYS-REWARD COIN'],
      ['SYS-OPERATOR USD', 'SYS-REWARD USD'],
    ],
  },
} as const satisfies Record<string, TransferKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    rewards: keyof typeof rewardTransfers
  }
}
