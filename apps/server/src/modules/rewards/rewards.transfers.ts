import type { MovingKind } from '../wallets/index.ts'

const COIN = [['SYS-REWARD COIN', 'nativeWallet']] as const
const USD = [['SYS-REWARD USD', 'nftWallet']] as const

export const rewardTransfers = {
  stakeRewards: { cause: 'reward_run', pairs: COIN, receipt: { title: 'Stake rewards', group: 'reward' } },
  stakeLogRewards: { cause: 'reward_run', pairs: COIN, receipt: { title: 'Stake log rewards', group: 'reward' } },
  nftRewards: { cause: 'reward_run', pairs: USD, receipt: { title: 'NFT rewards', group: 'reward' } },
  referralReward: { cause: 'reward_instant', pairs: COIN, receipt: { title: 'Referral reward', group: 'reward' } },
  levelReward: { cause: 'reward_instant', pairs: COIN, receipt: { title: 'Level reward', group: 'reward' } },
  rankBonus: { cause: 'reward_instant', pairs: COIN, receipt: { title: 'Rank bonus', group: 'reward' } },
  nftLevelBonus: { cause: 'reward_instant', pairs: USD, receipt: { title: 'NFT level bonus', group: 'reward' } },
  rcmCredit: { cause: 'rcm_credit', pairs: [['SYS-REWARD COIN', 'rcmWallet']], receipt: { title: 'RCM credit', group: 'reward' } },
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
} as const satisfies Record<string, MovingKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    rewards: keyof typeof rewardTransfers
  }
}
