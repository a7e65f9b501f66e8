import { generalSettings } from '@tizara/contract/settings'
import {
  convertToMyWallet,
  exchangeHistory,
  exchangeToMyWallet,
  myWalletToUsd,
  nftToDepositWallet,
  salesFund,
  swapNativeToMyWallet,
  findReceiver,
  payees,
  leaveSellRequest,
  sellRequests,
  withdrawSellRequest,
  userToUserDeposit,
  withdrawRcmCoin,
} from '@tizara/contract/transfers'
import { exchangeSettings } from '@tizara/contract/settings'
import { confirmPayout, payoutGuard } from '@tizara/contract/withdrawals-guard'
import { userWallet } from '@tizara/contract/wallets'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { formatTime } from '../lib/format.ts'
import type { FakeApi } from '../test/fake-api.ts'
import { memberApi, testBalances } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import ConvertDialog from './convert.dialog.tsx'
import ExchangeDialog from './exchange.dialog.tsx'
import MyToDepositDialog from './my-to-deposit.dialog.tsx'
import NftToDepositDialog from './nft-to-deposit.dialog.tsx'
import RcmDialog from './rcm.dialog.tsx'
import SwapDialog from './swap.dialog.tsx'
import UserTransferDialog from './user-transfer.dialog.tsx'

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

it('[MF-09] [UI-M-U2U-06] [ER-30] [GN-33] [UI-M-COMMON-02] sends amount and email once, closes, refetches the wallets and shows the message', async () => {
  api.reply(userToUserDeposit, { receipt: { kind: 'transfer', id: 't1' } }, 'Transferred')
  await mount(<UserTransferDialog onClose={onClose} />)
  await expect.element(dialog().getByRole('heading', { name: 'User To User Transfer' })).toBeVisible()
  await expect.element(dialog().getByText('200.00', { exact: true }).first()).toBeVisible()
  const before = api.calls(userWallet).length
  await field('Transfer Amount (Min $5)').fill('12.5')
  await field('Receiver Email').fill('Ben@gmail.com')
  await expect.element(dialog().getByText('187.50')).toBeVisible()
  await press('Transfer')
  await message('success', 'Transferred')
  expect(api.calls(userToUserDeposit).map(({ body }) => body)).toEqual([{ amount: 12.5, email: 'ben@gmail.com' }])
  expect(api.calls(userToUserDeposit)[0]?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f]{32}$/)
  expect(onClose).toHaveBeenCalledOnce()
  await expect.poll(() => api.calls(userWallet).length).toBeGreaterThan(before)
  await expect.element(box().getByRole('link', { name: 'See the receipt' })).toHaveAttribute('href', '/dashboard?receipt=transfer.t1')
})

describe('people that the member sent to before', () => {
  const sentAt = '2026-03-05T12:00:00.000Z'

  it('fills in the address of the chosen person, and still asks for a confirmation', async () => {
    api
      .reply(payees, {
        data: [
          { email: 'ben@gmail.com', initials: 'B. L.', amount: 12.5, sentAt },
          { email: 'cem@gmail.com', initials: 'C. O.', amount: 5, sentAt },
        ],
      })
      .reply(findReceiver, { initials: 'C. O.' })
    await mount(<UserTransferDialog onClose={onClose} />)
    const people = dialog().getByRole('group', { name: 'Sent before' })
    await people.getByRole('button', { name: 'C. O. cem@gmail.com' }).click()
    await expect.element(field('Receiver Email')).toHaveValue('cem@gmail.com')
    await expect.element(people.getByRole('button', { name: 'C. O. cem@gmail.com' })).toHaveAttribute('aria-pressed', 'true')
    await field('Transfer Amount (Min $5)').fill('9')
    await press('Transfer')
    await message('Send 9.00 USD to C. O.?', 'cem@gmail.com')
    expect(api.calls(userToUserDeposit)).toHaveLength(0)
  })

  it('starts with the values of a transfer to repeat', async () => {
    await mount(<UserTransferDialog onClose={onClose} start={{ email: 'ben@gmail.com', amount: '12.5' }} />)
    await expect.element(field('Receiver Email')).toHaveValue('ben@gmail.com')
    await expect.element(field('Transfer Amount (Min $5)')).toHaveValue('12.5')
    expect(dialog().getByRole('group', { name: 'Sent before' }).elements()).toHaveLength(0)
  })
})

