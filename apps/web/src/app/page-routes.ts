import { type PageGroup, texts } from '@tizara/languages'

/** Product page, used by the app, the build and its budgets. */
export interface PageRoute {
  /** Literal, case-sensitive path; `:id` matches one segment. */
  path: string
  /** Exact page title (GN-30, GN-31). */
  title: string
  /** The screen's module and file: `auth/sign-in` is `src/auth/sign-in.screen.tsx`. */
  screen: string
  /** A public page's frame: by default a form beside an image; `bare`: full width; `quiet`: no theme switch. */
  frame?: 'bare' | 'quiet'
  /** Set for public pages that query the server. Member pages get the query client from their layout. */
  reads?: true
  /** Group whose file has the texts of the page in another language; `lists` by default. */
  group?: Exclude<PageGroup, 'lists'>
}

/** Pages outside the member layout (RT-08), in requirement row order. */
export const publicRoutes = texts<readonly PageRoute[]>('title', [
  { path: '/', title: 'Sign In', screen: 'auth/sign-in', group: 'arrival' },
  { path: '/auth/signin', title: 'Sign In', screen: 'auth/sign-in', group: 'arrival' },
  { path: '/auth/signup', title: 'Sign Up', screen: 'auth/sign-up', group: 'arrival' },
  { path: '/auth/forgot-password', title: 'Forgot Password', screen: 'auth/forgot-password', group: 'arrival' },
  { path: '/auth/reset-password', title: 'Reset Password', screen: 'auth/reset-password', group: 'arrival' },
  { path: '/auth/verify', title: 'Verify Email', screen: 'auth/verify-email', frame: 'quiet', group: 'arrival' },
  { path: '/verify-token', title: 'OTP Verification', screen: 'auth/otp', group: 'arrival' },
  { path: '/payout', title: 'Payout', screen: 'withdrawals/payout-link', group: 'account' },
  { path: '/email-change', title: 'Email address', screen: 'members/email-change', group: 'account' },
  { path: '/terms', title: 'Terms of use', screen: 'terms-of-use/terms', reads: true, group: 'arrival' },
  { path: '/about', title: 'About', screen: 'trust/about', frame: 'bare', reads: true },
  { path: '/auth-admin', title: 'Admin Sign In', screen: 'auth/admin-sign-in', group: 'arrival' },
  { path: '/invoice', title: 'Invoice', screen: 'deposits/invoice', frame: 'bare', reads: true, group: 'arrival' },
  { path: '/pay/success', title: 'Payment Success', screen: 'app/pay', frame: 'bare', group: 'arrival' },
  { path: '/pay/cancel', title: 'Payment Success', screen: 'app/pay', frame: 'bare', group: 'arrival' },
])

/** Pages inside the protected layout (RT-03, RT-04). */
export const memberRoutes = texts<readonly PageRoute[]>('title', [
  { path: '/dashboard', title: 'Dashboard', screen: 'dashboard/dashboard', group: 'arrival' },
  { path: '/store-nft/buy-nft', title: 'Purchase NFT', screen: 'nfts/buy-nft', group: 'arrival' },
  { path: '/special-rcm/last-sponsors', title: 'Purchase NFT', screen: 'nfts/buy-nft', group: 'arrival' },
  { path: '/store-nft/nft-level-bonus', title: 'NFT Level Bonus History', screen: 'rewards/nft-level-bonus' },
  { path: '/store-nft/nft-histor_y', title: 'NFT History', screen: 'nfts/nft-history' },
  { path: '/store-nft/nft-roi', title: 'NFT ROI History', screen: 'rewards/nft-roi' },
  { path: '/store-nft/nft-roi-profit-bounty', title: 'NFT Profit Bounty History', screen: 'rewards/nft-profit-bounty' },
  { path: '/stack-coin', title: 'Stake Now', screen: 'staking/stake-now', group: 'arrival' },
  { path: '/my-stack-coin', title: 'My Staked', screen: 'staking/my-staked' },
  { path: '/my-stack-logs', title: 'My Staked Logs', screen: 'staking/my-staked-logs' },
  { path: '/roi-history', title: 'Reward History', screen: 'rewards/reward-history' },
  { path: '/stake-logs-roi', title: 'Stake log Rewards', screen: 'rewards/stake-log-rewards' },
  { path: '/profit-bounty-history', title: 'Profit Bounty History', screen: 'rewards/profit-bounty' },
  { path: '/logs-profit-bounty-history', title: 'Stake Logs Profit Bounty', screen: 'rewards/stake-logs-profit-bounty' },
  { path: '/stake-reward', title: 'Stake Level Reward', screen: 'rewards/stake-level-reward' },
  { path: '/history/transaction-history', title: 'Transaction History', screen: 'rewards/transaction-history' },
  { path: '/history/withdraw-history', title: 'Swap History', screen: 'withdrawals/bridge-history' },
  { path: '/history/transfer-history', title: 'Transfer to My wallet History', screen: 'transfers/exchange-history' },
  { path: '/history/usd-transfer-history', title: 'USD Withdraw History', screen: 'withdrawals/withdrawal-history' },
  { path: '/history/deposit-wallet', title: 'Deposit Wallet', screen: 'app/placeholder' },
  { path: '/history/native-wallet', title: 'Native Wallet', screen: 'app/placeholder' },
  { path: '/history/Ico-wallet', title: 'ICO Wallet', screen: 'app/placeholder' },
  { path: '/deposit-wallet-history', title: 'Payment History', screen: 'deposits/payment-history' },
  { path: '/buy-token-history', title: 'Buy token history', screen: 'coin/buy-token-history' },
  { path: '/rank-bonus', title: 'Rank Bonus History', screen: 'rewards/rank-bonus' },
  { path: '/my-team', title: 'My Team', screen: 'team/my-team' },
  { path: '/my-referrals', title: 'My Referrals', screen: 'team/my-referrals' },
  { path: '/special-rcm', title: 'Special Rcm', screen: 'team/special-rcm' },
  { path: '/profile', title: 'Profile', screen: 'members/profile', group: 'account' },
  { path: '/support', title: 'Support', screen: 'support/support', group: 'account' },
  { path: '/ticket/show/:id', title: 'Ticket', screen: 'support/ticket', group: 'account' },
  { path: '/create-ticket', title: 'Create Ticket', screen: 'support/create-ticket', group: 'account' },
  { path: '/trust', title: 'Trust', screen: 'trust/trust' },
  { path: '/activity', title: 'Activity', screen: 'wallets/activity' },
  { path: '/inbox', title: 'Inbox', screen: 'members/inbox', group: 'account' },
  { path: '/earnings', title: 'My earnings', screen: 'rewards/earnings' },
  { path: '/reward-budget', title: 'What pays for rewards', screen: 'rewards/reward-budget' },
])

