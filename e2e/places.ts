/** One place of the product as the requirements name it. */
export interface Place {
  /** Requirement that names the place, as it stands in a test's title. */
  id: string
  path: string
  title: string
  /** The page's heading where it is not its title. */
  heading?: string
}

/** Open to everybody, RT-09 to RT-16 and RT-51 to RT-53. */
export const publicPlaces: readonly Place[] = [
  { id: '[RT-09]', path: '/', title: 'Sign In' },
  { id: '[RT-10]', path: '/auth/signin', title: 'Sign In' },
  { id: '[RT-11]', path: '/auth/signup', title: 'Sign Up', heading: 'Sign Up to Tizara' },
  { id: '[RT-12]', path: '/auth/forgot-password', title: 'Forgot Password' },
  { id: '[RT-13]', path: '/auth/reset-password?token=none', title: 'Reset Password' },
  { id: '[RT-14]', path: '/auth/verify?token=none', title: 'Verify Email' },
  { id: '[RT-15]', path: '/verify-token', title: 'OTP Verification' },
  { id: '[RT-16]', path: '/auth-admin', title: 'Admin Sign In' },
  { id: '[RT-51]', path: '/invoice', title: 'Invoice' },
  { id: '[RT-52]', path: '/pay/success', title: 'Payment Success' },
  { id: '[RT-53]', path: '/pay/cancel', title: 'Payment Success' },
]

/** Behind the guard, RT-18 to RT-57; a ticket is missing, for its path names one. */
export const memberPlaces: readonly Place[] = [
  { id: '[RT-18]', path: '/dashboard', title: 'Dashboard' },
  { id: '[RT-19]', path: '/store-nft/buy-nft', title: 'Purchase NFT' },
  { id: '[RT-20]', path: '/special-rcm/last-sponsors', title: 'Purchase NFT' },
  { id: '[RT-22]', path: '/store-nft/nft-level-bonus', title: 'NFT Level Bonus History' },
  { id: '[RT-23]', path: '/store-nft/nft-histor_y', title: 'NFT History' },
  { id: '[RT-25]', path: '/store-nft/nft-roi', title: 'NFT ROI History' },
  { id: '[RT-26]', path: '/store-nft/nft-roi-profit-bounty', title: 'NFT Profit Bounty History' },
  { id: '[RT-27]', path: '/stack-coin', title: 'Stake Now' },
  { id: '[RT-28]', path: '/my-stack-coin', title: 'My Staked' },
  { id: '[RT-29]', path: '/my-stack-logs', title: 'My Staked Logs' },
  { id: '[RT-30]', path: '/roi-history', title: 'Reward History' },
  { id: '[RT-31]', path: '/stake-logs-roi', title: 'Stake log Rewards' },
  { id: '[RT-32]', path: '/profit-bounty-history', title: 'Profit Bounty History' },
  { id: '[RT-33]', path: '/logs-profit-bounty-history', title: 'Stake Logs Profit Bounty' },
  { id: '[RT-34]', path: '/stake-reward', title: 'Stake Level Reward' },
  { id: '[RT-35]', path: '/history/transaction-history', title: 'Transaction History' },
  { id: '[RT-36]', path: '/history/withdraw-history', title: 'Swap History' },
  { id: '[RT-38]', path: '/history/transfer-history', title: 'Transfer to My wallet History' },
  { id: '[RT-39]', path: '/history/usd-transfer-history', title: 'USD Withdraw History' },
  { id: '[RT-40]', path: '/history/deposit-wallet', title: 'Deposit Wallet' },
  { id: '[RT-41]', path: '/history/native-wallet', title: 'Native Wallet' },
  { id: '[RT-42]', path: '/history/Ico-wallet', title: 'ICO Wallet' },
  { id: '[RT-43]', path: '/deposit-wallet-history', title: 'Payment History' },
  { id: '[RT-45]', path: '/buy-token-history', title: 'Buy token history' },
  { id: '[RT-46]', path: '/rank-bonus', title: 'Rank Bonus History' },
  { id: '[RT-47]', path: '/my-team', title: 'My Team' },
  { id: '[RT-48]', path: '/my-referrals', title: 'My Referrals' },
  { id: '[RT-49]', path: '/special-rcm', title: 'Special Rcm' },
  { id: '[RT-50]', path: '/profile', title: 'Profile' },
  { id: '[RT-55]', path: '/support', title: 'Support' },
  { id: '[RT-57]', path: '/create-ticket', title: 'Create Ticket' },
]

/** The ids of some places, for a test's title. */
export const idsOf = (places: readonly Place[]): string => places.map(({ id }) => id).join(' ')
