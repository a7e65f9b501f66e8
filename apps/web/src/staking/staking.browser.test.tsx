import { myStakeLogs, myStakes, stakePlans } from '@tizara/contract/staking'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { axeViolations, visibleCells, expectList } from '../test/list-check.tsx'
import { memberApi } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import MyStakedLogsScreen from './my-staked-logs.screen.tsx'
import MyStakedScreen from './my-staked.screen.tsx'
import StakeNowScreen from './stake-now.screen.tsx'

let api: FakeApi

beforeEach(() => {
  api = memberApi()
})

const list = <Row,>(data: Row[], total = data.length) => ({ data, meta: { total, page: 1, limit: 25 } })
const stake = (id: string, status = 'ACTIVE') => ({
  id,
  planName: 'Gold',
  wallet: 'mywallet',
  stakeAmount: 100000,
  duration: 365,
  apy: 10,
  dailyRoy: 27.39726027,
  createdAt: '2026-03-05T12:00:00.000Z',
  status,
  paidDays: 73,
})
const plan = (id: string, planName: string, status = 'ACTIVE') => ({ id, planName, duration: 365, minimum: 1000, apy: 10, status })

it('[UI-STAKE-01] [UI-STAKE-02] [UI-STAKE-04] [UI-STAKE-05] [UI-M-STAKE-01] shows three wallets and a card for each active plan', async () => {
  api
    .reply(stakePlans, list([plan('p1', 'Gold'), plan('p2', 'Silver'), plan('p3', 'Old', 'INACTIVE')]))
    .reply(myStakes, list([stake('s1'), stake('s2', 'COMPLETED')]))
    .reply(myStakeLogs, list([]))
  await mount(<StakeNowScreen />, '/stack-coin')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Stake Now' })).toBeVisible()
  for (const [name, balance] of [
    ['Native Wallet', '5,000.50'],
    ['My Wallet', '3,000.00'],
    ['Stake Wallet', '640.00'],
  ] as const) {
    await expect.element(page.getByText(name, { exact: true })).toBeVisible()
    await expect.element(page.getByText(balance)).toBeVisible()
  }
  expect(api.calls(stakePlans)[0]?.query.get('status')).toBe('ACTIVE')
  const card = page.getByRole('region', { name: 'Gold' })
  for (const text of ['10%', 'APY', '365 days', '1,000']) await expect.element(card.getByText(text, { exact: true }).first()).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Silver' })).toBeVisible()
  expect(page.getByRole('region', { name: 'Old' }).elements()).toHaveLength(0)
  await expect.element(page.getByRole('progressbar', { name: 'Gold, days paid' })).toHaveAttribute('aria-valuetext', '73 of 365 days')
  expect(page.getByRole('progressbar').elements()).toHaveLength(1)
  expect(await axeViolations()).toEqual([])
  await card.getByRole('button', { name: 'Stake Now' }).click()
  await expect.element(page.getByRole('dialog').getByText('Gold, 365 days')).toBeVisible()
})

it('shows coin in the ICO Wallet, and opens its transfer for a member who arrives from a purchase', async () => {
  api
    .reply(stakePlans, list([plan('p1', 'Gold')]))
    .reply(myStakes, list([]))
    .reply(myStakeLogs, list([]))
  await mount(<StakeNowScreen />, '/stack-coin?from=ico')
  await expect.element(page.getByText('1,234.57 TIZARA in your ICO Wallet')).toBeInTheDocument()
  await expect.element(page.getByRole('dialog', { name: 'Transfer to My Wallet' })).toBeVisible()
})

it('[UI-M-STAKE-04] compares the plans for the typed amount', async () => {
  api
    .reply(stakePlans, list([plan('p1', 'Gold')]))
    .reply(myStakes, list([]))
    .reply(myStakeLogs, list([]))
  await mount(<StakeNowScreen />, '/stack-coin')
  const card = page.getByRole('region', { name: 'Gold' })
  const below = card.getByText('Your amount is below the minimum')
  await page.getByRole('textbox', { name: 'Try an amount' }).fill('999.99999999')
  await expect.element(below).toBeVisible()
  await page.getByRole('textbox', { name: 'Try an amount' }).fill('1000')
  await expect.element(below).not.toBeInTheDocument()
  await page.getByRole('textbox', { name: 'Try an amount' }).fill('100000')
  await expect.element(card.getByText('≈ 27.40')).toBeVisible()
  await card.getByRole('button', { name: 'Stake Now' }).click()
  await expect.element(page.getByRole('dialog').getByRole('textbox', { name: 'Stake Amount' })).toHaveValue('100000')
})