describe('confirmation of the receiver', () => {
  const fill = async () => {
    await field('Transfer Amount (Min $5)').fill('12.5')
    await field('Receiver Email').fill('ben@gmail.com')
    await press('Transfer')
  }
  const answer = (name: string) => box().getByRole('button', { name, exact: true }).click()

  it('shows amount, initials and address before sending, and again after it', async () => {
    api.reply(findReceiver, { initials: 'B. L.' }).reply(userToUserDeposit, { receipt: { kind: 'transfer', id: 't1' } }, 'Transferred')
    await mount(<UserTransferDialog onClose={onClose} />)
    await fill()
    await message('Send 12.50 USD to B. L.?', 'ben@gmail.com')
    expect(api.calls(userToUserDeposit)).toHaveLength(0)
    await answer('Send')
    await message('success', 'Transferred')
    await expect.element(box().getByText('12.50 USD to B. L. ben@gmail.com')).toBeVisible()
    expect(api.calls(findReceiver).map(({ body }) => body)).toEqual([{ amount: 12.5, email: 'ben@gmail.com' }])
  })

  it('shows the name that the member gave to the receiver', async () => {
    api
      .reply(payees, { data: [{ email: 'ben@gmail.com', initials: 'B. L.', name: 'Brother Ben' }] })
      .reply(findReceiver, { initials: 'B. L.' })
    await mount(<UserTransferDialog onClose={onClose} />)
    await field('Transfer Amount (Min $5)').fill('12.5')
    await press('Brother Ben ben@gmail.com')
    await press('Transfer')
    await message('Send 12.50 USD to Brother Ben (B. L.)?', 'ben@gmail.com')
  })

  it('keeps the form and sends nothing when the sender goes back', async () => {
    api.reply(findReceiver, { initials: 'B. L.' })
    await mount(<UserTransferDialog onClose={onClose} />)
    await fill()
    await answer('Back')
    await expect.element(field('Receiver Email')).toHaveValue('ben@gmail.com')
    expect(api.calls(userToUserDeposit)).toHaveLength(0)
    expect(onClose).not.toHaveBeenCalled()
  })

  it('asks the sender to check the address when the initials are withheld', async () => {
    api.refuse(findReceiver, 429, 'Too many requests')
    await mount(<UserTransferDialog onClose={onClose} />)
    await fill()
    await message('Send 12.50 USD?', 'ben@gmail.com')
  })

  it('[ER-28] [UI-M-U2U-07] shows a rejection under `Failed`, closes, and keeps the input for the next attempt', async () => {
    api.refuse(findReceiver, 400, 'User not found')
    function Reopened() {
      const [open, setOpen] = useState(true)
      return open ? <UserTransferDialog onClose={() => setOpen(false)} /> : <button onClick={() => setOpen(true)}>Open again</button>
    }
    await mount(<Reopened />)
    await fill()
    await message('Failed', 'User not found')
    expect(dialog().elements()).toHaveLength(0)
    expect(api.calls(userToUserDeposit)).toHaveLength(0)
    await answer('OK')
    await page.getByRole('button', { name: 'Open again' }).click()
    await expect.element(field('Receiver Email')).toHaveValue('ben@gmail.com')
    await expect.element(field('Transfer Amount (Min $5)')).toHaveValue('12.5')
  })
})

it('[VA-52] [VA-53] [VA-54] [UI-M-U2U-03] rejects less than 5, more than 10000 and a malformed email address, without a call', async () => {
  await mount(<UserTransferDialog onClose={onClose} />)
  await expect.element(dialog().getByText('200.00', { exact: true }).first()).toBeVisible()
  await expect.element(field('Receiver Email')).toHaveAttribute('type', 'email')
  await expect.element(field('Receiver Email')).toBeRequired()
  await press('Transfer')
  await expect.element(dialog().getByText('This field is required').first()).toBeVisible()
  await field('Transfer Amount (Min $5)').fill('4.99')
  await field('Receiver Email').fill('ben')
  await expect.element(dialog().getByText('Minimum amount is 5')).toBeVisible()
  await expect.element(dialog().getByText('Entered value does not match email format')).toBeVisible()
  await field('Transfer Amount (Min $5)').fill('10000.01')
  await expect.element(dialog().getByText('Maximum amount is 10000')).toBeVisible()
  await press('Transfer')
  expect(api.calls(userToUserDeposit)).toHaveLength(0)
})

