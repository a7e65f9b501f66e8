import { getInvoice, getPaymentStatus, payInSandbox } from '@tizara/contract/deposits'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { FakeApi } from '../test/fake-api.ts'
import { mount } from '../test/mount.tsx'
import InvoiceScreen from './invoice.screen.tsx'

const ADDRESS = '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc'
const NOW = new Date('2026-11-21T12:00:00.000Z')
let api: FakeApi

const invoice = (minutesOld: number) => ({
  wallet_address: ADDRESS,
  amount: 250,
  token_name: 'USDT',
  created_at: new Date(NOW.getTime() - minutesOld * 60_000).toISOString(),
})
const open = (minutesOld = 2) => {
  api.reply(getInvoice, invoice(minutesOld))
  return mount(<InvoiceScreen />, '/invoice?id=inv1')
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], now: NOW })
  api = new FakeApi().reply(getPaymentStatus, { status: false, payment_status: 'pending' })
})

it('[UI-INVOICE-01] [UI-INVOICE-02] [UI-INVOICE-04] [UI-INVOICE-06] [CO-39] shows amount, address and network of the payment', async () => {
  await open()
  await expect.element(page.getByText('250.00')).toBeVisible()
  const text = page.getByRole('main').element().textContent
  for (const part of [ADDRESS, 'USDT', 'BEP20, 12 confirmations', '21 Nov 2026', 'can be neither credited nor returned'])
    expect(text).toContain(part)
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Waiting for payment' })).toHaveAttribute('aria-current', 'step')
  await expect.element(page.getByRole('img', { name: 'QR code of the payment' })).toBeInTheDocument()
})

it('[UI-INVOICE-07] [ST-72] [CO-38] counts down every second in mm:ss', async () => {
  await open(2)
  const timer = page.getByRole('timer')
  await expect.element(timer).toHaveTextContent('18:00')
  await vi.advanceTimersByTimeAsync(1000)
  await expect.element(timer).toHaveTextContent('17:59')
})

it('[ST-72] counts by the server’s clock when the browser’s clock is wrong', async () => {
  api.reply(getInvoice, { ...invoice(2), server_time: new Date(NOW.getTime() + 5 * 60_000).toISOString() })
  api.reply(getPaymentStatus, {
    status: false,
    payment_status: 'pending',
    server_time: new Date(NOW.getTime() + 5 * 60_000).toISOString(),
  })
  await mount(<InvoiceScreen />, '/invoice?id=inv1')
  await expect.element(page.getByRole('timer')).toHaveTextContent('13:00')
  await vi.advanceTimersByTimeAsync(1000)
  await expect.element(page.getByRole('timer')).toHaveTextContent('12:59')
})

it('[ST-65] [CO-37] [API-94] requests the state every 15 seconds, without token or cookies', async () => {
  await open()
  await expect.poll(() => api.calls(getPaymentStatus).length).toBe(1)
  await vi.advanceTimersByTimeAsync(15_000)
  await expect.poll(() => api.calls(getPaymentStatus).length).toBe(2)
  await vi.advanceTimersByTimeAsync(12_000)
  expect(api.calls(getPaymentStatus)).toHaveLength(2)
  expect(api.calls(getPaymentStatus)[0]?.headers.has('Authorization')).toBe(false)
})

it('[ST-66] [ST-69] [UI-INVOICE-14] opens /pay/success when completed with status false, in any letter case', async () => {
  api.reply(getPaymentStatus, { status: false, payment_status: 'COMPLETED' })
  await open()
  await expect.poll(() => location.pathname).toBe('/pay/success')
})

it('[ST-67] [ST-73] [UI-INVOICE-10] shows processing while status is true, also after 20 minutes, and continues polling', async () => {
  api.reply(getPaymentStatus, { status: true, payment_status: 'completed', confirmations: 4, received: 250 })
  await open(19.9)
  const step = page.getByRole('listitem').filter({ hasText: 'Processing payment' })
  await expect.element(step).toHaveAttribute('aria-current', 'step')
  await expect.element(page.getByText('4 of 12')).toBeVisible()
  await vi.advanceTimersByTimeAsync(60_000)
  await expect.element(step).toHaveAttribute('aria-current', 'step')
  expect(api.calls(getPaymentStatus).length).toBeGreaterThan(3)
})

