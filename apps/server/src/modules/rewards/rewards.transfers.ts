import { irreversible, reversible } from '../../ledger/index.ts'
import type { MovingKind } from '../wallets/index.ts'

const RUN = irreversible('rewards of a day depend on a stake or NFT: reverse that one under the member')
const HELD_REWARD = irreversible('cancel the reward on hold under the member, or reverse its purchase')
const COIN = [['SYS-REWARD COIN', 'nativeWallet']] as const
const USD = [['SYS-REWARD USD', 'nftWallet']] as const

export const rewardTransfers = {
  stakeRewards: {
    cause: 'reward_run',
    pairs: COIN,
    receipt: { title: 'Stake rewards', staffTitle: 'Daily stake rewards', group: 'reward' },
    reversal: RUN,
  },
  stakeLogRewards: {
    cause: 'reward_run',
    pairs: COIN,
    receipt: { title: 'Stake log rewards', staffTitle: 'Stake-log rewards', group: 'reward' },
    reversal: RUN,
  },
  nftRewards: { cause: 'reward_run', pairs: USD, receipt: { title: 'NFT rewards', group: 'reward' }, reversal: RUN },
  referralReward: { cause: 'reward_instant', pairs: COIN, receipt: { title: 'Referral reward', group: 'reward' }, reversal: HELD_REWARD },
  levelReward: { cause: 'reward_instant', pairs: COIN, receipt: { title: 'Level reward', group: 'reward' }, reversal: HELD_REWARD },
  rankBonus: { cause: 'reward_instant', pairs: COIN, receipt: { title: 'Rank bonus', group: 'reward' }, reversal: HELD_REWARD },
  nftLevelBonus: { cause: 'reward_instant', pairs: USD, receipt: { title: 'NFT level bonus', group: 'reward' }, reversal: HELD_REWARD },
  rcmCredit: {
    cause: 'rcm_credit',
    pairs: [['SYS-REWARD COIN', 'rcmWallet']],
    receipt: { title: 'RCM credit', group: 'reward' },
    reversal: reversible('The coin goes back into the reward pool.'),
  },
  fundSales: {
    cause: 'sales_fund',
    pairs: [['SYS-OPERATOR USD', 'SYS-SALES USD']],
    reversal: irreversible('members may have sold coin against it already'),
  },
  fundRewardPool: {
    cause: 'reward_pool',
    pairs: [
      ['SYS-COIN COIN', 'SYS-REWARD COIN'],
      ['SYS-SALES USD', 'SYS-REWARD USD'],
      ['SYS-OPERATOR COIN', 'SYS-REWARD COIN'],
      ['SYS-OPERATOR USD', 'SYS-REWARD USD'],
    ],
    reversal: irreversible('money in the reward pool covers promised rewards and leaves it only as a reward'),
  },
} as const satisfies Record<string, MovingKind>

declare module '../../ledger/transfer-kinds.ts' {
  interface DeclaredTransfers {
    rewards: keyof typeof rewardTransfers
  }
}