it('[VA-55] [UI-M-U2U-04] [UI-M-U2U-05] warns of a zero amount before the minimum and closes', async () => {
  await mount(<UserTransferDialog onClose={onClose} />)
  await field('Transfer Amount (Min $5)').fill('0')
  await press('Transfer')
  await message('failed', 'Balance is low')
  expect(onClose).toHaveBeenCalledOnce()
  expect(api.calls(userToUserDeposit)).toHaveLength(0)
})

it('[UI-M-U2U-05] warns of an empty deposit wallet and closes', async () => {
  api.reply(userWallet, { ...testBalances, depositWallet: 0 })
  await mount(<UserTransferDialog onClose={onClose} />)
  await expect.element(dialog().getByText('0.00', { exact: true }).first()).toBeVisible()
  await field('Transfer Amount (Min $5)').fill('10')
  await press('Transfer')
  await message('failed', 'Balance is low')
  expect(onClose).toHaveBeenCalledOnce()
})

it('[ER-28] [UI-M-U2U-07] shows the rejection under `Failed` and closes', async () => {
  api.refuse(userToUserDeposit, 400, 'User not found')
  await mount(<UserTransferDialog onClose={onClose} />)
  await field('Transfer Amount (Min $5)').fill('10')
  await field('Receiver Email').fill('nobody@gmail.com')
  await press('Transfer')
  await message('Failed', 'User not found')
  expect(onClose).toHaveBeenCalledOnce()
})

it('repeats an unanswered transfer with its first key, from a reopened form', async () => {
  api.drop(userToUserDeposit)
  const screen = await mount(<UserTransferDialog onClose={onClose} />)
  const send = async () => {
    await field('Transfer Amount (Min $5)').fill('10')
    await field('Receiver Email').fill('ben@gmail.com')
    await press('Transfer')
    await expect.element(box()).toBeVisible()
    await box().getByRole('button', { name: 'OK' }).click()
  }
  await send()
  await screen.unmount()
  api.reply(userToUserDeposit, null, 'Transferred')
  await mount(<UserTransferDialog onClose={onClose} />)
  await send()
  await send()
  const keys = api.calls(userToUserDeposit).map(({ headers }) => headers.get('Idempotency-Key'))
  expect(keys).toHaveLength(3)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})

it('[UI-M-COMMON-04] shows progress, and cannot be submitted twice or closed with Escape meanwhile', async () => {
  const answer = api.hold(swapNativeToMyWallet, null, 'Swapped')
  await mount(<SwapDialog onClose={onClose} />)
  await field('Amount').fill('1')
  await press('Swap')
  const button = dialog().getByRole('button', { name: 'Swap' })
  await expect.element(button).toHaveAttribute('aria-busy', 'true')
  await button.click({ force: true })
  await userEvent.keyboard('{Escape}')
  expect(onClose).not.toHaveBeenCalled()
  answer()
  await message('success', 'Swapped')
  expect(api.calls(swapNativeToMyWallet)).toHaveLength(1)
})

it('[UI-M-COMMON-04] closes on Escape without a call', async () => {
  await mount(<SwapDialog onClose={onClose} />)
  await field('Amount').fill('1')
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => onClose).toHaveBeenCalledOnce()
  expect(api.calls(swapNativeToMyWallet)).toHaveLength(0)
})

it('[MF-07] [UI-M-SWAP-02] [API-45] swaps coin of the native wallet, at most its balance', async () => {
  api.reply(swapNativeToMyWallet, null, 'Swapped')
  await mount(<SwapDialog onClose={onClose} />)
  await expect.element(field('Native Wallet')).toHaveValue('5000.50')
  await expect.element(field('Native Wallet')).toHaveAttribute('readonly')
  await field('Amount').fill('5000.51')
  await press('Swap')
  await expect.element(dialog().getByText('Maximum amount is 5000.5')).toBeVisible()
  await dialog().getByRole('button', { name: 'Max' }).click()
  await expect.element(field('Amount')).toHaveValue('5000.5')
  await press('Swap')
  await message('success', 'Swapped')
  expect(api.calls(swapNativeToMyWallet).map(({ body }) => body)).toEqual([{ amount: 5000.5 }])
})