it('[UI-STAKE-03] shows an empty state when no plan is open', async () => {
  api.reply(stakePlans, list([]))
  await mount(<StakeNowScreen />, '/stack-coin')
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
})

const headers = ['SL NO', 'Date', 'Plan Name', 'Wallet', 'Amount', 'Duration', 'APY %', 'Daily Reward', 'Start date', 'Status']
const cells = ['1', '05 Mar 2026', 'Gold', 'mywallet', '100,000.00 TIZARA', '365D', '10', '27.40 TIZARA', '05 Mar 2026', 'ACTIVE']
const csv = '1,2026-03-05T12:00:00.000Z,Gold,mywallet,100000,365D,10,27.39726027,2026-03-05T12:00:00.000Z,ACTIVE'

it('[LS-18] [LS-20] [LS-21] [LS-23] [EN-31] lists My Staked', async () => {
  api.reply(myStakes, list([stake('s1')]))
  await expectList({ Screen: MyStakedScreen, title: 'My Staked', headers, cells, csv })
})

it('[LS-19] [LS-21] [LS-47] lists My Staked Logs', async () => {
  api.reply(myStakeLogs, list([stake('s1')]))
  await expectList({ Screen: MyStakedLogsScreen, title: 'My Staked Logs', headers, cells, csv })
})

it('[LS-22] shows the start when the server sends one', async () => {
  api.reply(myStakes, list([{ ...stake('s1'), startDate: '2026-03-07T12:00:00.000Z' }]))
  await mount(<MyStakedScreen />)
  await expect.poll(() => visibleCells()[8]).toBe('07 Mar 2026')
  expect(visibleCells()[1]).toBe('05 Mar 2026')
})

it('[ST-40] [ST-41] [ST-42] shows a running stake in green and any other in red with its state', async () => {
  api.reply(myStakes, list([stake('s1'), stake('s2', 'COMPLETED')]))
  await mount(<MyStakedScreen />)
  const cell = page.getByRole('cell')
  await expect.element(cell.getByText('ACTIVE')).toHaveClass('text-success')
  await expect.element(cell.getByText('COMPLETED')).toHaveClass('text-danger')
})

it.each([
  ['COMPLETED', 'The stake ran to its end. Its coin was returned.'],
  ['REVERSED', 'The stake was undone. Its coin was returned.'],
])('says in the receipt of a stake how it ended when it is %s', async (status, outcome) => {
  api.reply(myStakes, list([stake('s1', status)]))
  await mount(<MyStakedScreen />)
  await page.getByRole('button', { name: /Open receipt 1/ }).click()
  await expect.element(page.getByRole('dialog', { name: 'Receipt' }).getByText(outcome)).toBeVisible()
})

it('[LS-03] [LS-05] [LS-09] [CO-30] [CO-32] requests 25 rows a page, counted from 1, and continues the numbering', async () => {
  const all = Array.from({ length: 30 }, (_, index) => stake(`s${index}`))
  api.answer(myStakes, ({ query }) => {
    const before = Number(query.get('page'))
    return { data: all.slice((before - 1) * 25, before * 25), meta: { total: 30, page: before, limit: 25 } }
  })
  await mount(<MyStakedScreen />, '/my-stack-coin')
  await page.getByRole('button', { name: 'Page 2' }).click()
  await expect.poll(() => visibleCells()[0]).toBe('26')
  await expect.poll(() => location.search).toBe('?page=2')
  expect(api.calls(myStakes).map(({ query }) => `${query.get('page')} ${query.get('limit')}`)).toEqual(['1 25', '2 25'])
})

it('[LS-01] [LS-02] [ER-66] shows a skeleton while loading, then Data Not Found', async () => {
  const answer = api.hold(myStakes, list([]))
  await mount(<MyStakedScreen />)
  await expect.element(page.getByText('Loading')).toBeInTheDocument()
  expect(page.getByText('Data Not Found').elements()).toHaveLength(0)
  answer()
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Choose a plan' })).toHaveAttribute('href', '/stack-coin')
})

it('[LS-06] [ER-67] only logs a failure and shows the empty list', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  api.refuse(myStakes, 400, 'Broken inside')
  await mount(<MyStakedScreen />)
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
  expect(page.getByText('Broken inside').elements()).toHaveLength(0)
  expect(log).toHaveBeenCalled()
})
