// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { memberPlaces, notFound, publicPlaces } from './places.ts'
import { matchPath } from './routes.ts'

/** Row, path, title and guard of every place, as the requirement rows state them. */
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

describe('places', () => {
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

  it('finds the screen of every place', async () => {
    const places = [...publicPlaces, ...memberPlaces, notFound].map(({ path }) => matchPath(path).route)
    const files = await Promise.all(places.map((route) => route.load()))
    expect(files.map((file) => typeof file.default)).toEqual(places.map(() => 'function'))
  })

  it('[RT-56] reads the id of a ticket', () => {
    expect(matchPath('/ticket/show/t%2F1').params).toEqual({ id: 't/1' })
    expect(matchPath('/ticket/show/').route.title).toBe('Not Found')
    expect(matchPath('/ticket/show/a/b').route.title).toBe('Not Found')
  })

  for (const path of ['/store-nft/nft-history', '/history/ico-wallet', '/Dashboard', '/dashboard/', '/staff', '/nowhere']) {
    it(`[RT-24] [RT-58] ${path} is no place`, () => {
      expect(matchPath(path).route).toMatchObject({ title: 'Not Found', guard: 'public' })
    })
  }
})