it.each([
  ['[ER-29] [UI-M-SWAP-03]', 'closes', swapNativeToMyWallet, SwapDialog, 'Amount', 'Swap'],
  ['[ER-25] [ER-32] [UI-M-CONVERT-07]', 'stays open', convertToMyWallet, ConvertDialog, 'USD', 'Convert'],
  ['[ER-28] [UI-M-NFT2DEP-05]', 'closes', nftToDepositWallet, NftToDepositDialog, 'Amount', 'Transfer'],
  ['[ER-31] [UI-M-MY2DEP-05]', 'closes', myWalletToUsd, MyToDepositDialog, 'Amount', 'Swap'],
  ['[ER-31] [UI-M-RCM-04]', 'closes', withdrawRcmCoin, RcmDialog, 'Amount', 'Withdraw'],
] as const)('%s shows the rejection of the server under `Failed`, and %s', async (_, then, route, Dialog, label, button) => {
  api.refuse(route, 400, 'Insufficient balance')
  await mount(<Dialog onClose={onClose} />)
  await field(label).fill(Dialog === MyToDepositDialog ? '1000' : '5')
  await press(button)
  await message('Failed', 'Insufficient balance')
  expect(onClose).toHaveBeenCalledTimes(then === 'closes' ? 1 : 0)
})

it('[MF-05] [UI-M-EXCHANGE-02] [UI-M-EXCHANGE-03] [UI-M-EXCHANGE-05] [VA-44] sends the read-only share of the ICO wallet', async () => {
  api.reply(exchangeToMyWallet, null, 'Moved')
  await mount(<ExchangeDialog onClose={onClose} />)
  await expect.element(dialog().getByRole('heading', { name: 'Transfer to My Wallet' })).toBeVisible()
  await expect.element(field('Amount')).toHaveValue('123.46')
  await expect.element(field('Amount')).toHaveAttribute('readonly')
  await press('Transfer')
  await message('success', 'Moved')
  expect(api.calls(exchangeToMyWallet).map(({ body }) => body)).toEqual([{ amount: 123.46 }])
  await expect.element(box().getByRole('link')).toHaveAttribute('href', '/history/transfer-history')
})

it('sends the share only after the settings have arrived', async () => {
  const arrive = api.reply(exchangeToMyWallet, null, 'Moved').hold(exchangeSettings, [{ exchangeLimit: 50 }])
  await mount(<ExchangeDialog onClose={onClose} />)
  const send = dialog().getByRole('button', { name: 'Transfer' })
  await expect.element(send).toHaveAttribute('aria-busy', 'true')
  await send.click({ force: true })
  arrive()
  await expect.element(send).not.toHaveAttribute('aria-busy')
  await press('Transfer')
  await message('success', 'Moved')
  expect(api.calls(exchangeToMyWallet)).toHaveLength(1)
})

it.each([
  [[{ exchangeLimit: 100 }], 'Moves everything in your ICO Wallet to My Wallet.'],
  [[{ exchangeLimit: 10, cooldownHours: 0 }], 'One transfer moves 10% of your ICO Wallet. You can transfer again right away.'],
  [[{ exchangeLimit: 25, cooldownHours: 24 }], 'One transfer moves 25% of your ICO Wallet. The next one is possible 24 hours later.'],
])('shows the size and frequency of a transfer, for %j', async (settings, text) => {
  api.reply(exchangeSettings, settings).reply(exchangeHistory, { data: [], meta: { total: 0, page: 1, limit: 1 } })
  await mount(<ExchangeDialog onClose={onClose} />)
  await expect.element(dialog().getByText(text, { exact: true })).toBeVisible()
  expect(
    dialog()
      .getByText(/Your next transfer/)
      .elements(),
  ).toHaveLength(0)
})

it('shows the time of the next transfer while the member has to wait', async () => {
  const last = new Date(Date.now() - 3_600_000)
  const row = { createdAt: last.toISOString(), user: { email: 'a@gmail.com' }, amount: 5 }
  api
    .reply(exchangeSettings, [{ exchangeLimit: 10, cooldownHours: 24 }])
    .reply(exchangeHistory, { data: [row], meta: { total: 1, page: 1, limit: 1 } })
  await mount(<ExchangeDialog onClose={onClose} />)
  const next = formatTime(new Date(last.getTime() + 24 * 3_600_000))
  await expect.element(dialog().getByText(`Your next transfer is possible from ${next}.`)).toBeVisible()
})

