import '../app/app.css'
import type { Route } from '@tizara/contract'
import { depositRequests } from '@tizara/contract/deposits'
import { myTeam, profile } from '@tizara/contract/members'
import { activeNfts, myNftWallet } from '@tizara/contract/nfts'
import { stackBonusHistory, weeklyRewards } from '@tizara/contract/rewards'
import { myStakeLogs, myStakes, upcoming } from '@tizara/contract/staking'
import { coinPriceHistory } from '@tizara/contract/coin'
import { generalSettings } from '@tizara/contract/settings'
import { homeCount, userWallet, walletHistory, walletHoldings } from '@tizara/contract/wallets'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import { navigate } from 'wouter/use-browser-location'
import { toastStore } from '../ui/toast-store.ts'
import type { FakeApi } from '../test/fake-api.ts'
import { scrollDownTo } from '../test/scroll-down.ts'
import { memberApi, noneOutside, testBalances } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import DashboardScreen from './dashboard.screen.tsx'

let api: FakeApi
const member = {
  id: 'm1',
  name: 'Amara Obi',
  status: true,
  isVerified: true,
  isActive: true,
  rank: 'gold',
  isSpecialRcm: true,
  myReferralCode: 'AMARA7',
  referralCount: 1284,
}
const meta = { page: 1, limit: 1 }

beforeEach(() => {
  api = memberApi()
    .reply(homeCount, { dailyBonusCount: 12077, transactionHistoryCount: 6250.5, dailyStakeLogsBonus: null })
    .reply(myTeam, { data: [], meta: { ...meta, total: 14 } })
    .reply(depositRequests, { data: [], meta: { ...meta, total: 8, sumByStatus: { APPROVE: 5300, PENDING: 99 } } })
    .reply(stackBonusHistory, { data: [], meta: { ...meta, total: 8, sum: 38410.25 } })
    .reply(myNftWallet, {
      dome: 2,
      domePrice: 1100,
      wagon: 1,
      wagonPrice: 350,
      hotelAndResort: 0,
      hotelAndResortPrice: 0,
      land: 5,
      landPrice: 600,
    })
})

const card = (name: string) => page.getByRole('region', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const shut = async () => {
  await dialog().getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog()).not.toBeInTheDocument()
}

/** Renders the whole page, because content below the window renders only near it. */
async function showDashboard(): Promise<void> {
  await mount(<DashboardScreen />)
  await scrollDownTo('Team and rewards')
  scrollTo(0, 0)
}

it('[UI-DASH-06] [UI-DASH-07] [UI-DASH-09] [UI-DASH-11] [UI-DASH-17] shows seven wallets with 2 decimals and their unit', async () => {
  await showDashboard()
  const figures: Record<string, string> = {
    'Deposit Wallet': '200.00 USD',
    'Native Wallet': '5,000.50 TIZARA',
    'My Wallet': '3,000.00 TIZARA',
    'Stake Wallet': '640.00 TIZARA',
    'ICO Wallet': '1,234.57 TIZARA',
    'NFT Wallet': '50.25 USD',
    'RCM Wallet': '4,200.00 TIZARA',
  }
  for (const [name, figure] of Object.entries(figures)) await expect.element(card(name).getByRole('button', { name: figure })).toBeVisible()
})

it('[CO-43] shows every balance with 2 decimals, rounded half up, whatever the server sends', async () => {
  api.reply(userWallet, { ...testBalances, depositWallet: 200.005, nativeWallet: 5000, icoWallet: 0.00499999, nftWallet: 0.1 })
  await showDashboard()
  for (const [name, figure] of [
    ['Deposit Wallet', '200.01 USD'],
    ['Native Wallet', '5,000.00 TIZARA'],
    ['My Wallet', '0.00 TIZARA'],
    ['NFT Wallet', '0.10 USD'],
  ] as const)
    await expect.element(card(name).getByRole('button', { name: figure, exact: true })).toBeVisible()
})

it('[GN-26] shows USD or the token as the unit of each wallet', async () => {
  await showDashboard()
  const units = page
    .getByRole('region', { name: / Wallet$/ })
    .elements()
    .map((element) => /\d ([A-Z]+)/.exec(element.textContent ?? '')?.[1])
  expect(units).toEqual(['USD', 'TIZARA', 'TIZARA', 'TIZARA', 'TIZARA', 'USD', 'TIZARA'])
})

