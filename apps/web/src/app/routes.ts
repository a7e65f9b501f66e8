import type { ComponentType } from 'react'

/** What every screen gets: the parts of its path. */
export interface ScreenProps {
  params: { id?: string }
}

type Screen = ComponentType<ScreenProps>

/** What the file of a screen holds. */
export interface ScreenFile {
  default: Screen
  /** Fetches what the screen says first. */
  firstLook?: () => Promise<void>
}

/** One place of the product. */
export interface AppRoute {
  /** Literal path, compared to the letter; `:id` stands for one part. */
  path: string
  /** The page's title, to the letter (GN-30, GN-31). */
  title: string
  /** `member`: inside the protected layout (RT-03, RT-04). `public`: outside it (RT-08). */
  guard: 'public' | 'member'
  /** Fetches the screen's code. A place without it has no screen yet and answers as not found. */
  load?: () => Promise<ScreenFile>
  /** A public page's frame: a form beside a picture when left out, `bare`: the whole width, `quiet`: no theme switch. */
  frame?: 'bare' | 'quiet'
}

const named = (screen: Screen): ScreenFile => ({ default: screen })

/** A public screen that reads server state (a member's has its provider from the layout): `load: queried(() => import(…))`. */
const queried = (load: () => Promise<ScreenFile>) => async (): Promise<ScreenFile> => {
  const [{ withQueries }, screen] = await Promise.all([import('./query-provider.tsx'), load()])
  return named(withQueries(screen.default))
}