it('[ER-26] [ER-27] [ER-32] [UI-M-EXCHANGE-06] shows an exchange error under the title `success` with the error icon and stays open', async () => {
  api.refuse(exchangeToMyWallet, 400, 'Invalid amount')
  await mount(<ExchangeDialog onClose={onClose} />)
  await expect.element(field('Amount')).toHaveValue('123.46')
  await press('Transfer')
  await message('success', 'Invalid amount')
  await expect.element(box().getByText('Error', { exact: true })).toBeVisible()
  expect(onClose).not.toHaveBeenCalled()
})

it('[MF-06] [UI-M-CONVERT-03] [UI-M-CONVERT-06] [VA-43] [CO-14] shows usd ÷ 0.008 and sends usd', async () => {
  const others = { minCoin: 1, maxCoin: 10_000_000, platformFeePercent: 5, networkFeePercent: 2 }
  api.reply(generalSettings, { ...others, coinPrice: 0.01, convertRate: 0.008 })
  api.reply(convertToMyWallet, null, 'Converted')
  await mount(<ConvertDialog onClose={onClose} />)
  await field('USD').fill('2.5')
  await expect.element(dialog().getByText('312.50')).toBeVisible()
  await press('Convert')
  await message('success', 'Converted')
  expect(api.calls(convertToMyWallet).map(({ body }) => body)).toEqual([{ usd: 2.5 }])
  expect(api.calls(convertToMyWallet)[0]?.headers.get('Quoted-Amount')).toBe('312.5')
})

it('[VA-39] [VA-40] [VA-41] [UI-M-CONVERT-02] rejects other steps, less than 1 and more than the NFT wallet', async () => {
  await mount(<ConvertDialog onClose={onClose} />)
  await expect.element(dialog().getByText('50.25').first()).toBeVisible()
  await press('Convert')
  await field('USD').fill('2.25')
  await expect.element(dialog().getByText('Amounts go in steps of 0.5')).toBeVisible()
  await field('USD').fill('0.5')
  await expect.element(dialog().getByText('Minimum amount is 1')).toBeVisible()
  await field('USD').fill('50.5')
  await expect.element(dialog().getByText('Maximum amount is 50.25')).toBeVisible()
  await dialog().getByRole('button', { name: 'Max' }).click()
  await expect.element(field('USD')).toHaveValue('50')
  expect(api.calls(convertToMyWallet)).toHaveLength(0)
})

it('[ER-24] [VA-42] [UI-M-CONVERT-04] [UI-M-CONVERT-05] warns of 0 under the title `failed` and closes without a call', async () => {
  await mount(<ConvertDialog onClose={onClose} />)
  await field('USD').fill('0')
  await press('Convert')
  await message('failed', 'Balance is low')
  await expect.element(box().getByText('Warning', { exact: true })).toBeVisible()
  expect(onClose).toHaveBeenCalledOnce()
  expect(api.calls(convertToMyWallet)).toHaveLength(0)
})

it('[MF-08] [UI-M-NFT2DEP-02] [UI-M-NFT2DEP-04] [VA-50] sends the amount, with the NFT wallet read-only beside it', async () => {
  api.reply(nftToDepositWallet, null, 'Moved')
  await mount(<NftToDepositDialog onClose={onClose} />)
  await expect.element(dialog().getByRole('heading', { name: 'Transfer to Deposit' })).toBeVisible()
  await expect.element(field('NFT Wallet')).toHaveValue('50.25')
  await expect.element(field('NFT Wallet')).toHaveAttribute('readonly')
  await field('Amount').fill('20')
  await press('Transfer')
  await message('success', 'Moved')
  expect(api.calls(nftToDepositWallet).map(({ body }) => body)).toEqual([{ amount: 20 }])
})

it('[VA-47] [VA-48] [VA-49] [UI-M-NFT2DEP-03] requires a number of at most 10000', async () => {
  await mount(<NftToDepositDialog onClose={onClose} />)
  await press('Transfer')
  await expect.element(dialog().getByText('This field is required')).toBeVisible()
  await field('Amount').fill('12,5')
  await expect.element(dialog().getByText('Enter a number like 1000.5, with a dot', { exact: false })).toBeVisible()
  await field('Amount').fill('10000.01')
  await expect.element(dialog().getByText('Maximum amount is 10000')).toBeVisible()
  expect(api.calls(nftToDepositWallet)).toHaveLength(0)
})

