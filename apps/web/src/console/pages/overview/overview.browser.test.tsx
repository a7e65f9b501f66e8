import type { WireReplyOf } from '@tizara/contract'
import { staffBusiness, staffBusinessTeams } from '@tizara/contract/staff-business'
import { staffAudit, staffMe } from '@tizara/contract/staff'
import { startExport } from '@tizara/contract/staff-audit'
import { staffRewardRuns } from '@tizara/contract/staff-reward-runs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { axeViolations } from '../../../test/list-check.tsx'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testStaff } from '../../../test/staff-api.ts'

type Reply = WireReplyOf<typeof staffBusiness>
type Figures = Reply['sums']

const zeros = <Name extends string>(...names: Name[]) => Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
const ZERO: Figures = {
  ...zeros('registered', 'verified', 'deposited', 'bought', 'staked', 'usdDeposited', 'coinDeposited', 'coinSold', 'usdForCoin'),
  ...zeros('coinBoughtBack', 'usdForBoughtBack', 'nftsSold', 'usdForNfts', 'usdFees', 'coinFees', 'stakesStarted', 'stakesEnded'),
  ...zeros('coinStaked', 'coinUnstaked', 'withdrawalsRequested', 'withdrawalsPaid', 'withdrawalsRejected', 'withdrawalsReturned'),
  ...zeros('usdRequested', 'usdPaid', 'coinBridged', 'usdProceeds'),
}
const NO_TOTALS: Reply['totals'] = zeros(
  ...(['totalRegistered', 'totalVerified', 'totalDeposited', 'totalBought', 'totalStaked', 'stakesActive', 'coinInStakes'] as const),
)
const EMPTY: Reply = {
  at: '2026-11-26T10:00:00Z',
  period: null,
  before: null,
  days: [],
  sums: ZERO,
  sumsBefore: ZERO,
  totals: NO_TOTALS,
  totalsBefore: NO_TOTALS,
  today: ZERO,
  openPayouts: [],
  capacity: { usdHeld: 0, usdOwed: 0, coinForSale: 0, usdForBuyingBack: 0, usdForProceeds: 0, rewardPool: { usd: 0, coin: 0 } },
}
const TOTALS = { ...NO_TOTALS, totalRegistered: 200, totalVerified: 150, totalBought: 50, stakesActive: 7, coinInStakes: 900 }
const FULL: Reply = {
  ...EMPTY,
  period: { from: '2026-11-19', through: '2026-11-25' },
  before: { from: '2026-11-12', through: '2026-11-18' },
  days: [
    { day: '2026-11-24', ...ZERO, ...TOTALS, registered: 5, usdForCoin: 100.5 },
    { day: '2026-11-25', ...ZERO, ...TOTALS, registered: 7, usdForCoin: 20, usdForNfts: 30 },
  ],
  sums: {
    ...ZERO,
    registered: 12,
    verified: 9,
    usdForCoin: 120.5,
    usdForNfts: 30,
    coinSold: 1000,
    withdrawalsRequested: 4,
    usdRequested: 80,
    usdProceeds: 25,
  },
  sumsBefore: { ...ZERO, registered: 10, usdForCoin: 301 },
  totals: TOTALS,
  today: { ...ZERO, registered: 3 },
  openPayouts: [{ asset: 'usd', state: 'pending', upToOneDay: 1, upToThreeDays: 2, older: 1234, amount: 500 }],
  capacity: { usdHeld: 1000, usdOwed: 50, coinForSale: 2000, usdForBuyingBack: 10, usdForProceeds: 7, rewardPool: { usd: 1, coin: 2 } },
}

let api: FakeApi
beforeEach(() => {
  api = staffApi([])
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'staffOverview', 'staffBusiness', 'startExport'] })
    .reply(staffRewardRuns, { data: [], meta: { total: 0, page: 1, limit: 5 } })
    .reply(staffAudit, { data: [], meta: { total: 0, page: 1, limit: 6 } })
    .reply(staffBusiness, FULL)
    .reply(staffBusinessTeams, {
      period: FULL.period,
      before: FULL.before,
      teams: [{ leader: { id: 'm1', name: 'Amara Okafor\u202E' }, verified: 3, usdTaken: 150.5, usdTakenBefore: 0, coinStaked: 12 }],
    })
})
afterEach(async () => {
  await page.viewport(1280, 800)
})

async function open(path = '/staff') {
  await openConsole(path)
  return page.getByRole('region', { name: 'Business' })
}