it('[GN-17] [UI-DASH-14] [UI-M-RCM-01] hides the RCM wallet from other members', async () => {
  api.reply(profile, { ...member, isSpecialRcm: false })
  await showDashboard()
  await expect.element(card('NFT Wallet')).toBeVisible()
  await expect.element(card('RCM Wallet')).not.toBeInTheDocument()
})

it('[UI-DASH-01] [UI-DASH-02] [UI-DASH-04] [UI-DASH-05] opens the dialogs of the header', async () => {
  await showDashboard()
  const modals: [string, string][] = [
    ['Deposit', 'Deposit'],
    ['Bridge', 'Bridge'],
    ['Payment', 'Deposit TIZARA'],
    ['Withdraw', 'Withdraw Deposit Wallet (Bep 20)'],
  ]
  for (const [button, title] of modals) {
    await page.getByRole('banner').or(page.getByRole('main')).getByRole('button', { name: button, exact: true }).first().click()
    await expect.element(dialog().getByRole('heading', { name: title, exact: true })).toBeVisible()
    await shut()
  }
})

it('[UI-DASH-08] [UI-DASH-12] [UI-DASH-13] [UI-DASH-15] [UI-DASH-48] opens the dialogs of the wallet cards', async () => {
  await showDashboard()
  const modals: [string, string, string][] = [
    ['Deposit Wallet', 'User To User Transfer', 'User To User Transfer'],
    ['Native Wallet', 'Swap', 'Swap'],
    ['My Wallet', 'Swap to USD', 'My Wallet to Deposit Wallet'],
    ['ICO Wallet', 'Transfer to My Wallet', 'Transfer to My Wallet'],
    ['NFT Wallet', 'Transfer', 'Transfer to Deposit'],
    ['NFT Wallet', 'Convart', 'Convert to My Wallet'],
    ['RCM Wallet', 'Withdraw', 'RCM Wallet to Deposit Wallet'],
    ['Stake Wallet', 'Stake Now', 'Stake Now'],
  ]
  for (const [wallet, button, title] of modals) {
    await card(wallet).getByRole('button', { name: button, exact: true }).click()
    await expect.element(dialog().getByRole('heading', { name: title, exact: true })).toBeVisible()
    await shut()
  }
})

const stat = (name: string) => page.getByText(name, { exact: true }).element().closest('section')?.textContent

it('[UI-DASH-19] [UI-DASH-20] [UI-DASH-26] [UI-DASH-27] [UI-DASH-29] shows the stat cards from their sources', async () => {
  await showDashboard()
  await expect.element(page.getByText('Refferal Bonus', { exact: true })).toBeVisible()
  await expect.poll(() => stat('Omega Reward')).toContain('0.00 TIZARA')
  await expect.poll(() => stat('Level Reward')).toContain('38,410.25 TIZARA')
  await expect.poll(() => stat('Total Deposit')).toContain('5,300.00 USD')
  await expect.poll(() => stat('My Team')).toContain('1,284')
  await expect.poll(() => stat('Direct Refer')).toContain('14')
  await expect.poll(() => stat('Total Reward')).toContain('12,077.00 TIZARA')
  await expect.poll(() => stat('Refferal Bonus')).toContain('6,250.50 TIZARA')
})

it('[UI-DASH-28] [API-09] [EN-25] adds up all rows when the server sends no sums', async () => {
  api
    .answer(depositRequests, ({ query }) => {
      const all = [
        { status: 'APPROVE', amount: 100 },
        { status: 'PENDING', amount: 50 },
        { status: 'APPROVE', amount: 0.5 },
      ]
      return { data: query.has('limit') ? all.slice(0, 1) : all, meta: { ...meta, total: 3 } }
    })
    .answer(stackBonusHistory, ({ query }) => {
      const all = [1.5, 2].map((bonusAmount) => ({ bonusAmount, email: 'a@gmail.com', level: 1, createdAt: '2026-11-05T10:00:00.000Z' }))
      return { data: query.has('limit') ? all.slice(0, 1) : all, meta: { ...meta, total: 2 } }
    })
  await showDashboard()
  await expect.element(page.getByText('Refferal Bonus', { exact: true })).toBeVisible()
  await expect.poll(() => stat('Total Deposit')).toContain('100.50 USD')
  await expect.poll(() => stat('Level Reward')).toContain('3.50 TIZARA')
})

