import type { RewardKind } from './rewards.ts'

/** Names of the reward kinds on pages and in files. */
export const rewardNames: Readonly<Record<RewardKind, string>> = {
  referral: 'Referral rewards',
  level: 'Level rewards',
  daily: 'Daily rewards',
  'profit-bounty': 'Profit bounty',
  'stake-log': 'Omega rewards',
  'stake-log-bounty': 'Omega bounty',
  rank: 'Rank bonus',
  'nft-monthly': 'NFT rewards',
  'nft-level': 'NFT level bonus',
  'nft-profit-bounty': 'NFT bounty',
}
