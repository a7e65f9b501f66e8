import type { ComponentType } from 'react'
import { SignInScreen } from '../auth/sign-in.screen.tsx'

/** What every screen gets: the parts of its path. */
export interface ScreenProps {
  params: { id?: string }
}

type Screen = ComponentType<ScreenProps>

/** One place of the product. */
export interface AppRoute {
  /** Literal path, compared to the letter; `:id` stands for one part. */
  path: string
  /** The page's title, to the letter (GN-30, GN-31). */
  title: string
  /** `member`: inside the protected layout (RT-03, RT-04). `public`: outside it (RT-08). */
  guard: 'public' | 'member'
  /** Fetches the screen's code. A place without it has no screen yet and answers as not found. */
  load?: () => Promise<{ default: Screen }>
  /** A screen that is part of the first load. */
  screen?: Screen
  /** The screen draws its whole page itself: no sign-in picture beside it. */
  bare?: boolean
}

const named = (screen: Screen): { default: Screen } => ({ default: screen })

/** Every place of the product, in the order of the requirement rows RT-09 to RT-58. */
export const routes: readonly AppRoute[] = [
  { path: '/', title: 'Sign In', guard: 'public', screen: SignInScreen },
  { path: '/auth/signin', title: 'Sign In', guard: 'public', screen: SignInScreen },
  { path: '/auth/signup', title: 'Sign Up', guard: 'public', load: () => import('../auth/sign-up.screen.tsx') },
  { path: '/auth/forgot-password', title: 'Forgot Password', guard: 'public', load: () => import('../auth/forgot-password.screen.tsx') },
  { path: '/auth/reset-password', title: 'Reset Password', guard: 'public', load: () => import('../auth/reset-password.screen.tsx') },
  { path: '/auth/verify', title: 'Verify Email', guard: 'public', load: () => import('../auth/verify-email.screen.tsx') },
  { path: '/verify-token', title: 'OTP Verification', guard: 'public', load: () => import('../auth/otp.screen.tsx') },
  { path: '/auth-admin', title: 'Admin Sign In', guard: 'public', load: () => import('../auth/admin-sign-in.screen.tsx') },
  { path: '/dashboard', title: 'Dashboard', guard: 'member' },
  { path: '/store-nft/buy-nft', title: 'Purchase NFT', guard: 'member' },
  { path: '/special-rcm/last-sponsors', title: 'Purchase NFT', guard: 'member' },
  { path: '/store-nft/nft-level-bonus', title: 'NFT Level Bonus History', guard: 'member' },
  { path: '/store-nft/nft-histor_y', title: 'NFT History', guard: 'member' },
  { path: '/store-nft/nft-roi', title: 'NFT ROI History', guard: 'member' },
  { path: '/store-nft/nft-roi-profit-bounty', title: 'NFT Profit Bounty History', guard: 'member' },
  { path: '/stack-coin', title: 'Stake Now', guard: 'member' },
  { path: '/my-stack-coin', title: 'My Staked', guard: 'member' },
  { path: '/my-stack-logs', title: 'My Staked Logs', guard: 'member' },
  { path: '/roi-history', title: 'Reward History', guard: 'member' },
  { path: '/stake-logs-roi', title: 'Stake log Rewards', guard: 'member' },
  { path: '/profit-bounty-history', title: 'Profit Bounty History', guard: 'member' },
  { path: '/logs-profit-bounty-history', title: 'Stake Logs Profit Bounty', guard: 'member' },
  { path: '/stake-reward', title: 'Stake Level Reward', guard: 'member' },
  { path: '/history/transaction-history', title: 'Transaction History', guard: 'member' },
  { path: '/history/withdraw-history', title: 'Swap History', guard: 'member' },
  { path: '/history/transfer-history', title: 'Transfer to My wallet History', guard: 'member' },
  { path: '/history/usd-transfer-history', title: 'USD Withdraw History', guard: 'member' },
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
  { path: '/deposit-wallet-history', title: 'Payment History', guard: 'member' },
  { path: '/buy-token-history', title: 'Buy token history', guard: 'member' },
  { path: '/rank-bonus', title: 'Rank Bonus History', guard: 'member' },
  { path: '/my-team', title: 'My Team', guard: 'member' },
  { path: '/my-referrals', title: 'My Referrals', guard: 'member' },
  { path: '/special-rcm', title: 'Special Rcm', guard: 'member' },
  { path: '/profile', title: 'Profile', guard: 'member', load: () => import('../members/profile.screen.tsx') },
  { path: '/invoice', title: 'Invoice', guard: 'public', bare: true },
  { path: '/pay/success', title: 'Payment Success', guard: 'public', bare: true, load: () => import('./pay.screen.tsx') },
  { path: '/pay/cancel', title: 'Payment Success', guard: 'public', bare: true, load: () => import('./pay.screen.tsx') },
  { path: '/support', title: 'Support', guard: 'member' },
  { path: '/ticket/show/:id', title: 'Ticket', guard: 'member' },
  { path: '/create-ticket', title: 'Create Ticket', guard: 'member' },
]

/** Any other path (RT-58). */
export const notFoundRoute: AppRoute = {
  path: '*',
  title: 'Not Found',
  guard: 'public',
  bare: true,
  load: () => import('./not-found.screen.tsx'),
}

const ready = routes.filter((route) => route.load !== undefined || route.screen !== undefined)
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