it('[UI-DASH-35] [EN-39] shows the shop’s unsold quantity as left', async () => {
  api.reply(activeNfts, {
    data: [{ id: 'n1', name: 'Dome One', walletName: 'dome', quantity: 2500, price: 100, duration: 12, dailyRoi: 24, status: 'ACTIVE' }],
    meta: { total: 1, page: 1, limit: 25 },
  })
  await showDashboard()
  await expect.element(card('DOME').getByText('7,500 left of 10,000')).toBeInTheDocument()
})

it('[UI-DASH-30] [UI-DASH-31] [UI-DASH-32] [UI-DASH-33] [UI-DASH-36] shows holdings, paid amounts and cap minus quantity', async () => {
  await showDashboard()
  const tiles: [string, string[]][] = [
    ['DOME', ['2 held', '1,100.00 USD paid', '9,998 left of 10,000']],
    ['WAGON', ['1 held', '350.00', '24,999 left of 25,000']],
    ['Hotel And Resort', ['0 held', '0.00 USD paid', '55,000 left of 55,000']],
    ['Land', ['5 held', '600.00', '109,995 left of 110,000']],
  ]
  for (const [name, texts] of tiles) {
    for (const text of texts) await expect.element(card(name).getByText(text)).toBeInTheDocument()
    await expect.element(card(name).getByRole('button', { name: 'Buy Now' })).toBeInTheDocument()
  }
})

it('[UI-DASH-34] [CO-22] [CO-23] [CO-24] [CO-25] counts each kind against its total supply', async () => {
  await showDashboard()
  for (const [name, cap] of [
    ['DOME', '10,000'],
    ['WAGON', '25,000'],
    ['Hotel And Resort', '55,000'],
    ['Land', '110,000'],
  ] as const)
    await expect.element(card(name).getByText(new RegExp(`left of ${cap}$`))).toBeInTheDocument()
})

it('[UI-DASH-18] [UI-DASH-48] opens the purchase of a kind of NFT from its tile', async () => {
  api.reply(activeNfts, {
    data: [{ id: 'n1', name: 'Dome One', walletName: 'dome', quantity: 3, price: 100, duration: 12, dailyRoi: 24, status: 'ACTIVE' }],
    meta: { total: 1, page: 1, limit: 25 },
  })
  await showDashboard()
  await card('DOME').getByRole('button', { name: 'Buy Now' }).click()
  await expect.element(dialog().getByRole('heading', { name: 'Purchase NFT' })).toBeVisible()
  await expect.element(dialog().getByText('Dome One', { exact: false }).first()).toBeInTheDocument()
})

it('[UI-DASH-37] [UI-DASH-38] [UI-DASH-39] [UI-DASH-40] [UI-DASH-41] shows the coin and opens Buy Token', async () => {
  await showDashboard()
  const panel = card('TIZARA')
  for (const text of ['0.008', '15 B']) await expect.element(panel.getByText(text)).toBeVisible()
  await expect.element(panel.getByText('BSC (Bep-20)').first()).toBeVisible()
  await panel.getByRole('button', { name: 'Buy Now' }).click()
  await expect.element(dialog().getByRole('heading', { name: 'Buy Token' })).toBeVisible()
})

const link = () => page.getByRole('textbox', { name: 'Your referral link' })

it('[CO-28] [UI-DASH-46] confirms for 1.2 seconds that the referral link was copied', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await showDashboard()
  await expect.element(link()).toHaveValue(`${location.origin}/auth/signup?referralCode=AMARA7`)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.poll(() => toastStore.get().map(({ text, ms }) => [text, ms])).toContainEqual(['Copied success', 1200])
})