it('[ST-70] [ST-71] [CO-36] [UI-INVOICE-13] expires after 20 minutes and stops polling', async () => {
  await open(19.9)
  await expect.element(page.getByRole('timer')).toHaveTextContent('00:06')
  await vi.advanceTimersByTimeAsync(7000)
  await expect.element(page.getByRole('timer')).toHaveTextContent('00:00')
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Invoice expired' })).toBeVisible()
  await vi.advanceTimersByTimeAsync(15_000)
  const before = api.calls(getPaymentStatus).length
  await vi.advanceTimersByTimeAsync(60_000)
  expect(api.calls(getPaymentStatus)).toHaveLength(before)
})

it.each([
  [
    'waiting',
    2,
    { status: false, payment_status: 'pending' },
    ['Waiting for payment(now)', 'Processing payment(to come)', 'Payment Success(to come)'],
  ],
  [
    'processing',
    2,
    { status: true, payment_status: 'processing' },
    ['Waiting for payment(done)', 'Processing payment(now)', 'Payment Success(to come)'],
  ],
  ['expired', 21, { status: false, payment_status: 'pending' }, ['Waiting for payment(done)', 'Invoice expired(failed)']],
] as const)('[UI-INVOICE-08] [UI-INVOICE-10] shows the steps when the payment is %s', async (_, minutesOld, status, steps) => {
  api.reply(getPaymentStatus, status)
  await open(minutesOld)
  const list = page.getByRole('list', { name: 'Payment' })
  await expect
    .poll(() =>
      list
        .getByRole('listitem')
        .elements()
        .map((item) => item.textContent),
    )
    .toEqual(steps)
})

it.each([
  [{ other_token: 7, too_late: 0, dust: 0 }, '7 of another token have arrived', 'our staff will credit them'],
  [{ other_token: 0, too_late: 9.5, dust: 0 }, '9.5 USDT arrived after this invoice was closed', 'You do not need to do anything'],
  [{ other_token: 0, too_late: 0, balance_differs: 8, dust: 0 }, '8 must be checked by our staff', 'Please do not pay again'],
  [{ other_token: 0, too_late: 0, dust: 0.005 }, '0.005 have arrived, which is too little', 'in one transfer'],
])('shows payments that arrived without being credited, and the next step: %o', async (notCounted, title, next) => {
  api.reply(getPaymentStatus, { status: false, payment_status: 'pending', not_counted: notCounted })
  await open()
  await expect.element(page.getByText(title)).toBeVisible()
  await expect.element(page.getByText(next, { exact: false })).toBeVisible()
})

it.each([
  [{ reason: 'CHAIN_SILENT' }, 'New blocks of the chain'],
  [{ reason: 'FINAL_BLOCK' }, 'The final block of the chain'],
  [{ reason: 'MORE_BLOCKS', blocks: 40 }, '40 blocks, because the amount is large.'],
] as const)('[UI-INVOICE-06] shows beside the twelve confirmations what is still awaited: %o', async (waitsFor, expected) => {
  api.reply(getPaymentStatus, { status: true, payment_status: 'processing', confirmations: 11, received: 250, waits_for: waitsFor })
  await open()
  await expect.element(page.getByText('BEP20, 12 confirmations')).toBeVisible()
  await expect.element(page.getByText('Still awaited')).toBeVisible()
  await expect.element(page.getByText(expected, { exact: false })).toBeVisible()
})

it('shows nothing as still awaited when only confirmations are missing', async () => {
  api.reply(getPaymentStatus, { status: true, payment_status: 'processing', confirmations: 4, received: 250 })
  await open()
  await expect.element(page.getByText('4 of 12')).toBeVisible()
  expect(page.getByText('Still awaited').elements()).toHaveLength(0)
})

