import { createInvoice, createPayment, myDeposits } from '@tizara/contract/deposits'
import { appConfig } from '@tizara/contract/settings'
import { getReceipt } from '@tizara/contract/wallets'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { loadMissingAppConfig } from '../settings/index.ts'
import type { FakeApi } from '../test/fake-api.ts'
import { badgeColour } from '../test/badge-colour.ts'
import { memberApi } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import DepositDialog from './deposit.dialog.tsx'
import PaymentHistoryScreen from './payment-history.screen.tsx'
import TokenDepositDialog from './token-deposit.dialog.tsx'

let api: FakeApi
const onClose = vi.fn()
const leave = vi.fn()

beforeEach(() => {
  api = memberApi()
  onClose.mockReset()
  leave.mockReset()
})

const dialog = () => page.getByRole('dialog')
const box = () => page.getByRole('alertdialog')
const amount = () => dialog().getByRole('textbox', { name: 'Amount' })
const press = () => dialog().getByRole('button', { name: 'Deposit', exact: true }).click()
const useClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

it('[ST-37] [CO-26] [UI-M-DEPOSIT-03] [UI-M-DEPOSIT-04] [EN-55] shows the host and opens it after 2 seconds', async () => {
  api.reply(createPayment, { invoice_url: 'https://pay.example/i/1' })
  await mount(<DepositDialog onClose={onClose} leave={leave} />)
  await amount().fill('250.5')
  useClock()
  await press()
  await expect.element(dialog().getByText('pay.example')).toBeVisible()
  expect(api.calls(createPayment).map(({ body }) => body)).toEqual([{ amount: 250.5 }])
  // Waiting for an element advanced the clock by a few 50 ms steps.
  await vi.advanceTimersByTimeAsync(1500)
  expect(leave).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(500)
  expect(leave).toHaveBeenCalledExactlyOnceWith('https://pay.example/i/1')
})

it('offers to send USDT from a personal wallet when the platform reads a chain, and keeps the typed amount', async () => {
  api.reply(appConfig, {
    brandName: 'Tizara',
    tokenSymbol: 'TIZARA',
    allowedEmailDomains: [],
    sandbox: false,
    invoiceBaseUrl: '',
    usdOnChain: true,
  })
  await loadMissingAppConfig()
  api.reply(createInvoice, { data: { invoice_id: 'inv 2' } })
  await mount(<DepositDialog onClose={onClose} leave={leave} />)
  await amount().fill('25.5')
  await dialog().getByRole('radio', { name: 'From your own wallet' }).click()
  await expect.element(amount()).toHaveValue('25.5')
  useClock()
  await press()
  await expect.element(dialog().getByText('Opening the payment page').last()).toBeInTheDocument()
  expect(api.calls(createInvoice).map(({ body }) => body)).toEqual([{ amount: 25.5, asset: 'usd' }])
  expect(api.calls(createPayment)).toEqual([])
  await vi.advanceTimersByTimeAsync(2000)
  await expect.poll(() => location.pathname + location.search).toBe('/invoice?id=inv%202')
  expect(leave).not.toHaveBeenCalled()
})

it('stays on the page when the redirect is cancelled', async () => {
  api.reply(createPayment, { invoice_url: 'https://pay.example/i/1' })
  await mount(<DepositDialog onClose={onClose} leave={leave} />)
  await amount().fill('250')
  useClock()
  await press()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await vi.advanceTimersByTimeAsync(5000)
  expect(leave).not.toHaveBeenCalled()
  await expect.element(amount()).toHaveValue('250')
})

it('follows only web addresses', async () => {
  api.reply(createPayment, { invoice_url: 'javascript:alert(1)' })
  await mount(<DepositDialog onClose={onClose} leave={leave} />)
  await amount().fill('5')
  await press()
  await expect.element(box().getByText('Something went wrong!')).toBeVisible()
  expect(leave).not.toHaveBeenCalled()
})

it('[VA-24] [VA-25] [VA-26] [CO-11] [UI-M-DEPOSIT-02] requires a number from 1 to 100000', async () => {
  await mount(<DepositDialog onClose={onClose} leave={leave} />)
  await press()
  await expect.element(dialog().getByText('This field is required')).toBeVisible()
  await amount().fill('0.99')
  await expect.element(dialog().getByText('Minimum amount is 1')).toBeVisible()
  await amount().fill('100000.01')
  await expect.element(dialog().getByText('Maximum amount is 100000')).toBeVisible()
  await amount().fill('1e5')
  await expect.element(dialog().getByText('Enter digits and a dot', { exact: false })).toBeVisible()
  expect(api.calls(createPayment)).toHaveLength(0)
})

it('[VA-27] [UI-M-DEPOSIT-02] blocks the keys e, E, + and -', async () => {
  await mount(<DepositDialog onClose={onClose} leave={leave} />)
  await amount().click()
  await userEvent.keyboard('1e2E3+4-5')
  await expect.element(amount()).toHaveValue('12345')
})

it('[ER-17] [UI-M-DEPOSIT-05] shows the server’s message under `Deposit Failed`', async () => {
  api.refuse(createPayment, 400, 'Please pay or wait for your open invoices first')
  await mount(<DepositDialog onClose={onClose} leave={leave} />)
  await amount().fill('5')
  await press()
  await expect.element(box().getByRole('heading', { name: 'Deposit Failed' })).toBeVisible()
  await expect.element(box().getByText('Please pay or wait for your open invoices first')).toBeVisible()
})