it('[UI-DASH-42] [UI-DASH-43] [UI-DASH-44] [ER-68] copies the referral link and confirms it', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await showDashboard()
  await expect.element(link()).toHaveValue(`${location.origin}/auth/signup?referralCode=AMARA7`)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.element(page.getByText('Copied success')).toBeVisible()
  expect(write).toHaveBeenCalledExactlyOnceWith(`${location.origin}/auth/signup?referralCode=AMARA7`)
  // In the welcome area: below the heading, above all figures.
  const [welcome, invite, figures] = [page.getByRole('heading', { level: 1 }), link(), card('Everything you hold')].map((one) =>
    one.element(),
  )
  expect(welcome?.compareDocumentPosition(invite as Node)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(invite?.compareDocumentPosition(figures as Node)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  await page.getByRole('heading', { level: 1 }).hover()
  await expect.element(page.getByText('Copied success')).not.toBeInTheDocument()
})

it('[UI-DASH-45] [ER-68] reports that copying failed', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
  await showDashboard()
  await expect.element(link()).toHaveValue(`${location.origin}/auth/signup?referralCode=AMARA7`)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.element(page.getByText('Copy failed')).toBeVisible()
})

it('hides only the panels that another server does not support', async () => {
  await showDashboard()
  await expect.element(card('DOME')).toBeInTheDocument()
  await expect.element(page.getByText('Rewards by week')).not.toBeInTheDocument()
  await expect.element(page.getByText('Next for you')).not.toBeInTheDocument()
  await expect.element(page.getByText('Everything you hold')).toBeVisible()
})

