import { earningPeople, earningRows, earnings, promisedRewards } from '@tizara/contract/rewards-earnings'
import { trustPage } from '@tizara/contract/trust'
import { getReceipt } from '@tizara/contract/wallets'
import { ownJob, startEarningsStatement } from '@tizara/contract/wallets-statements'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { axeViolations } from '../test/list-check.tsx'
import { memberApi } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import EarningsScreen from './earnings.screen.tsx'
import RewardBudgetScreen from './reward-budget.screen.tsx'

let api: FakeApi
beforeEach(() => {
  api = memberApi()
})

const months = [
  { month: '2026-02', kind: 'daily' as const, asset: 'coin' as const, amount: 280 },
  { month: '2026-03', kind: 'daily' as const, asset: 'coin' as const, amount: 310 },
  { month: '2026-03', kind: 'referral' as const, asset: 'coin' as const, amount: 50 },
  { month: '2026-03', kind: 'nft-level' as const, asset: 'usd' as const, amount: 6 },
]
const year = { year: 2026, firstYear: 2025, months, owed: [{ asset: 'coin' as const, amount: 30 }] }
const people = {
  rows: [
    { id: 'p1', name: 'Bo Lind', email: 'bo@gmail.com', level: 1, sums: [{ asset: 'coin' as const, amount: 50 }] },
    { id: 'p2', name: 'Cy Moe', email: 'cy@gmail.com', level: 2, sums: [] },
    { id: 'p3', name: 'Di Nel', email: 'di@gmail.com', level: 2, sums: null },
  ],
  direct: false,
}
const text = (name: string) => expect.poll(() => page.getByRole('region', { name }).element().textContent.replaceAll(/\s/g, ' '))

it('shows the sums of the year, its months, and the newest month by kind and person', async () => {
  api.reply(earnings, year).reply(earningPeople, people)
  await mount(<EarningsScreen />, '/earnings')
  await text('Sums').toContain('Earned in 2026, in TIZARA640.00 TIZARA')
  await text('Sums').toContain('30.00 TIZARA of all your rewards wait until the reward pool is funded')
  await text('Sums').toContain('Earned in 2026, in USD6.00 USD')
  await text('Months').toContain('Mar 2026360.006.00Feb 2026280.000.00')
  await text('Mar 2026 by kind').toContain('Daily rewards310.00 TIZARA')
  await text('Mar 2026 by person').toContain('Bo LindLevel 1, bo@gmail.com50.00 TIZARA')
  await text('Mar 2026 by person').toContain('cy@gmail.comNothing this month')
  await text('Mar 2026 by person').toContain('di@gmail.comMore than 2,000 rewards')
  await expect.element(page.getByRole('slider', { name: /Earnings by month in USD/ })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: /Daily rewards/ }))
    .toHaveAttribute('href', '/roi-history?from=2026-03-01&to=2026-03-31')
  expect(await axeViolations()).toEqual([])
})