it('[MF-10] [UI-M-MY2DEP-03] [UI-M-MY2DEP-04] [VA-58] [CO-18] shows amount × coinPrice and sends the amount', async () => {
  api.reply(myWalletToUsd, null, 'Swapped to USD')
  await mount(<MyToDepositDialog onClose={onClose} />)
  await expect.element(dialog().getByRole('heading', { name: 'My Wallet to Deposit Wallet' })).toBeVisible()
  await field('Amount').fill('1500')
  await expect.element(field('You receive')).toHaveValue('12.00')
  await press('Swap')
  await message('success', 'Swapped to USD')
  expect(api.calls(myWalletToUsd).map(({ body }) => body)).toEqual([{ amount: 1500 }])
  expect(api.calls(myWalletToUsd)[0]?.headers.get('Quoted-Amount')).toBe('12')
})

it('[MF-10] sells at the lower price while both prices of a change count, and says until when', async () => {
  const until = new Date('2031-12-02T09:00:00Z')
  api.reply(generalSettings, { coinPrice: 0.008, buyPrice: 0.008, sellPrice: 0.006, bothPricesUntil: until.toISOString() })
  api.reply(myWalletToUsd, null, 'Swapped to USD')
  await mount(<MyToDepositDialog onClose={onClose} />)
  await expect.element(dialog().getByText(`until ${formatTime(until)} you sell at the lower of both prices`)).toBeVisible()
  await field('Amount').fill('1500')
  await expect.element(field('You receive')).toHaveValue('9.00')
  await press('Swap')
  await message('success', 'Swapped to USD')
  expect(api.calls(myWalletToUsd)[0]?.headers.get('Quoted-Amount')).toBe('9')
})

it('[MF-10] sends the displayed figure, and reloads the price after a rejection', async () => {
  api.refuse(myWalletToUsd, 400, 'Price has changed, please try again')
  await mount(<MyToDepositDialog onClose={onClose} />)
  await field('Amount').fill('1000')
  await expect.element(field('You receive')).toHaveValue('8.00')
  const before = api.calls(generalSettings).length
  await press('Swap')
  await message('Failed', 'Price has changed, please try again')
  expect(api.calls(myWalletToUsd)[0]?.headers.get('Quoted-Amount')).toBe('8')
  await expect.poll(() => api.calls(generalSettings).length).toBeGreaterThan(before)
})

it("[MF-10] shows the sales fund's balance, warns when a sale needs more, and asks again after a rejection", async () => {
  api.reply(salesFund, { available: 9.5 })
  api.refuse(myWalletToUsd, 400, 'The sales fund has 9.5 USD now, which is less than this needs')
  await mount(<MyToDepositDialog onClose={onClose} />)
  await field('Amount').fill('1000')
  await expect.element(dialog().getByText('Available for sales now')).toBeVisible()
  await expect.element(dialog().getByText('9.50')).toBeVisible()
  await expect.element(dialog().getByText('Not enough for this amount now')).not.toBeInTheDocument()
  await field('Amount').fill('2000')
  await expect.element(dialog().getByText('Not enough for this amount now')).toBeVisible()
  const before = api.calls(salesFund).length
  await press('Swap')
  await message('Failed', 'The sales fund has 9.5 USD now, which is less than this needs')
  await mount(<MyToDepositDialog onClose={onClose} />)
  await expect.poll(() => api.calls(salesFund).length).toBeGreaterThan(before)
})

