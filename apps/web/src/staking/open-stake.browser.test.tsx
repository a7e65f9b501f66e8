import { myStakes, openStake, stakePlans } from '@tizara/contract/staking'
import { exchangeToMyWallet } from '@tizara/contract/transfers'
import { userWallet } from '@tizara/contract/wallets'
import { ONE } from '@tizara/money'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { formatDate } from '../lib/format.ts'
import type { FakeApi } from '../test/fake-api.ts'
import { axeViolations } from '../test/list-check.tsx'
import { memberApi, testBalances } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import { OpenStakeDialog } from './open-stake.dialog.tsx'

const gold = { id: 'p1', planName: 'Gold', duration: 365, minimum: 1000n * ONE, apy: 10n * ONE, status: 'ACTIVE' }
const plans = [
  { id: 'p1', planName: 'Gold', duration: 365, minimum: 1000, apy: 10, status: 'ACTIVE' },
  { id: 'p2', planName: 'Omega', duration: 30, minimum: 1, apy: 1.5, status: 'ACTIVE', omega: true },
]
let api: FakeApi
const onClose = vi.fn()

beforeEach(() => {
  api = memberApi().reply(stakePlans, { data: plans, meta: { total: 2, page: 1, limit: 1000 } })
  onClose.mockReset()
})

const dialog = () => page.getByRole('dialog')
const amount = () => dialog().getByRole('textbox', { name: 'Stake Amount' })
const wallet = (name: string) => dialog().getByRole('radio', { name: new RegExp(`^${name}`) })
const press = () => dialog().getByRole('button', { name: 'Stake Now' }).click()
const shown = (text: string) => page.getByLabelText('Notices').getByText(text, { exact: true })

async function openForm(plan: typeof gold | null = gold): Promise<void> {
  await mount(<OpenStakeDialog plan={plan ?? undefined} onClose={onClose} />)
  await expect.element(dialog().getByRole('heading', { name: 'Stake Now' })).toBeVisible()
  await expect.element(dialog().getByText('5,000.50')).toBeVisible()
}

