// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { menu } from './frame/menu.ts'
import { memberRoutes, notFound, publicRoutes } from './page-routes.ts'
import { matchPath } from './routes.ts'

/** Every page's row, path, title and guard, from the requirement rows. */
const rows = [
  ['RT-09', '/', 'Sign In', 'public'],
  ['RT-10', '/auth/signin', 'Sign In', 'public'],
  ['RT-11', '/auth/signup', 'Sign Up', 'public'],
  ['RT-12', '/auth/forgot-password', 'Forgot Password', 'public'],
  ['RT-13', '/auth/reset-password', 'Reset Password', 'public'],
  ['RT-14', '/auth/verify', 'Verify Email', 'public'],
  ['RT-15', '/verify-token', 'OTP Verification', 'public'],
  ['RT-16', '/auth-admin', 'Admin Sign In', 'public'],
  ['RT-18', '/dashboard', 'Dashboard', 'member'],
  ['RT-19', '/store-nft/buy-nft', 'Purchase NFT', 'member'],
  ['RT-20', '/special-rcm/last-sponsors', 'Purchase NFT', 'member'],
  ['RT-22', '/store-nft/nft-level-bonus', 'NFT Level Bonus History', 'member'],
  ['RT-23', '/store-nft/nft-histor_y', 'NFT History', 'member'],
  ['RT-25', '/store-nft/nft-roi', 'NFT ROI History', 'member'],
  ['RT-26', '/store-nft/nft-roi-profit-bounty', 'NFT Profit Bounty History', 'member'],
  ['RT-27', '/stack-coin', 'Stake Now', 'member'],
  ['RT-28', '/my-stack-coin', 'My Staked', 'member'],
  ['RT-29', '/my-stack-logs', 'My Staked Logs', 'member'],
  ['RT-30', '/roi-history', 'Reward History', 'member'],
  ['RT-31', '/stake-logs-roi', 'Stake log Rewards', 'member'],
  ['RT-32', '/profit-bounty-history', 'Profit Bounty History', 'member'],
  ['RT-33', '/logs-profit-bounty-history', 'Stake Logs Profit Bounty', 'member'],
  ['RT-34', '/stake-reward', 'Stake Level Reward', 'member'],
  ['RT-35', '/history/transaction-history', 'Transaction History', 'member'],
  ['RT-36', '/history/withdraw-history', 'Swap History', 'member'],
  ['RT-38', '/history/transfer-history', 'Transfer to My wallet History', 'member'],
  ['RT-39', '/history/usd-transfer-history', 'USD Withdraw History', 'member'],
  ['RT-40', '/history/deposit-wallet', 'Deposit Wallet', 'member'],
  ['RT-41', '/history/native-wallet', 'Native Wallet', 'member'],
  ['RT-42', '/history/Ico-wallet', 'ICO Wallet', 'member'],
  ['RT-43', '/deposit-wallet-history', 'Payment History', 'member'],
  ['RT-45', '/buy-token-history', 'Buy token history', 'member'],
  ['RT-46', '/rank-bonus', 'Rank Bonus History', 'member'],
  ['RT-47', '/my-team', 'My Team', 'member'],
  ['RT-48', '/my-referrals', 'My Referrals', 'member'],
  ['RT-49', '/special-rcm', 'Special Rcm', 'member'],
  ['RT-50', '/profile', 'Profile', 'member'],
  ['RT-51', '/invoice', 'Invoice', 'public'],
  ['RT-52', '/pay/success', 'Payment Success', 'public'],
  ['RT-53', '/pay/cancel', 'Payment Success', 'public'],
  ['RT-55', '/support', 'Support', 'member'],
  ['RT-56', '/ticket/show/t-1', 'Ticket', 'member'],
  ['RT-57', '/create-ticket', 'Create Ticket', 'member'],
] as const