it('[MF-10] offers a sell request for coin that the fund cannot pay, lists it and withdraws it', async () => {
  const open = {
    id: 'r1',
    amount: 2000,
    sold: 500,
    received: 4,
    lowestPrice: 0.0075,
    status: 'OPEN' as const,
    createdAt: '2026-03-02T09:00:00Z',
    expiresAt: '2026-03-09T09:00:00Z',
  }
  api.reply(salesFund, { available: 9.5 })
  api.reply(leaveSellRequest, { id: 'r1' }).reply(withdrawSellRequest, null)
  await mount(<MyToDepositDialog onClose={onClose} />)
  await field('Amount').fill('1000')
  await expect.element(dialog().getByText('9.50')).toBeVisible()
  expect(
    dialog()
      .getByRole('button', { name: /Leave a sell request/ })
      .elements(),
  ).toHaveLength(0)
  await field('Amount').fill('2000')
  await field('Lowest price in USD').fill('0')
  await expect.element(dialog().getByText('Please enter a price')).toBeVisible()
  await field('Lowest price in USD').fill('0.0075')
  await field('Days until it expires').fill('91')
  await expect.element(dialog().getByText('Please enter 1 to 90 days')).toBeVisible()
  await press('Leave a sell request for 2,000.00 TIZARA')
  expect(api.calls(leaveSellRequest)).toHaveLength(0)
  await field('Days until it expires').fill('7')
  api.reply(sellRequests, { data: [open, { ...open, id: 'r0', status: 'WITHDRAWN', sold: 0, received: 0 }] })
  await press('Leave a sell request for 2,000.00 TIZARA')
  await expect.poll(() => api.calls(leaveSellRequest).map(({ body }) => body)).toEqual([{ amount: 2000, lowestPrice: 0.0075, days: 7 }])
  const list = dialog().getByRole('region', { name: 'Sell requests' })
  await expect.element(list.getByText(/^500.00 of 2,000.00 TIZARA sold for 4.00 USD, at 0.0075 USD or more, until/)).toBeVisible()
  await expect.element(list.getByText('Withdrawn')).toBeVisible()
  expect(
    dialog()
      .getByRole('button', { name: /Leave a sell request/ })
      .elements(),
  ).toHaveLength(0)
  api.refuse(withdrawSellRequest, 400, 'This request has already been decided')
  await press('Withdraw')
  await expect.element(list.getByText('This request has already been decided')).toBeVisible()
  expect(api.calls(withdrawSellRequest).map(({ body }) => body)).toEqual([{ id: 'r1' }])
  expect(api.calls(myWalletToUsd)).toHaveLength(0)
})

it('[VA-57] [UI-M-MY2DEP-02] rejects less than 1000', async () => {
  await mount(<MyToDepositDialog onClose={onClose} />)
  await field('Amount').fill('999.99999999')
  await press('Swap')
  await expect.element(dialog().getByText('Minimum amount is 1000')).toBeVisible()
  expect(api.calls(myWalletToUsd)).toHaveLength(0)
})

it('[MF-11] [UI-M-RCM-02] [UI-M-RCM-03] [CO-45] sends coin of the RCM wallet, at most its balance and 10000', async () => {
  api.reply(withdrawRcmCoin, null, 'Withdrawn')
  await mount(<RcmDialog onClose={onClose} />)
  await expect.element(field('RCM Wallet')).toHaveValue('4200.00')
  await field('Amount').fill('4200.1')
  await press('Withdraw')
  await expect.element(dialog().getByText('Maximum amount is 4200')).toBeVisible()
  await field('Amount').fill('1000')
  await expect.element(field('You receive')).toHaveValue('8.00')
  await press('Withdraw')
  await message('success', 'Withdrawn')
  expect(api.calls(withdrawRcmCoin).map(({ body }) => body)).toEqual([{ amount: 1000 }])
  expect(api.calls(withdrawRcmCoin)[0]?.headers.get('Quoted-Amount')).toBe('8')
})

it('[MF-09] confirms a pending transfer with the password in place of the form, without a second transfer', async () => {
  const transfer = { id: 'w1', amount: 500, email: 'ben@gmail.com', createdAt: new Date(), waitsUntil: new Date(Date.now() + 3_600_000) }
  api.reply(payoutGuard, {
    proof: 'password',
    passkey: false,
    confirmHours: 24,
    delayHours: 24,
    held: null,
    addresses: [],
    transfers: [transfer],
  })
  api.reply(confirmPayout, null, 'Confirmed')
  await mount(<UserTransferDialog onClose={onClose} />)
  await expect.element(dialog().getByText('500.00 USD to ben@gmail.com')).toBeVisible()
  await press('Confirm or cancel')
  await expect.element(dialog().getByRole('heading', { name: 'Confirm this transfer' })).toBeVisible()
  await dialog().getByLabelText('Password', { exact: true }).fill('violet-harbour-93')
  await press('Confirm transfer')
  await expect.poll(() => api.calls(confirmPayout).map(({ body }) => body)).toEqual([{ password: 'violet-harbour-93' }])
  expect(api.calls(userToUserDeposit)).toHaveLength(0)
})