it('shows the first steps instead of a zero line to a member without a balance', async () => {
  const nothing = { depositWallet: 0, nativeWallet: 0, icoWallet: 0, newIcoWallet: 0, stakeWallet: 0, nftWallet: 0 }
  const day = (n: number) => new Date(Date.now() - n * 864e5).toISOString().slice(0, 10)
  api
    .reply(userWallet, nothing)
    .reply(walletHistory, { days: [1, 0].map((n) => ({ day: day(n), coinPrice: 0.008, ...noneOutside, ...nothing })), change: null })
  await showDashboard()
  const steps = card('Everything you hold').getByRole('list').first()
  await expect.element(steps.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/stack-coin')
  await expect.element(page.getByRole('slider', { name: 'Portfolio value', exact: false })).not.toBeInTheDocument()
  await steps.getByRole('button', { name: 'Add USDT' }).click()
  await expect.element(dialog().getByRole('heading', { name: 'Deposit' })).toBeVisible()
})

describe('everything held', () => {
  const day = (n: number) => new Date(Date.now() - n * 864e5).toISOString().slice(0, 10)
  const held = { heldUsd: 50, heldCoin: 1000, nfts: 120 }

  it('contains open holds and NFTs at the price paid', async () => {
    api.reply(walletHoldings, held)
    await showDashboard()
    // 362.85 in the wallets, 50 and 1,000 coin at 0.008 on hold, 120 for NFTs.
    await expect.element(card('Everything you hold').getByRole('button', { name: '540.85 USD' })).toBeVisible()
    const parts = card('Everything you hold').getByRole('list', { name: 'Parts of the total' })
    await expect
      .poll(() =>
        parts
          .getByRole('listitem')
          .elements()
          .map((part) => part.textContent),
      )
      .toContain('On hold 11%')
    await expect.poll(() => parts.element().textContent).toContain('NFTs (price paid) 22%')
  })

  it('splits the change into parts that add up', async () => {
    api.reply(walletHoldings, held).reply(walletHistory, {
      days: [
        { day: day(2), coinPrice: 0.008, ...noneOutside, ...testBalances, depositWallet: 30 },
        { day: day(1), coinPrice: 0.008, ...noneOutside, ...testBalances, depositWallet: 40 },
        { day: day(0), coinPrice: 0.008, ...held, ...testBalances },
      ],
      change: { since: day(2), paidIn: 400, takenOut: 50.5, earned: 8.25 },
    })
    await showDashboard()
    const hero = card('Everything you hold')
    await expect.element(hero.getByText(/in 2 days/)).toHaveTextContent('+348.00 USD in 2 days')
    const parts = hero.getByLabelText('Parts of the change')
    await expect.element(parts).toHaveTextContent('Paid in+400.00Taken out−50.50Earned+8.25Prices and fees−9.75')
  })

  it('is named after the wallets when another server sends no amounts outside them', async () => {
    api.refuse(walletHoldings, 404, 'Not found')
    await showDashboard()
    await expect.element(card('In your wallets').getByRole('button', { name: '362.85 USD' })).toBeVisible()
    await expect.element(page.getByText(/price paid/)).not.toBeInTheDocument()
  })
})

it.each([
  [{ depositWallet: 500 }, 1, 'Get TIZARA'],
  [{ newIcoWallet: 25_000 }, 2, 'See the plans'],
])('keeps the first steps until the first stake, with %j: step %i is done', async (held, done, next) => {
  const nothing = { depositWallet: 0, nativeWallet: 0, icoWallet: 0, newIcoWallet: 0, stakeWallet: 0, nftWallet: 0 }
  const none = { data: [], meta: { ...meta, total: 0 } }
  api
    .reply(userWallet, { ...nothing, ...held })
    .reply(walletHistory, { days: [{ day: '2031-01-01', coinPrice: 0.008, ...noneOutside, ...nothing, ...held }], change: null })
    .reply(myStakes, none)
    .reply(myStakeLogs, none)
  await showDashboard()
  const steps = card('Everything you hold').getByRole('listitem')
  await expect.element(steps.nth(done)).toHaveAttribute('aria-current', 'step')
  await expect.element(steps.nth(done).getByText(next)).toBeVisible()
  await expect.poll(() => steps.nth(done - 1).element().textContent).toContain('(done)')
})

it('ends the first steps with the first stake, also when it has matured', async () => {
  const held = { ...testBalances, stakeWallet: 0 }
  api
    .reply(userWallet, held)
    .reply(walletHistory, { days: [{ day: '2031-01-01', coinPrice: 0.008, ...noneOutside, ...held }], change: null })
    .reply(myStakes, { data: [], meta: { ...meta, total: 1 } })
    .reply(myStakeLogs, { data: [], meta: { ...meta, total: 0 } })
  await showDashboard()
  await expect.poll(() => api.calls(myStakeLogs).length).toBeGreaterThan(0)
  await expect.element(page.getByText('See the plans')).not.toBeInTheDocument()
})

describe.each([390, 1440])('at a width of %i', (width) => {
  beforeEach(() => page.viewport(width, 900))
  afterEach(() => page.viewport(1280, 900))
  const days = [1, 0].map((n) => new Date(Date.now() - n * 864e5).toISOString().slice(0, 10))
  it.each([
    ['with a history', true],
    ['without a history', false],
  ])('keeps buttons in place while figures load, %s', async (_, known) => {
    const gate = Promise.withResolvers<void>()
    const late = (route: Route, data: unknown) =>
      api.on(route, async () => {
        await gate.promise
        return Response.json(data === undefined ? {} : { success: true, statusCode: 200, message: '', data }, {
          status: data === undefined ? 404 : 200,
        })
      })
    late(userWallet, testBalances)
    late(generalSettings, { coinPrice: 0.008, minCoin: 1, maxCoin: 10_000_000, platformFeePercent: 5, networkFeePercent: 2 })
    late(
      walletHistory,
      known ? { days: days.map((day) => ({ day, coinPrice: 0.008, ...noneOutside, ...testBalances })), change: null } : undefined,
    )
    late(coinPriceHistory, known ? { days: days.map((day) => ({ day, coinPrice: 0.008 })) } : undefined)
    await mount(<DashboardScreen />)
    const buttons = () =>
      [card('TIZARA'), card('Deposit Wallet'), card('RCM Wallet')].map((one) => {
        const { top } = one.getByRole('button').last().element().getBoundingClientRect()
        return Math.round(top + scrollY)
      })
    await expect.element(card('RCM Wallet').getByRole('button', { name: 'Withdraw' })).toBeVisible()
    const before = buttons()
    gate.resolve()
    await expect.element(card('TIZARA').getByText('Order size')).toBeVisible()
    if (known) await expect.element(card('TIZARA').getByRole('img', { name: /^Price from/ })).toBeVisible()
    else await expect.element(card('TIZARA').getByText(/are not available here/)).toBeVisible()
    if (known) await expect.element(page.getByRole('slider', { name: 'Portfolio value', exact: false })).toBeVisible()
    else await expect.element(card('Everything you hold').getByText(/before that day are not available/)).toBeVisible()
    await expect.element(card('Deposit Wallet').getByRole('button', { name: '200.00 USD' })).toBeVisible()
    // Allows one pixel for rounding.
    expect(buttons().filter((top, index) => Math.abs(top - (before[index] ?? 0)) > 1)).toEqual([])
  })
})

it('keeps every panel when one call fails', async () => {
  api.refuse(userWallet, 400, 'No').refuse(homeCount, 400, 'No')
  await showDashboard()
  await expect.poll(() => stat('Total Reward')).toContain('–')
  await expect.element(card('Deposit Wallet').getByText('–')).toBeVisible()
  await expect.poll(() => stat('Total Deposit')).toContain('5,300.00 USD')
})

it('passes axe with every panel open', async () => {
  const day = (n: number) => new Date(Date.now() - n * 864e5).toISOString().slice(0, 10)
  api
    .reply(walletHistory, { days: [1, 0].map((n) => ({ day: day(n), coinPrice: 0.008, ...noneOutside, ...testBalances })), change: null })
    .reply(coinPriceHistory, { days: [1, 0].map((n) => ({ day: day(n), coinPrice: 0.008 })) })
    .reply(weeklyRewards, { weeks: [{ week: '2026-W47', startsOn: '2026-11-16', sums: [{ kind: 'daily', asset: 'coin', amount: 41.1 }] }] })
    .reply(upcoming, {
      items: [{ at: new Date().toISOString(), kind: 'daily-reward', label: 'Daily reward', asset: 'coin', amount: 41.1 }],
    })
  await showDashboard()
  await scrollDownTo('Rewards by week')
  await expect.element(page.getByRole('slider', { name: 'Rewards by week', exact: false })).toBeInTheDocument()
  await expect.element(page.getByRole('list', { name: 'Next for you' })).toBeInTheDocument()
  const { violations } = await axe.run(document.body)
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
})

it('keeps a row for the next release of pending rewards after many daily rewards', async () => {
  const at = (day: number) => new Date(Date.now() + day * 86_400_000).toISOString()
  const coin = { label: 'Plan A', asset: 'coin', amount: 41.1 } as const
  api.reply(upcoming, {
    items: [
      ...Array.from({ length: 9 }, (_, day) => ({ ...coin, at: at(day), kind: 'daily-reward' as const })),
      { ...coin, at: at(9), kind: 'release', label: 'Held level rewards', amount: 1250.5 },
      { ...coin, at: at(9), kind: 'maturity', amount: 5000 },
    ],
  })
  await showDashboard()
  await scrollDownTo('Held level rewards')
  const lines = page.getByRole('list', { name: 'Next for you' }).getByRole('listitem')
  await expect.element(lines.filter({ hasText: 'Held level rewards' })).toBeInTheDocument()
  await expect.poll(() => lines.all()).toHaveLength(6)
  await expect.poll(() => lines.last().element().textContent).toContain('Held level rewards1,250.50')
})

it('shows the balance, what is next and the wallets first on a phone, and the referral link first on wide screens', async () => {
  const [width, height] = [innerWidth, innerHeight]
  onTestFinished(() => page.viewport(width, height))
  const item = { at: new Date().toISOString(), kind: 'daily-reward', label: 'Daily reward', asset: 'coin', amount: 41.1 } as const
  api.reply(upcoming, { items: Array.from({ length: 9 }, () => item) })
  const order = () =>
    [...document.querySelectorAll('#holdings-heading, #next-heading, #wallets-heading, section[aria-label="Invite"]')].map(
      (part) => part.getAttribute('aria-label') ?? part.textContent,
    )
  await page.viewport(390, 844)
  await showDashboard()
  await expect.poll(order).toEqual(['Everything you hold', 'Next for you', 'Wallets', 'Invite'])
  await expect.poll(() => page.getByRole('list', { name: 'Next for you' }).getByRole('listitem').all()).toHaveLength(3)
  await page.viewport(1440, 900)
  await expect.poll(order).toEqual(['Invite', 'Everything you hold', 'Wallets', 'Next for you'])
})

it('opens the form of a transfer to repeat with its values, also from a receipt on the page', async () => {
  await showDashboard()
  navigate('/dashboard?open=user-transfer', { state: { start: { email: 'bo@gmail.com', amount: '25.5' } } })
  await expect.element(dialog().getByRole('textbox', { name: 'Receiver Email' })).toHaveValue('bo@gmail.com')
  await expect.element(dialog().getByRole('textbox', { name: 'Transfer Amount (Min $5)' })).toHaveValue('25.5')
  await expect.poll(() => [location.search, history.state]).toEqual(['', null])
  await shut()
})