it('shows the figures of a period with the change, and draws the chosen one', async () => {
  const business = await open('/staff?days=7')
  await expect
    .element(business.getByText('19 Nov 2026 to 25 Nov 2026, compared with 12 Nov 2026 to 18 Nov 2026.', { exact: false }))
    .toBeVisible()
  await expect.element(business.getByText('midnight UTC', { exact: false })).toBeVisible()
  expect(api.calls(staffBusiness).map(({ query }) => query.toString())).toEqual(['period=7'])
  const tile = (name: string) => business.getByRole('button', { name: new RegExp(`^${name}`) })
  await expect.element(tile('New members')).toHaveTextContent('New members12+20 %3 today so far')
  await expect.element(tile('USD taken')).toHaveTextContent('USD taken150.50 USD−50 %0.00 today so far')
  await expect.element(tile('New members')).toHaveAttribute('aria-pressed', 'true')
  await tile('USD taken').click()
  await expect
    .element(business.getByRole('table', { name: 'USD taken, USD by day' }))
    .toHaveTextContent('USD taken, USD by dayDateUSD taken, USD24 Nov 2026100.5025 Nov 202650.00')
})

it('shows funnel, open payouts by age, capacity and teams', async () => {
  const business = await open()
  const row = (panel: string, name: string) =>
    business.getByRole('region', { name: panel }).getByRole('row', { name: new RegExp(`^${name}`) })
  await expect.element(row('Funnel', 'Registered')).toHaveTextContent('Registered12+20 %200100 %')
  await expect.element(row('Funnel', 'Verified')).toHaveTextContent('Verified9none before15075 %')
  await expect
    .element(row('Withdrawals and bridges', 'Awaiting approval'))
    .toHaveTextContent('Awaiting approval, withdrawals121,234500.00 USD')
  const capacity = business.getByRole('region', { name: 'Liabilities and capacity' })
  await expect.poll(() => capacity.element().textContent).toContain('Coveragefully covered')
  // Two complete days sold 1,000 coin, and 2,000 are left.
  expect(capacity.element().textContent).toContain('Lasts at this paceabout 4 days')
  expect(capacity.element().textContent).toContain('Proceeds sent in the period25.00 USDProceeds available now7.00 USD')
  await expect.element(row('Largest teams', 'Amara')).toHaveTextContent('Amara Okafor⟨U+202E⟩150.50 USDnone before12.00 TIZARA3')
  await press('Second level')
  await expect
    .poll(() => api.calls(staffBusinessTeams).map(({ query }) => query.toString()))
    .toEqual(['period=30&level=0', 'period=30&level=1'])
})

it('exports the figures, and the teams of the shown period and level', async () => {
  api.reply(startExport, { jobId: 'j1' })
  const business = await open('/staff?days=month')
  await business.getByRole('button', { name: 'Export' }).first().click()
  await business.getByRole('region', { name: 'Largest teams' }).getByRole('button', { name: 'Export' }).click()
  await expect
    .poll(() => api.calls(startExport).map(({ body }) => body))
    .toEqual([
      { list: 'business', filter: {} },
      { list: 'teams', filter: { period: 'month', level: '0' } },
    ])
})

it('shows no NaN or Infinity on an empty platform, and has no accessibility violation', async () => {
  api.reply(staffBusiness, EMPTY).reply(staffBusinessTeams, { period: null, before: null, teams: [] })
  const business = await open()
  await expect.element(business.getByText('No complete day yet. Days begin', { exact: false })).toBeVisible()
  await expect.element(business.getByText('No team bought, staked or grew in this period.')).toBeVisible()
  expect(business.element().textContent).not.toMatch(/NaN|Infinity|undefined|∞/)
  expect(await axeViolations(business.element())).toEqual([])
})

it.each([390, 1440])('fits %i pixels and has no accessibility violation', async (width) => {
  await page.viewport(width, 900)
  const business = await open()
  await expect.element(business.getByRole('region', { name: 'Largest teams' }).getByText('Amara Okafor', { exact: false })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  const cut = [...business.element().querySelectorAll('.overflow-x-auto')].filter((frame) => frame.scrollWidth > frame.clientWidth)
  expect(cut).toEqual([])
  expect(await axeViolations(business.element())).toEqual([])
})

it('is hidden from a role without the right, which reads nothing of it', async () => {
  api.reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'staffOverview'] })
  const business = await open()
  await expect.element(page.getByRole('region', { name: 'Awaiting approval' })).toBeVisible()
  expect(business.query()).toBeNull()
  expect(api.calls(staffBusiness)).toEqual([])
})
