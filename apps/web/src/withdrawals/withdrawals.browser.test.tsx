import { bridge, bridgeHistory, withdrawalHistory, withdrawDeposit } from '@tizara/contract/withdrawals'
import { generalSettings } from '@tizara/contract/settings'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { badgeColour } from '../test/badge-colour.ts'
import { memberApi } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import BridgeHistoryScreen from './bridge-history.screen.tsx'
import BridgeDialog from './bridge.dialog.tsx'
import WithdrawalHistoryScreen from './withdrawal-history.screen.tsx'
import WithdrawDialog from './withdraw.dialog.tsx'

const ADDRESS = '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc'
let api: FakeApi
const onClose = vi.fn()

beforeEach(() => {
  api = memberApi()
  onClose.mockReset()
})

const dialog = () => page.getByRole('dialog')
const box = () => page.getByRole('alertdialog')
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
const field = (label: string) => dialog().getByRole('textbox', { name: label, exact: true })
const message = async (title: string, text: string) => {
  await expect.element(box().getByRole('heading', { name: title, exact: true })).toBeVisible()
  await expect.element(box().getByText(text, { exact: true })).toBeVisible()
}
const fillWithdrawal = async (amount: string) => {
  await field('Amount').fill(amount)
  await field('Wallet Address (Bep 20)').fill(ADDRESS)
}

it('[VA-32] [VA-33] [UI-M-WITHDRAW-01] [UI-M-WITHDRAW-04] [UI-M-WITHDRAW-06] shows the amount minus 7 % and sends amount and address', async () => {
  api.reply(withdrawDeposit, null, 'Requested')
  await mount(<WithdrawDialog onClose={onClose} />)
  await expect.element(dialog().getByRole('heading', { name: 'Withdraw Deposit Wallet (Bep 20)' })).toBeVisible()
  await fillWithdrawal('100')
  await expect.element(dialog().getByText('93.00')).toBeVisible()
  await field('Amount').fill('50')
  await expect.element(dialog().getByText('46.50')).toBeVisible()
  await press('Withdraw')
  await message('success', 'Requested')
  expect(api.calls(withdrawDeposit).map(({ body }) => body)).toEqual([{ amount: 50, address: ADDRESS }])
  expect(api.calls(withdrawDeposit)[0]?.headers.get('Quoted-Amount')).toBe('46.5')
  expect(onClose).toHaveBeenCalledOnce()
  await expect.element(box().getByRole('link')).toHaveAttribute('href', '/history/usd-transfer-history')
})

it('[VA-28] [VA-30] [UI-M-WITHDRAW-02] [UI-M-WITHDRAW-03] [CO-12] requires at least 10 USD and an address', async () => {
  await mount(<WithdrawDialog onClose={onClose} />)
  await field('Amount').fill('9.99')
  await press('Withdraw')
  await expect.element(dialog().getByText('Minimum amount is 10')).toBeVisible()
  await expect.element(dialog().getByText('This field is required')).toBeVisible()
  expect(api.calls(withdrawDeposit)).toHaveLength(0)
})

it('[ER-19] [VA-29] [UI-M-WITHDRAW-05] [UI-M-WITHDRAW-07] warns `Insufficient Deposit Wallet` without a call', async () => {
  await mount(<WithdrawDialog onClose={onClose} />)
  await expect.element(dialog().getByText('200.00').first()).toBeVisible()
  await fillWithdrawal('200.01')
  await press('Withdraw')
  await message('Failed', 'Insufficient Deposit Wallet')
  await expect.element(box().getByText('Warning', { exact: true })).toBeInTheDocument()
  expect(api.calls(withdrawDeposit)).toHaveLength(0)
})

it('[ER-20] [ER-32] [UI-M-WITHDRAW-07] shows a rejected withdrawal and keeps the typed values', async () => {
  api.refuse(withdrawDeposit, 400, 'Invalid wallet address')
  await mount(<WithdrawDialog onClose={onClose} />)
  await fillWithdrawal('20')
  await press('Withdraw')
  await message('Failed', 'Invalid wallet address')
  expect(onClose).not.toHaveBeenCalled()
  await expect.element(field('Wallet Address (Bep 20)')).toHaveValue(ADDRESS)
})