it('[UI-INVOICE-10] requests no second payment while the first one is confirmed', async () => {
  api.reply(getPaymentStatus, { status: true, payment_status: 'processing', confirmations: 1, received: 1500.5 })
  await open()
  await expect.element(page.getByText('The payment has arrived')).toBeVisible()
  await expect.element(page.getByText('Please do not pay again', { exact: false })).toBeVisible()
  await expect.element(page.getByText('all 1,500.5 USDT are credited', { exact: false })).toBeVisible()
  await expect.element(page.getByText('1,500.5 of 250 USDT')).toBeVisible()
  await expect.poll(() => page.getByRole('main').element().textContent).toContain('0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc')
  for (const gone of [
    page.getByRole('img', { name: 'QR code of the payment' }),
    page.getByRole('button', { name: /^Copy/ }),
    page.getByRole('timer'),
    page.getByText('Pay exactly'),
  ])
    expect(gone.elements()).toHaveLength(0)
})

it('[UI-INVOICE-02] [ST-68] requests the missing amount after a partial payment', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  api.reply(getPaymentStatus, { status: false, payment_status: 'pending', confirmations: 12, received: 100 })
  await open()
  await expect.element(page.getByText('100 of 250 USDT have arrived')).toBeVisible()
  await expect.element(page.getByText('Still to pay')).toBeVisible()
  await expect.element(page.getByText('150.00')).toBeVisible()
  await page.getByRole('button', { name: 'Copy amount' }).click()
  expect(write).toHaveBeenCalledExactlyOnceWith('150')
})

it('[UI-INVOICE-13] requests no payment after expiry, and shows the fate of a partial one', async () => {
  api.reply(getPaymentStatus, { status: false, payment_status: 'pending', confirmations: 12, received: 100 })
  await open(21)
  await expect.element(page.getByText('100 of 250 USDT have arrived and are credited', { exact: false })).toBeVisible()
  expect(page.getByRole('button', { name: 'Copy amount' }).elements()).toHaveLength(0)
  expect(page.getByText('Pay exactly').elements()).toHaveLength(0)
})

it('[ER-60] [UI-INVOICE-11] shows that it loads', async () => {
  const answer = api.hold(getInvoice, invoice(1))
  await mount(<InvoiceScreen />, '/invoice?id=inv1')
  await expect.element(page.getByText('Loading invoice...')).toBeVisible()
  answer()
})

it('[ER-59] [UI-INVOICE-12] shows that the invoice could not be loaded', async () => {
  api.refuse(getInvoice, 404, 'Not found')
  await mount(<InvoiceScreen />, '/invoice?id=inv1')
  await expect.element(page.getByText('Failed to load invoice data.')).toBeVisible()
})

it('[UI-INVOICE-15] shows the same without an id, and sends no call', async () => {
  await mount(<InvoiceScreen />, '/invoice')
  await expect.element(page.getByText('Failed to load invoice data.')).toBeVisible()
  expect(api.calls(getInvoice)).toHaveLength(0)
})

const copyAddress = () => page.getByRole('button', { name: 'Copy address' }).click()

it('[ER-62] [UI-INVOICE-05] copies the address', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await open()
  await copyAddress()
  await expect.element(page.getByText('Successfully copied!')).toBeVisible()
  expect(write).toHaveBeenCalledExactlyOnceWith(ADDRESS)
})

it('[ER-63] reports that copying failed', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
  await open()
  await copyAddress()
  await expect.element(page.getByText('Failed to copy text!')).toBeVisible()
})

it('[ER-61] [VA-88] reports that the clipboard is not supported', async () => {
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as unknown as Clipboard)
  await open()
  await copyAddress()
  await expect.element(page.getByText('Clipboard API not supported!')).toBeVisible()
})

it('offers sandbox payment only when the invoice says sandbox', async () => {
  const screen = await open()
  await expect.element(page.getByText('250.00')).toBeVisible()
  await expect.element(page.getByText('Pay with play money')).not.toBeInTheDocument()
  await screen.unmount()
  api.reply(getInvoice, { ...invoice(2), sandbox: true }).reply(payInSandbox, { ok: true })
  await mount(<InvoiceScreen />, '/invoice?id=inv2')
  await page.getByRole('button', { name: 'Half' }).click()
  await expect.poll(() => api.calls(payInSandbox).map(({ body, params }) => [params['id'], body])).toEqual([['inv2', { outcome: 'half' }]])
})