it('opens another month and another year, and keeps both in the URL', async () => {
  api.answer(earnings, ({ query }) => ({ ...year, ...(query.get('year') === '2025' ? { year: 2025, months: [], owed: [] } : {}) }))
  api.reply(earningPeople, people)
  await mount(<EarningsScreen />, '/earnings?month=nothing')
  await page.getByRole('button', { name: 'Feb 2026' }).click()
  await expect.element(page.getByRole('heading', { name: 'Feb 2026 by kind' })).toBeVisible()
  await expect.poll(() => location.search).toBe('?year=2026&month=2026-02')
  await page.getByRole('combobox', { name: 'Year' }).selectOptions('2025')
  await expect.element(page.getByText('No earnings yet.')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Choose a plan' })).toHaveAttribute('href', '/stack-coin')
  expect(await axeViolations()).toEqual([])
})

it('lists the rewards behind a figure page by page, each with its receipt', async () => {
  const row = (id: string) => ({
    id,
    receipt: { kind: 'referral-reward' as const, id },
    paidAt: '2026-03-05T12:00:00.000Z',
    asset: 'coin' as const,
    amount: 25,
    from: `bo${id}@gmail.com`,
  })
  api.reply(earnings, year).reply(earningPeople, people)
  api.answer(earningRows, ({ query }) => (query.get('before') === '5-2' ? { rows: [row('1')] } : { rows: [row('2')], next: '5-2' }))
  api.reply(getReceipt, {
    kind: 'referral-reward',
    id: '2',
    title: 'Referral reward',
    asset: 'coin',
    amount: 25,
    from: { label: 'Reward pool' },
    to: { label: 'Native Wallet' },
    createdAt: '2026-03-05T12:00:00.000Z',
    lines: [],
  })
  await mount(<EarningsScreen />, '/earnings')
  const kind = page.getByRole('button', { name: /Referral rewards/ })
  await expect.element(kind).toHaveAttribute('aria-expanded', 'false')
  await kind.click()
  await page.getByRole('button', { name: 'Show older rewards' }).click()
  await expect.element(page.getByRole('button', { name: /bo1@gmail.com/ })).toBeVisible()
  expect(await axeViolations()).toEqual([])
  await page.getByRole('button', { name: /bo2@gmail.com/ }).click()
  await expect.element(page.getByRole('dialog').getByText('Referral reward', { exact: true })).toBeVisible()
})

it('starts a statement and offers its file', async () => {
  api.reply(earnings, year).reply(earningPeople, people)
  api.reply(startEarningsStatement, { jobId: 'j1' })
  api.reply(ownJob, { id: 'j1', state: 'DONE', done: 12, total: 12, fileHref: '/jobs/j1/file', fileName: 'rewards-2026.pdf' })
  await mount(<EarningsScreen />, '/earnings')
  await page.getByRole('button', { name: 'Create PDF' }).click()
  await expect.element(page.getByRole('button', { name: 'Download rewards-2026.pdf' })).toBeVisible()
  expect(api.calls(startEarningsStatement).map(({ body }) => body)).toEqual([{ year: '2026', format: 'pdf' }])
})

const trust = {
  at: '2026-03-05T12:00:00.000Z',
  reserves: [],
  rewardPool: [
    { asset: 'usd' as const, balance: 100, promised: 0, owed: 0, coverage: null },
    { asset: 'coin' as const, balance: 999.6, promised: 990, owed: 10, coverage: 99.96 },
  ],
  forecast: [],
  proof: null,
  ledger: null,
}

it("explains how rewards are paid for with the figures of the trust page, and the member's promised rewards", async () => {
  api.reply(trustPage, trust).reply(promisedRewards, {
    months: [
      { month: '2026-03', kind: 'daily', asset: 'coin', amount: 100 },
      { month: '2026-03', kind: 'level', asset: 'coin', amount: 20 },
      { month: '2026-04', kind: 'nft-monthly', asset: 'usd', amount: 12 },
    ],
    later: [{ kind: 'daily', asset: 'coin', amount: 5 }],
  })
  await mount(<RewardBudgetScreen />, '/reward-budget')
  await text('The operator’s budget').toContain('In TIZARAIn the pool999.60 TIZARAPromised to all members990.00 TIZARA')
  await text('The operator’s budget').toContain('Earned, not yet paid10.00 TIZARAThe pool covers99.9%')
  await text('Promised to you').toContain('Mar 2026120.000.00Apr 20260.0012.00Later5.000.00In all125.0012.00')
  await expect.element(page.getByText(/Owed rewards are paid, oldest first/)).toBeVisible()
  expect(await axeViolations()).toEqual([])
})

it('names the next step when nothing is promised', async () => {
  api.reply(trustPage, trust).reply(promisedRewards, { months: [], later: [] })
  await mount(<RewardBudgetScreen />, '/reward-budget')
  await expect.element(page.getByText('No promised rewards yet.')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Choose a plan' })).toBeVisible()
})