const fillBridge = async (amount: string) => {
  await field('Address').fill(ADDRESS)
  await field('Amount').fill(amount)
  await press('Bridge')
}
const confirmation = 'Please verify your wallet address. Transactions are final. Do you wish to proceed?'

it('[ST-39] [ER-23] [UI-M-BRIDGE-05] [UI-M-BRIDGE-07] [UI-M-BRIDGE-09] asks with the address shown, then sends exactly to and amount', async () => {
  api.reply(bridge, null)
  await mount(<BridgeDialog onClose={onClose} />)
  await fillBridge('1000')
  await expect.element(box().getByText(confirmation)).toBeVisible()
  await expect.poll(() => box().element().textContent).toContain(ADDRESS)
  expect(api.calls(bridge)).toHaveLength(0)
  await box().getByRole('button', { name: 'Yes' }).click()
  await message('success', 'Bridged Request success')
  expect(api.calls(bridge).map(({ body }) => body)).toEqual([{ to: ADDRESS, amount: 1000 }])
  expect(api.calls(bridge)[0]?.headers.get('Quoted-Amount')).toBe('1000')
})

it('[UI-M-BRIDGE-04] [UI-M-BRIDGE-10] [EN-58] [VA-37] adds the network of ERC(20) and TRC(20)', async () => {
  api.reply(bridge, null, 'Bridged')
  await mount(<BridgeDialog onClose={onClose} />)
  const network = dialog().getByRole('combobox', { name: 'Network' })
  await expect.element(network).toHaveValue('BEP(20)')
  const offered = [...network.element().querySelectorAll('option')].map((option) => option.textContent)
  expect(offered).toEqual(['BEP(20)', 'ERC(20)', 'TRC(20)'])
  await network.selectOptions('TRC(20)')
  await fillBridge('5')
  await box().getByRole('button', { name: 'Yes' }).click()
  await message('success', 'Bridged')
  expect(api.calls(bridge).map(({ body }) => body)).toEqual([{ to: ADDRESS, amount: 5, network: 2 }])
})

it('[UI-M-BRIDGE-06] sends nothing when the member declines', async () => {
  await mount(<BridgeDialog onClose={onClose} />)
  await fillBridge('5')
  await box().getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog().getByRole('button', { name: 'Bridge' })).not.toHaveAttribute('aria-busy')
  expect(api.calls(bridge)).toHaveLength(0)
  expect(onClose).not.toHaveBeenCalled()
})

it('[ER-21] [VA-36] [UI-M-BRIDGE-08] reports a low balance before it asks', async () => {
  await mount(<BridgeDialog onClose={onClose} />)
  await expect.element(dialog().getByText('3,000.00').first()).toBeVisible()
  await fillBridge('3000.00000001')
  await message('Failed', 'Your balance is low')
  expect(api.calls(bridge)).toHaveLength(0)
})

it('[VA-34] [VA-35] [VA-38] [UI-M-BRIDGE-02] [UI-M-BRIDGE-03] requires an address and an amount above 0', async () => {
  await mount(<BridgeDialog onClose={onClose} />)
  await press('Bridge')
  await expect.poll(() => dialog().getByText('This field is required').elements()).toHaveLength(2)
  await field('Amount').fill('0')
  await expect.element(dialog().getByText('The amount must be above 0')).toBeVisible()
})

it('[ER-22] [ER-32] [UI-M-BRIDGE-11] shows a rejected bridge and stays open', async () => {
  api.refuse(bridge, 400, 'Invalid wallet address')
  await mount(<BridgeDialog onClose={onClose} />)
  await fillBridge('5')
  await box().getByRole('button', { name: 'Yes' }).click()
  await message('Failed', 'Invalid wallet address')
  expect(onClose).not.toHaveBeenCalled()
})

const headers = () =>
  page
    .getByRole('columnheader')
    .elements()
    .map((element) => element.textContent)
const cells = () =>
  page
    .getByRole('row')
    .nth(1)
    .getByRole('cell')
    .elements()
    .map((element) => element.lastElementChild?.textContent)

