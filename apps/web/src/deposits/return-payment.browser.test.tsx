import { getInvoice, getPaymentStatus, myDeposits, myReturnable, requestReturn } from '@tizara/contract/deposits'
import { errorCatalogue } from '@tizara/contract/errors'
import { getReceipt } from '@tizara/contract/wallets'
import { payoutGuard } from '@tizara/contract/withdrawals-guard'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { axeViolations } from '../test/list-check.tsx'
import { memberApi } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import InvoiceScreen from './invoice.screen.tsx'
import PaymentHistoryScreen from './payment-history.screen.tsx'

const [USED, YOUNG] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`]
const AT = '2026-03-02T09:00:00.000Z'
const returnable = { asset: 'usd' as const, amount: 200, networkFee: 4, received: 196 }
const entry = { id: 'a1', network: 0, label: 'Ledger', createdAt: AT, address: USED, usableFrom: AT }
const guard = { proof: 'password' as const, confirmHours: 24, delayHours: 24, held: null }
let api: FakeApi

beforeEach(() => {
  api = memberApi()
    .reply(payoutGuard, { ...guard, addresses: [entry, { ...entry, id: 'a2', address: YOUNG, usableFrom: null }] })
    .reply(myReturnable, { returnable: [returnable] })
    .reply(getPaymentStatus, { status: false, payment_status: 'pending', not_counted: { other_token: 200, too_late: 0, dust: 0 } })
    .reply(getInvoice, { wallet_address: USED, amount: 250, token_name: 'TIZARA', created_at: AT })
})

const dialog = () => page.getByRole('dialog', { name: 'Return to…' })
const openDialog = () => page.getByRole('button', { name: 'Return to…' }).click()

it('asks for the return of a payment from the invoice page, to a usable address of the book', async () => {
  await mount(<InvoiceScreen />, '/invoice?id=inv1')
  await openDialog()
  await expect.element(dialog().getByText('196.00 USDT')).toBeVisible()
  await expect
    .poll(() =>
      dialog()
        .getByRole('option')
        .elements()
        .map((one) => one.getAttribute('value')),
    )
    .toEqual(['', USED])
  expect(await axeViolations()).toEqual([])
  await dialog().getByRole('button', { name: 'Ask for the return' }).click()
  await expect.element(dialog().getByText('This field is required')).toBeVisible()
  await userEvent.selectOptions(dialog().getByRole('combobox'), USED)
  api.refuse(requestReturn, 400, errorCatalogue.PAYOUTS_STOPPED.message)
  await dialog().getByRole('button', { name: 'Ask for the return' }).click()
  await expect.element(dialog().getByText(errorCatalogue.PAYOUTS_STOPPED.message)).toBeVisible()
  api.reply(requestReturn, null).reply(myReturnable, { returnable: [{ ...returnable, requested: { address: USED, at: AT } }] })
  await dialog().getByRole('button', { name: 'Ask for the return' }).click()
  await expect.poll(() => api.calls(requestReturn).at(-1)).toMatchObject({ params: { id: 'inv1' }, body: { asset: 'usd', address: USED } })
  await expect.element(page.getByRole('button', { name: 'Use another address' })).toBeVisible()
})

it('offers the return above the receipt of a deposit', async () => {
  api
    .reply(myDeposits, {
      data: [{ id: 'd1', createdAt: AT, orderId: 'd1', priceAmount: 250, payAmountNum: 0, desc: 'TIZARA', status: 'REJECT' }],
      meta: { total: 1, page: 1, limit: 25 },
    })
    .refuse(getReceipt, 404, 'Not found')
  await mount(<PaymentHistoryScreen />)
  await page.getByRole('button', { name: 'Open receipt 1' }).click()
  await openDialog()
  await expect.element(dialog().getByRole('combobox')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  await expect.element(page.getByRole('dialog', { name: 'Receipt' })).toBeVisible()
})

it('says what to do when the book has no usable address', async () => {
  api.reply(payoutGuard, { ...guard, addresses: [] })
  await mount(<InvoiceScreen />, '/invoice?id=inv1')
  await openDialog()
  await expect.element(dialog().getByText('Your address book has no usable BEP(20) address')).toBeVisible()
})

it('offers nothing to a viewer whose deposit it is not', async () => {
  api.refuse(myReturnable, 404, 'Not found')
  await mount(<InvoiceScreen />, '/invoice?id=inv1')
  await expect.element(page.getByText('200 of another token have arrived')).toBeVisible()
  await expect.poll(() => api.calls(myReturnable).length).toBe(1)
  await expect.element(page.getByRole('button', { name: 'Return to…' })).not.toBeInTheDocument()
})