it('[UI-M-STAKE-02] [UI-M-STAKE-03] [UI-M-STAKE-05] [ER-37] [UI-M-COMMON-01] stakes with the figures of the plan', async () => {
  api
    .reply(openStake, { receipt: { kind: 'stake', id: 's9' } }, 'Stake opened')
    .reply(myStakes, { data: [], meta: { total: 0, page: 1, limit: 25 } })
  await openForm()
  await wallet('My Wallet').click()
  await amount().fill('1234.5')
  expect(await axeViolations()).toEqual([])
  await press()
  await expect.element(page.getByRole('alertdialog').getByText('Successfully staked amount')).toBeVisible()
  expect(api.calls(openStake).map(({ body }) => body)).toEqual([
    { dailyRoy: 0.33821917, planName: 'Gold', duration: 365, apy: 10, stakeAmount: 1234.5, planId: 'p1', wallet: 'mywallet' },
  ])
  expect(api.calls(openStake)[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/)
  expect(onClose).toHaveBeenCalledTimes(1)
  await expect.element(page.getByRole('link', { name: 'See the receipt' })).toHaveAttribute('href', '/my-stack-coin?receipt=stake.s9')
  await expect.poll(() => api.calls(userWallet).length).toBeGreaterThan(1)
})

it('[UI-M-STAKE-04] [VA-67] shows the daily reward with 2 decimals while typing', async () => {
  await openForm()
  const daily = dialog().getByText('Daily reward').element().parentElement
  await amount().fill('100000')
  await expect.poll(() => daily?.textContent).toContain('27.40')
  await amount().fill('1000')
  await expect.poll(() => daily?.textContent).toContain('0.27')
})

it('offers to transfer coin of the ICO Wallet, and keeps the typed amount', async () => {
  api.reply(exchangeToMyWallet, null, 'Moved')
  await openForm()
  await amount().fill('1234')
  await expect.element(dialog().getByText('1,234.57 TIZARA in your ICO Wallet')).toBeVisible()
  await dialog().getByRole('button', { name: 'Transfer to My Wallet' }).click()
  const transfer = page.getByRole('dialog', { name: 'Transfer to My Wallet' })
  await expect.element(transfer.getByRole('textbox', { name: 'Amount' })).toHaveValue('123.46')
  api.reply(userWallet, { ...testBalances, newIcoWallet: 0, icoWallet: 4234.567 })
  await transfer.getByRole('button', { name: 'Transfer', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
  await expect.element(amount()).toHaveValue('1234')
  await expect.element(wallet('My Wallet')).toBeChecked()
  await expect.element(dialog().getByText(/in your ICO Wallet/)).not.toBeInTheDocument()
})

it('shows where and when the coin is returned, and where rewards are credited', async () => {
  await openForm()
  await wallet('My Wallet').click()
  await expect.element(dialog().getByText('Returned to My Wallet')).toBeVisible()
  await expect.element(dialog().getByText(`on ${formatDate(new Date(Date.now() + 365 * 864e5))}`)).toBeVisible()
  await expect.element(dialog().getByText('to Native Wallet')).toBeVisible()
  await expect.element(dialog().getByText(/An estimate, not a promise/)).toBeVisible()
})

it('[ER-34] [VA-63] requires a wallet before a call', async () => {
  await openForm()
  await amount().fill('2000')
  await press()
  await expect.element(shown('Please Select wallet')).toBeVisible()
  expect(api.calls(openStake)).toHaveLength(0)
})

for (const typed of ['1', '0.5', '']) {
  it(`[VA-64] [VA-65] rejects "${typed}" with a popup that looks like success`, async () => {
    await openForm()
    await wallet('Native Wallet').click()
    await amount().fill(typed)
    await press()
    const box = page.getByRole('alertdialog')
    await expect.element(box.getByText('Stake amount must be greater than 1')).toBeVisible()
    await expect.element(box.getByText('Success', { exact: true })).toBeInTheDocument()
    expect(api.calls(openStake)).toHaveLength(0)
  })
}

it('[ER-35] [VA-66] [VA-70] rejects more than the chosen wallet holds', async () => {
  await openForm()
  await wallet('My Wallet').click()
  await amount().fill('3000.00000001')
  await press()
  await expect.element(shown('Insufficient Balance')).toBeVisible()
  expect(api.calls(openStake)).toHaveLength(0)
  await wallet('Native Wallet').click()
  api.reply(openStake, null)
  await press()
  await expect.element(page.getByRole('alertdialog')).toBeVisible()
  expect(api.calls(openStake)).toHaveLength(1)
})

it('[ER-36] [VA-69] [UI-M-STAKE-06] leaves the minimum to the server, shows its message and keeps the typed amount', async () => {
  api.refuse(openStake, 400, 'Minimum stake amount is 1000')
  await openForm()
  await expect.element(dialog().getByText(/^Minimum of this plan: 1,000/)).toBeVisible()
  await wallet('Native Wallet').click()
  await amount().fill('999')
  await press()
  await expect.element(shown('Minimum stake amount is 1000')).toBeVisible()
  expect(onClose).not.toHaveBeenCalled()
  await expect.element(amount()).toHaveValue('999')
})

it('[ER-36] shows a 200 with success false as a rejection', async () => {
  api.on(openStake, () => new Response(JSON.stringify({ success: false, message: 'This plan is not available' }), { status: 200 }))
  await openForm()
  await wallet('Native Wallet').click()
  await amount().fill('2000')
  await press()
  await expect.element(shown('This plan is not available')).toBeVisible()
  expect(onClose).not.toHaveBeenCalled()
})

it('repeats an unanswered stake with the same key', async () => {
  api.drop(openStake)
  await openForm()
  await wallet('Native Wallet').click()
  await amount().fill('2000')
  await press()
  await expect.element(shown('Something went wrong').first()).toBeVisible()
  await press()
  await expect.poll(() => api.calls(openStake)).toHaveLength(2)
  const keys = api.calls(openStake).map(({ headers }) => headers.get('idempotency-key'))
  expect(keys[0]).toBe(keys[1])
})

it('[UI-M-COMMON-04] shows progress, and cannot be submitted twice or closed meanwhile', async () => {
  const answer = api.hold(openStake, null)
  await openForm()
  await wallet('Native Wallet').click()
  await amount().fill('2000')
  await press()
  await expect.element(dialog().getByRole('button', { name: 'Stake Now' })).toHaveAttribute('aria-busy', 'true')
  await userEvent.keyboard('{Enter}{Escape}')
  expect(onClose).not.toHaveBeenCalled()
  answer()
  await expect.element(page.getByRole('alertdialog')).toBeVisible()
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(api.calls(openStake)).toHaveLength(1)
})

it('[UI-DASH-18] offers the plans in the form when it opens without one', async () => {
  api.reply(openStake, { receipt: { kind: 'stake-log', id: 'l1' } })
  await openForm(null)
  await wallet('Native Wallet').click()
  await amount().fill('100')
  await press()
  await expect.element(dialog().getByText('This field is required')).toBeVisible()
  await dialog().getByRole('combobox', { name: 'Plan' }).selectOptions('p2')
  await press()
  await expect.element(page.getByRole('link', { name: 'See the receipt' })).toHaveAttribute('href', '/my-stack-logs?receipt=stake-log.l1')
  expect(api.calls(openStake)[0]?.body).toMatchObject({ planId: 'p2', apy: 1.5, duration: 30, dailyRoy: 0.05 })
})