describe('routes', () => {
  for (const [row, path, title, guard] of rows) {
    it(`[${row}] [RT-08] ${path} is ${title}, ${guard}`, () => {
      const { route } = matchPath(path)
      expect({ title: route.title, guard: route.guard }).toEqual({ title, guard })
      expect(route.load).toBeTypeOf('function')
    })
  }

  it('[RT-20] [RT-21] shows the same screen at both addresses of Buy NFT', async () => {
    const [one, other] = await Promise.all([
      matchPath('/store-nft/buy-nft').route.load?.(),
      matchPath('/special-rcm/last-sponsors').route.load?.(),
    ])
    expect(one?.default).toBeDefined()
    expect(one?.default).toBe(other?.default)
  })

  it('have a screen each', async () => {
    const routes = [...publicRoutes, ...memberRoutes, notFound].map(({ path }) => matchPath(path).route)
    const files = await Promise.all(routes.map((route) => route.load()))
    expect(files.map((file) => typeof file.default)).toEqual(routes.map(() => 'function'))
  })

  it('[GN-04] [RT-58] are those of the requirements and nine more, none of them for staff', () => {
    const known = [
      ...rows.map(([, path]) => path.replace('t-1', ':id')),
      '/about',
      '/activity',
      '/earnings',
      '/email-change',
      '/inbox',
      '/payout',
      '/reward-budget',
      '/terms',
      '/trust',
    ].toSorted()
    expect([...publicRoutes, ...memberRoutes].map(({ path }) => path).toSorted()).toEqual(known)
  })

  it('[RT-56] read the id of a ticket', () => {
    expect(matchPath('/ticket/show/t%2F1').params).toEqual({ id: 't/1' })
    expect(matchPath('/ticket/show/').route.title).toBe('Not Found')
    expect(matchPath('/ticket/show/a/b').route.title).toBe('Not Found')
  })

  for (const path of ['/store-nft/nft-history', '/history/ico-wallet', '/Dashboard', '/dashboard/', '/staff', '/nowhere']) {
    it(`[RT-24] [RT-58] do not include ${path}`, () => {
      expect(matchPath(path).route).toMatchObject({ title: 'Not Found', guard: 'public' })
    })
  }
})

/** Each sidebar link's row, text and URL. */
const links = [
  ['UI-SIDEBAR-06', 'Dashboard', '/dashboard'],
  ['UI-SIDEBAR-09', 'Purchase NFT', '/store-nft/buy-nft'],
  ['UI-SIDEBAR-10', 'NFT Purchase History', '/store-nft/nft-histor_y'],
  ['UI-SIDEBAR-11', 'NFT Level Bonus', '/store-nft/nft-level-bonus'],
  ['UI-SIDEBAR-12', 'NFT Reward', '/store-nft/nft-roi'],
  ['UI-SIDEBAR-13', 'NFT Profit Bounty', '/store-nft/nft-roi-profit-bounty'],
  ['UI-SIDEBAR-14', 'Stake Now', '/stack-coin'],
  ['UI-SIDEBAR-15', 'Stake History', '/my-stack-coin'],
  ['UI-SIDEBAR-16', 'Omega Stake Logs', '/my-stack-logs'],
  ['UI-SIDEBAR-17', 'Omega Stake reward', '/stake-logs-roi'],
  ['UI-SIDEBAR-18', 'My Referrals', '/my-referrals'],
  ['UI-SIDEBAR-19', 'My Team Stake', '/my-team'],
  ['UI-SIDEBAR-20', 'Level Reward', '/stake-reward'],
  ['UI-SIDEBAR-22', 'Transaction History', '/history/transaction-history'],
  ['UI-SIDEBAR-23', 'Buy Token History', '/buy-token-history'],
  ['UI-SIDEBAR-24', 'Deposit History', '/deposit-wallet-history'],
  ['UI-SIDEBAR-25', 'Reward History', '/roi-history'],
  ['UI-SIDEBAR-26', 'Omega Stake Logs Bounty', '/logs-profit-bounty-history'],
  ['UI-SIDEBAR-27', 'Profit Bounty', '/profit-bounty-history'],
  ['UI-SIDEBAR-28', 'Transfer History', '/history/transfer-history'],
  ['UI-SIDEBAR-29', 'Bridge History', '/history/withdraw-history'],
  ['UI-SIDEBAR-30', 'USD Withdraw History', '/history/usd-transfer-history'],
  ['UI-SIDEBAR-31', 'Special Rcm', '/special-rcm'],
  ['UI-SIDEBAR-32', 'Rank Bonus', '/rank-bonus'],
  ['UI-SIDEBAR-33', 'Profile', '/profile'],
  ['UI-SIDEBAR-34', 'Support', '/support'],
]
it.each(links)('[%s] `%s` of the sidebar links to `%s`', (id, label, href) => {
  const shown = menu.flatMap((entry) => (entry.href === undefined ? (entry.items ?? []) : [{ label: entry.label, href: entry.href }]))
  expect(shown[links.findIndex(([one]) => one === id)]).toEqual({ label, href })
  expect(shown).toHaveLength(links.length)
})