/** Every place of the product, in the order of the requirement rows RT-09 to RT-58. */
const routes: readonly AppRoute[] = [
  { path: '/', title: 'Sign In', guard: 'public', load: () => import('../auth/sign-in.screen.tsx') },
  { path: '/auth/signin', title: 'Sign In', guard: 'public', load: () => import('../auth/sign-in.screen.tsx') },
  { path: '/auth/signup', title: 'Sign Up', guard: 'public', load: () => import('../auth/sign-up.screen.tsx') },
  { path: '/auth/forgot-password', title: 'Forgot Password', guard: 'public', load: () => import('../auth/forgot-password.screen.tsx') },
  { path: '/auth/reset-password', title: 'Reset Password', guard: 'public', load: () => import('../auth/reset-password.screen.tsx') },
  { path: '/auth/verify', title: 'Verify Email', guard: 'public', frame: 'quiet', load: () => import('../auth/verify-email.screen.tsx') },
  { path: '/verify-token', title: 'OTP Verification', guard: 'public', load: () => import('../auth/otp.screen.tsx') },
  { path: '/auth-admin', title: 'Admin Sign In', guard: 'public', load: () => import('../auth/admin-sign-in.screen.tsx') },
  { path: '/dashboard', title: 'Dashboard', guard: 'member', load: () => import('../dashboard/dashboard.screen.tsx') },
  { path: '/store-nft/buy-nft', title: 'Purchase NFT', guard: 'member', load: () => import('../nfts/buy-nft.screen.tsx') },
  { path: '/special-rcm/last-sponsors', title: 'Purchase NFT', guard: 'member', load: () => import('../nfts/buy-nft.screen.tsx') },
  {
    path: '/store-nft/nft-level-bonus',
    title: 'NFT Level Bonus History',
    guard: 'member',
    load: () => import('../rewards/nft-level-bonus.screen.tsx'),
  },
  { path: '/store-nft/nft-histor_y', title: 'NFT History', guard: 'member', load: () => import('../nfts/nft-history.screen.tsx') },
  { path: '/store-nft/nft-roi', title: 'NFT ROI History', guard: 'member', load: () => import('../rewards/nft-roi.screen.tsx') },
  {
    path: '/store-nft/nft-roi-profit-bounty',
    title: 'NFT Profit Bounty History',
    guard: 'member',
    load: () => import('../rewards/nft-profit-bounty.screen.tsx'),
  },
  { path: '/stack-coin', title: 'Stake Now', guard: 'member', load: () => import('../staking/stake-now.screen.tsx') },
  { path: '/my-stack-coin', title: 'My Staked', guard: 'member', load: () => import('../staking/my-staked.screen.tsx') },
  { path: '/my-stack-logs', title: 'My Staked Logs', guard: 'member', load: () => import('../staking/my-staked-logs.screen.tsx') },
  { path: '/roi-history', title: 'Reward History', guard: 'member', load: () => import('../rewards/reward-history.screen.tsx') },
  { path: '/stake-logs-roi', title: 'Stake log Rewards', guard: 'member', load: () => import('../rewards/stake-log-rewards.screen.tsx') },
  {
    path: '/profit-bounty-history',
    title: 'Profit Bounty History',
    guard: 'member',
    load: () => import('../rewards/profit-bounty.screen.tsx'),
  },
  {
    path: '/logs-profit-bounty-history',
    title: 'Stake Logs Profit Bounty',
    guard: 'member',
    load: () => import('../rewards/stake-logs-profit-bounty.screen.tsx'),
  },
  { path: '/stake-reward', title: 'Stake Level Reward', guard: 'member', load: () => import('../rewards/stake-level-reward.screen.tsx') },
  {
    path: '/history/transaction-history',
    title: 'Transaction History',
    guard: 'member',
    load: () => import('../rewards/transaction-history.screen.tsx'),
  },
  {
    path: '/history/withdraw-history',
    title: 'Swap History',
    guard: 'member',
    load: () => import('../withdrawals/bridge-history.screen.tsx'),
  },
  {
    path: '/history/transfer-history',
    title: 'Transfer to My wallet History',
    guard: 'member',
    load: () => import('../transfers/exchange-history.screen.tsx'),
  },
  {
    path: '/history/usd-transfer-history',
    title: 'USD Withdraw History',
    guard: 'member',
    load: () => import('../withdrawals/withdrawal-history.screen.tsx'),
  },
  {
    path: '/history/deposit-wallet',
    title: 'Deposit Wallet',
    guard: 'member',
    load: () => import('./placeholder.screen.tsx').then((file) => named(file.DepositWalletScreen)),
  },
  {
    path: '/history/native-wallet',
    title: 'Native Wallet',
    guard: 'member',
    load: () => import('./placeholder.screen.tsx').then((file) => named(file.NativeWalletScreen)),
  },
  {
    path: '/history/Ico-wallet',
    title: 'ICO Wallet',
    guard: 'member',
    load: () => import('./placeholder.screen.tsx').then((file) => named(file.IcoWalletScreen)),
  },
  {
    path: '/deposit-wallet-history',
    title: 'Payment History',
    guard: 'member',
    load: () => import('../deposits/payment-history.screen.tsx'),
  },
  { path: '/buy-token-history', title: 'Buy token history', guard: 'member', load: () => import('../coin/buy-token-history.screen.tsx') },
  { path: '/rank-bonus', title: 'Rank Bonus History', guard: 'member', load: () => import('../rewards/rank-bonus.screen.tsx') },
  { path: '/my-team', title: 'My Team', guard: 'member', load: () => import('../team/my-team.screen.tsx') },
  { path: '/my-referrals', title: 'My Referrals', guard: 'member', load: () => import('../team/my-referrals.screen.tsx') },
  { path: '/special-rcm', title: 'Special Rcm', guard: 'member', load: () => import('../team/special-rcm.screen.tsx') },
  { path: '/profile', title: 'Profile', guard: 'member', load: () => import('../members/profile.screen.tsx') },
  { path: '/invoice', title: 'Invoice', guard: 'public', frame: 'bare', load: queried(() => import('../deposits/invoice.screen.tsx')) },
  { path: '/pay/success', title: 'Payment Success', guard: 'public', frame: 'bare', load: () => import('./pay.screen.tsx') },
  { path: '/pay/cancel', title: 'Payment Success', guard: 'public', frame: 'bare', load: () => import('./pay.screen.tsx') },
  { path: '/support', title: 'Support', guard: 'member', load: () => import('../support/support.screen.tsx') },
  { path: '/ticket/show/:id', title: 'Ticket', guard: 'member', load: () => import('../support/ticket.screen.tsx') },
  { path: '/create-ticket', title: 'Create Ticket', guard: 'member', load: () => import('../support/create-ticket.screen.tsx') },
  { path: '/trust', title: 'Trust', guard: 'member', load: () => import('../trust/trust.screen.tsx') },
]

/** Any other path (RT-58). */
const notFoundRoute: AppRoute = {
  path: '*',
  title: 'Not Found',
  guard: 'public',
  frame: 'bare',
  load: () => import('./not-found.screen.tsx'),
}

const ready = routes.filter((route) => route.load !== undefined)
const literal = new Map(ready.map((route) => [route.path, route]))
const patterns = ready
  .filter((route) => route.path.includes(':'))
  .map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(':id', '([^/]+)')}$`) }))

/** A path's place, and the parts of the path. */
export interface Match {
  route: AppRoute
  params: ScreenProps['params']
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * Finds the place of a path; capital letters and underscores count (RT-24, RT-42).
 * @param pathname path without query
 */
export function matchPath(pathname: string): Match {
  const exact = literal.get(pathname)
  if (exact !== undefined) return { route: exact, params: {} }
  for (const { route, pattern } of patterns) {
    const id = pattern.exec(pathname)?.[1]
    if (id !== undefined) return { route, params: { id: decode(id) } }
  }
  return { route: notFoundRoute, params: {} }
}