it('[ER-17] [ER-18] says `Something went wrong!` when the server sends no message', async () => {
  api.refuse(createPayment, 500)
  await mount(<DepositDialog onClose={onClose} leave={leave} />)
  await amount().fill('5')
  await press()
  await expect.element(box().getByText('Something went wrong!', { exact: true })).toBeVisible()
})

it('[UI-M-TOKENDEP-02] [UI-M-TOKENDEP-03] [UI-M-TOKENDEP-04] [UI-M-TOKENDEP-05] [EN-57] opens the invoice page in this tab after 2 seconds', async () => {
  api.reply(createInvoice, { data: { invoice_id: 'inv 1' } })
  await mount(<TokenDepositDialog onClose={onClose} />)
  await expect.element(dialog().getByRole('heading', { name: 'Deposit TIZARA' })).toBeVisible()
  await amount().fill('1000.12345678')
  useClock()
  await press()
  await expect.element(dialog().getByText('Opening the payment page').last()).toBeInTheDocument()
  expect(api.calls(createInvoice).map(({ body }) => body)).toEqual([{ amount: 1000.12345678 }])
  await vi.advanceTimersByTimeAsync(2000)
  await expect.poll(() => location.pathname + location.search).toBe('/invoice?id=inv%201')
})

it('[LS-32] [LS-33] [LS-34] [CO-44] [GN-26] lists payments and opens the deposit modal', async () => {
  const row = { createdAt: '2026-11-05T10:00:00.000Z', user: { name: 'Amara' }, orderId: 77 }
  api.reply(myDeposits, {
    data: [
      { ...row, priceAmount: 250, payAmountNum: null, desc: 'TIZARA', status: 'PENDING' },
      { ...row, priceAmount: 1234.5, payAmountNum: 1234.5, desc: 'USDT', status: 'APPROVE' },
    ],
    meta: { total: 2, page: 1, limit: 25 },
  })
  await mount(<PaymentHistoryScreen />)
  await expect.element(page.getByText('1,234.50').first()).toBeInTheDocument()
  const heads = page
    .getByRole('columnheader')
    .elements()
    .map((element) => element.textContent)
  expect(heads.slice(0, 8)).toEqual(['SL NO', 'Date', 'Name', 'Order ID', 'Amount', 'Paid', 'Type', 'Status'])
  const cells = (line: number) =>
    page
      .getByRole('row')
      .nth(line)
      .getByRole('cell')
      .elements()
      .map((element) => element.lastElementChild?.textContent)
  expect(cells(1).slice(0, 8)).toEqual(['1', '05 Nov 2026', 'Amara', '77', '250.00 TIZARA', '0.00 TIZARA', 'TIZARA', 'PENDING'])
  expect(cells(2).slice(4, 8)).toEqual(['1,234.50 USD', '1,234.50 USDT', 'USDT', 'APPROVE'])
  await page.getByRole('button', { name: 'Deposit' }).click()
  await expect.element(dialog().getByRole('heading', { name: 'Deposit' })).toBeVisible()
})

it('links the receipt of an open invoice to its page', async () => {
  api
    .reply(myDeposits, {
      data: [
        {
          createdAt: '2026-11-21T12:00:00.000Z',
          user: { name: 'Amara' },
          orderId: 'inv1',
          priceAmount: 200,
          payAmountNum: 0,
          desc: 'TIZARA',
          status: 'PENDING',
          id: 'inv1',
          receipt: { kind: 'deposit', id: 'inv1' },
        },
      ],
      meta: { total: 1, page: 1, limit: 25 },
    })
    .reply(getReceipt, {
      kind: 'deposit',
      id: 'inv1',
      title: 'Deposit TIZARA',
      status: 'PENDING',
      asset: 'coin',
      amount: 200,
      from: { label: 'Invoice', address: '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc' },
      to: { label: 'Native Wallet' },
      createdAt: '2026-11-21T12:00:00.000Z',
      base: 200,
      baseLabel: 'Requested',
      lines: [],
    })
  await mount(<PaymentHistoryScreen />, '/deposit-wallet-history')
  await page.getByRole('button', { name: /Open receipt 1/ }).click()
  await expect.element(page.getByRole('link', { name: 'Open the invoice' })).toHaveAttribute('href', '/invoice?id=inv1')
  await expect.element(page.getByText('Requested')).toBeVisible()
})

it('[ST-49] [ST-50] [ST-51] [EN-44] shows APPROVE in green, REJECT in red and any other state unchanged as a warning', async () => {
  const row = {
    createdAt: '2026-11-05T10:00:00.000Z',
    user: { name: 'Amara' },
    orderId: '77',
    priceAmount: 5,
    payAmountNum: 5,
    desc: 'USDT',
  }
  const states = ['PENDING', 'APPROVE', 'REJECT', 'confirming']
  api.reply(myDeposits, { data: states.map((status) => ({ ...row, status })), meta: { total: 4, page: 1, limit: 25 } })
  await mount(<PaymentHistoryScreen />)
  await expect.element(page.getByText('confirming', { exact: true })).toBeInTheDocument()
  expect(states.map(badgeColour)).toEqual(['warning', 'success', 'danger', 'warning'])
})