it('[LS-29] [LS-30] [CO-42] [EN-42] [ST-48] lists bridges with shortened addresses and their state', async () => {
  const row = { createdAt: '2026-11-05T10:00:00.000Z', to: ADDRESS, amount: 12.5, desc: '0.25' }
  api.reply(bridgeHistory, {
    data: [
      { ...row, status: null },
      { ...row, status: true, to: 'T12345678901' },
      { ...row, status: false },
    ],
    meta: { total: 3, page: 1, limit: 25 },
  })
  await mount(<BridgeHistoryScreen />)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Swap History' })).toBeVisible()
  await expect.element(page.getByText('0x9f1a...7560Cc').first()).toBeInTheDocument()
  expect(headers().slice(0, 6)).toEqual(['SL NO', 'Date', 'To', 'Amount', 'Txn Fee', 'Status'])
  expect(cells().slice(0, 6)).toEqual(['1', '05 Nov 2026', '0x9f1a...7560Cc', '12.50 TIZARA', '0.25', 'Pending'])
  await expect.element(page.getByText('T12345678901')).toBeInTheDocument()
  await expect.element(page.getByText('Success')).toBeInTheDocument()
  await expect.element(page.getByText('Rejected')).toBeInTheDocument()
  expect(['Pending', 'Success', 'Rejected'].map(badgeColour)).toEqual(['warning', 'success', 'danger'])
})

it('[ST-52] [ST-53] [ST-54] [EN-45] colours the state of a USD withdrawal, any other grey', async () => {
  const row = { createdAt: '2026-11-05T10:00:00.000Z', user: { email: 'amara@gmail.com' }, amount: 100, fee: 5, recived: 93 }
  const states = ['PENDING', 'APPROVE', 'REJECT', 'ON HOLD']
  api.reply(withdrawalHistory, { data: states.map((status) => ({ ...row, status })), meta: { total: 4, page: 1, limit: 25 } })
  await mount(<WithdrawalHistoryScreen />)
  await expect.element(page.getByText('ON HOLD', { exact: true })).toBeInTheDocument()
  expect(states.map(badgeColour)).toEqual(['warning', 'success', 'danger', 'neutral'])
})

it('[LS-35] [LS-36] [LS-37] lists USD withdrawals, with the current platform fee in the header', async () => {
  api.reply(generalSettings, { coinPrice: 0.008, platformFeePercent: 4.5 }).reply(withdrawalHistory, {
    data: [
      {
        createdAt: '2026-11-05T10:00:00.000Z',
        user: { email: 'amara@gmail.com' },
        amount: 100,
        fee: 5,
        recived: 93,
        status: 'PENDING',
        networkFee: 2,
      },
    ],
    meta: { total: 1, page: 1, limit: 25 },
  })
  await mount(<WithdrawalHistoryScreen />)
  await expect.element(page.getByRole('columnheader', { name: 'Fee 4.5 %' })).toBeInTheDocument()
  expect(headers().slice(0, 7)).toEqual(['SL NO', 'Date', 'Email', 'Amount', 'Fee 4.5 %', 'Recived', 'Status'])
  expect(cells().slice(0, 7)).toEqual([
    '1',
    '05 Nov 2026',
    'amara@gmail.com',
    '100.00 USD',
    expect.stringMatching(/^5.00 USD\s*\+ 2.00 USD network fee$/),
    '93.00 USD',
    'PENDING',
  ])
  await page.getByRole('button', { name: 'Open receipt 1' }).click()
  await expect.element(page.getByRole('dialog').getByText('Network fee')).toBeVisible()
  await expect.element(page.getByRole('dialog').getByText('2 USD')).toBeVisible()
})

it('[LS-35] [CO-20] shows `Fee 5 %` in the header when the server sends no other', async () => {
  api.reply(generalSettings, { coinPrice: 0.008 }).reply(withdrawalHistory, { data: [], meta: { total: 0, page: 1, limit: 25 } })
  await mount(<WithdrawalHistoryScreen />)
  await expect.element(page.getByRole('columnheader', { name: 'Fee 5 %' })).toBeInTheDocument()
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
})