/** Any other path (RT-58). */
export const notFound = texts<PageRoute>('title', {
  path: '*',
  title: 'Not Found',
  screen: 'app/not-found',
  frame: 'bare',
  group: 'arrival',
})

/** Entry files in `src` that pages need besides their screens, each with its imports (chunks.ts). */
export const roles = {
  /** All pages. */
  page: ['app/main.tsx'],
  /** Prerendered page. */
  signIn: ['app/main-sign-in.tsx'],
  /** Loaded by the sign-in page on interaction: calls and their schemas. */
  calls: ['auth/sign-in-calls.ts'],
  /** Member pages' frame, and code that nearly all use. */
  member: [
    'app/frame/member-frame.ts',
    'lib/lazy-dialog.ts',
    'lib/lists/list-columns.tsx',
    'lib/moment.tsx',
    'lib/receipts/receipt-link.ts',
    'ui/address.tsx',
    'ui/art/empty-art.tsx',
    'ui/card.tsx',
    'ui/description-list.tsx',
    'ui/empty-state.tsx',
    'ui/money.tsx',
    'ui/page-header.tsx',
    'ui/skeleton.tsx',
    'wallets/wallet-names.ts',
    'wallets/wallet.queries.ts',
  ],
  form: ['ui/field.tsx', 'ui/input.tsx', 'ui/select.tsx', 'ui/use-form.ts', 'ui/password-input.tsx'],
  list: ['lib/lists/paged-list.tsx', 'lib/receipts/receipt-drawer.tsx', 'lib/status-badge.tsx'],
} as const

/** Modules shared by a few pages, by chunk. Matches path prefixes as in chunks.ts; the first match wins. */
export const shared: Readonly<Record<string, readonly string[]>> = {
  charts: ['package/d3-', 'ui/charts/', 'lib/drawn', 'dashboard/weekly-rewards'],
  'ticket-form': [
    'support/ticket-image',
    'support/image-location',
    'support/reply-form',
    'ui/textarea',
    'ui/file-input',
    'icon/paperclip',
    'icon/image-off',
  ],
  support: ['support/', 'contract/support'],
  nfts: ['contract/nfts', 'nfts/nfts.messages'],
  earnings: ['contract/rewards-earnings', 'contract/reward-names', 'rewards/earnings.queries'],
  trust: ['trust/format-share', 'trust/trust.queries', 'trust/asset-unit'],
  rewards: ['contract/rewards', 'contract/response-texts', 'rewards/'],
  staking: ['contract/staking', 'staking/stake-', 'staking/staking.'],
  'nft-shop': ['nfts/nfts.', 'nfts/nft-art'],
  team: ['team/', 'contract/team'],
  account: ['contract/auth'],
  facts: [
    'ui/stat-card',
    'icon/info',
    'transfers/lazy-exchange',
    'ui/copy-',
    'icon/copy',
    'lib/lists/damaged-note',
    'ui/notice',
    'ui/progress',
    'icon/triangle-exclamation-point',
  ],
  parts: [
    'ui/amount-input',
    'ui/radio-cards',
    'ui/segmented',
    'ui/select',
    'lib/use-countdown',
    'staking/plan-field',
    'wallets/typed-amount',
    'icon/check',
    'icon/clock',
    'icon/external-link',
  ],
  'to-stake': ['transfers/coin-elsewhere'],
  coin: ['contract/coin', 'coin/coin.'],
  deposits: ['contract/deposits', 'contract/returnable', 'deposits/deposits.'],
  transfers: ['contract/transfers', 'transfers/transfers.messages'],
  'payout-guard': ['contract/withdrawals-guard', 'lib/proofs/proof-field', 'withdrawals/use-step-up', 'withdrawals/step-up-field'],
  withdrawals: ['contract/withdrawals', 'withdrawals/withdrawal', 'withdrawals/waiting-mark', 'withdrawals/payout-'],
  steps: ['ui/stepper'],
  'move-forms': [
    'coin/buy-token.dialog',
    'deposits/de',
    'deposits/token',
    'deposits/use-departure',
    'transfers/',
    'withdrawals/',
    'wallets/',
    'lib/http/use-idempotency-key',
    'ui/dialog',
  ],
}
