import { buyToken, buyTokenHistory } from '@tizara/contract/coin'
import { generalSettings } from '@tizara/contract/settings'
import { getReceipt, walletHoldings } from '@tizara/contract/wallets'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { memberApi, noneOutside } from '../test/member-api.ts'
import { tidyUp } from '../test/clean-up.ts'
import { mount } from '../test/mount.tsx'
import BuyTokenHistoryScreen from './buy-token-history.screen.tsx'
import { formatTime } from '../lib/format.ts'
import BuyTokenDialog from './buy-token.dialog.tsx'

let api: FakeApi
const onClose = vi.fn()

beforeEach(() => {
  api = memberApi()
  onClose.mockReset()
})

const dialog = () => page.getByRole('dialog')
const box = () => page.getByRole('alertdialog')
const amount = () => dialog().getByRole('textbox', { name: 'Coin Amount' })
const press = () => dialog().getByRole('button', { name: 'Buy Now' }).click()

it('[VA-60] [UI-M-BUYTOKEN-01] [UI-M-BUYTOKEN-03] [UI-M-BUYTOKEN-05] [API-46] shows and sends the total with 2 decimals', async () => {
  api.reply(buyToken, null, 'Bought')
  await mount(<BuyTokenDialog onClose={onClose} />)
  await expect.element(dialog().getByRole('heading', { name: 'Buy Token' })).toBeVisible()
  await amount().fill('1000.5')
  await expect.element(dialog().getByRole('textbox', { name: 'Total Price' })).toHaveValue('8.00')
  await press()
  await expect.element(box().getByText('Bought')).toBeVisible()
  expect(api.calls(buyToken).map(({ body }) => body)).toEqual([{ coinPrice: 0.008, coinAmount: 1000.5, totalPrice: 8 }])
  await expect.element(box().getByRole('link', { name: 'See it in the history' })).toHaveAttribute('href', '/buy-token-history')
})

it('[RW-01] shows before a purchase which part of the payment counts for a referral reward', async () => {
  api.reply(walletHoldings, { ...noneOutside, newMoney: 5 })
  await mount(<BuyTokenDialog onClose={onClose} />)
  await amount().fill('500')
  await expect.element(dialog().getByText('Counts for a referral reward')).toBeVisible()
  const rest = dialog().getByText('The rest was not deposited, or has earned a referral reward before.')
  await expect.element(dialog().getByText('4.00 USD').first()).toBeVisible()
  await expect.element(rest).not.toBeInTheDocument()
  await amount().fill('1000')
  await expect.element(dialog().getByText('5.00 USD')).toBeVisible()
  await expect.element(rest).toBeVisible()
})

it('offers to stake the coin after a purchase, on the page that moves it out of the ICO Wallet', async () => {
  api.reply(buyToken, null, 'Bought')
  await mount(<BuyTokenDialog onClose={onClose} />)
  await amount().fill('1000')
  await press()
  await box().getByRole('link', { name: 'Stake it now' }).click()
  await expect.element(box()).not.toBeInTheDocument()
  await expect.poll(() => location.pathname + location.search).toBe('/stack-coin?from=ico')
})

it('[VA-61] [VA-62] [UI-M-BUYTOKEN-04] shows minCoin and maxCoin as a hint, and leaves the rejection to the server', async () => {
  api.refuse(buyToken, 400, 'Maximum amount is 10000000')
  await mount(<BuyTokenDialog onClose={onClose} />)
  await expect.element(dialog().getByText('Min 1 · Max 10,000,000 TIZARA')).toBeVisible()
  await amount().fill('10000001')
  await press()
  await expect.element(box().getByText('Maximum amount is 10000000')).toBeVisible()
  expect(api.calls(buyToken)).toHaveLength(1)
})

it('shows the planned price and its start', async () => {
  const [rest, startsAt] = [{ minCoin: 1, maxCoin: 2, platformFeePercent: 5, networkFeePercent: 2 }, new Date('2031-12-01T09:00:00Z')]
  const step = { ...rest, startsAt: startsAt.toISOString(), convertRate: 0.009, bridgeFeePercent: 0, bridgeMinimum: 0 }
  const coming = [
    { ...step, coinPrice: 0.008 },
    { ...step, coinPrice: 0.0085 },
  ]
  api.reply(generalSettings, { coinPrice: 0.008, minCoin: 1, maxCoin: 2, convertRate: 0.008, coming })
  await mount(<BuyTokenDialog onClose={onClose} />)
  await expect.element(dialog().getByText(`from ${formatTime(startsAt)}: 0.0085 USD`)).toBeVisible()
})

it('[MF-12] buys at the higher price while both prices of a change count, and says until when', async () => {
  const until = new Date('2031-12-02T09:00:00Z')
  const limits = { minCoin: 1, maxCoin: 10_000_000 }
  api.reply(generalSettings, { ...limits, coinPrice: 0.008, buyPrice: 0.0085, sellPrice: 0.008, bothPricesUntil: until.toISOString() })
  api.reply(buyToken, null, 'Bought')
  await mount(<BuyTokenDialog onClose={onClose} />)
  await expect.element(dialog().getByText(`until ${formatTime(until)} you buy at the higher of both prices`)).toBeVisible()
  await amount().fill('1000')
  await expect.element(dialog().getByRole('textbox', { name: 'Total Price' })).toHaveValue('8.50')
  await press()
  await expect.element(box().getByText('Bought')).toBeVisible()
  expect(api.calls(buyToken).map(({ body }) => body)).toEqual([{ coinPrice: 0.0085, coinAmount: 1000, totalPrice: 8.5 }])
})

it('[VA-59] [CO-19] [UI-M-BUYTOKEN-02] requires at least 1 coin', async () => {
  await mount(<BuyTokenDialog onClose={onClose} />)
  await press()
  await expect.element(dialog().getByText('This field is required')).toBeVisible()
  await amount().fill('0.99999999')
  await expect.element(dialog().getByText('Minimum amount is 1')).toBeVisible()
  expect(api.calls(buyToken)).toHaveLength(0)
})

it('[ER-33] [ER-32] [UI-M-BUYTOKEN-06] shows a rejection under `Error!` and stays open', async () => {
  api.refuse(buyToken, 400, 'Price has changed, please try again')
  await mount(<BuyTokenDialog onClose={onClose} />)
  await amount().fill('100')
  await press()
  await expect.element(box().getByRole('heading', { name: 'Error!', exact: true })).toBeVisible()
  await expect.element(box().getByText('Price has changed, please try again')).toBeVisible()
  expect(onClose).not.toHaveBeenCalled()
})

it('fills in the maximum that the deposit wallet can pay', async () => {
  await mount(<BuyTokenDialog onClose={onClose} />)
  await dialog().getByRole('button', { name: 'Max' }).click()
  await expect.element(amount()).toHaveValue('25000')
})

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({
    coinAmount: 1000 + from + i,
    coinPrice: 0.008,
    totalPrice: 8,
    createdAt: '2026-11-05T14:07:00.000Z',
    id: `b${from + i}`,
  }))

it('[LS-02] [LS-08] [LS-14] [EN-23] lists purchases in exactly four columns, amounts as sent', async () => {
  api.reply(buyTokenHistory, { data: rows(1), meta: { total: 1, page: 1, limit: 25 } })
  await mount(<BuyTokenHistoryScreen />)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Buy token history' })).toBeVisible()
  await expect.element(page.getByText('0.008')).toBeInTheDocument()
  const heads = page
    .getByRole('columnheader')
    .elements()
    .map((element) => element.textContent)
  expect(heads).toEqual(['Coin Amount', 'Price', 'Total Price', 'Time', 'Details'])
  // `createdAt` to the minute, in the browser's time zone.
  const at = document.querySelector('tbody time')
  expect([at?.getAttribute('datetime'), at?.textContent]).toEqual([
    '2026-11-05T14:07:00.000Z',
    formatTime(new Date('2026-11-05T14:07:00.000Z')),
  ])
})

it('[LS-03] [LS-05] [CO-30] requests 25 rows of the page in the address, 1-based', async () => {
  api.answer(buyTokenHistory, ({ query }) => ({
    data: rows(25, (Number(query.get('page')) - 1) * 25),
    meta: { total: 60, page: Number(query.get('page')), limit: 25 },
  }))
  await mount(<BuyTokenHistoryScreen />, '/buy-token-history?page=2')
  await expect.element(page.getByText('1,025.00', { exact: true })).toBeInTheDocument()
  expect(api.calls(buyTokenHistory).map(({ query }) => query.toString())).toEqual(['page=2&limit=25'])
  await page.getByRole('button', { name: 'Page 3' }).click()
  await expect.element(page.getByText('1,050.00', { exact: true })).toBeInTheDocument()
  await expect.poll(() => location.search).toBe('?page=3')
})

it('[LS-06] [ER-67] only logs an error and shows the empty list', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  api.refuse(buyTokenHistory, 400, 'No')
  await mount(<BuyTokenHistoryScreen />)
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
  await expect.element(box()).not.toBeInTheDocument()
  // Must not claim that the list is empty.
  await expect.element(page.getByText('No purchases yet.')).not.toBeInTheDocument()
  expect(log).toHaveBeenCalledOnce()
})

it('[LS-06] [ER-67] retries a failed load silently, and then offers one button that loads the list again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  api.refuse(buyTokenHistory, 503, 'Busy')
  await mount(<BuyTokenHistoryScreen />)
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  expect(api.calls(buyTokenHistory)).toHaveLength(3)
  await expect.element(page.getByText('Busy')).not.toBeInTheDocument()
  api.reply(buyTokenHistory, { data: rows(1), meta: { total: 1, page: 1, limit: 25 } })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('0.008')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})

it('[LS-06] has no button when the list is empty or the server lacks it', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  for (const answer of [
    () => api.reply(buyTokenHistory, { data: [], meta: { total: 0, page: 1, limit: 25 } }),
    () => api.refuse(buyTokenHistory, 404, 'Not found'),
  ]) {
    answer()
    const shown = await mount(<BuyTokenHistoryScreen />)
    await expect.element(page.getByText('Data Not Found')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
    await shown.unmount()
    tidyUp()
  }
})

it('[LS-01] shows a skeleton in the shape of the rows while it loads', async () => {
  const answer = api.hold(buyTokenHistory, { data: rows(1), meta: { total: 1, page: 1, limit: 25 } })
  await mount(<BuyTokenHistoryScreen />)
  await expect.element(page.getByRole('region', { name: 'Buy token history' })).toHaveAttribute('aria-busy', 'true')
  expect(page.getByRole('row').elements().length).toBeGreaterThan(5)
  answer()
  await expect.element(page.getByText('0.008')).toBeInTheDocument()
})

it('[LS-07] opens the receipt of a row and reports a problem with the row attached', async () => {
  api
    .reply(buyTokenHistory, {
      data: [
        {
          ...rows(1)[0],
          coinAmount: 1000,
          coinPrice: 0.008,
          totalPrice: 8,
          createdAt: '2026-11-05T14:07:00.000Z',
          receipt: { kind: 'buy-token', id: 'b0' },
        },
      ],
      meta: { total: 1, page: 1, limit: 25 },
    })
    .reply(getReceipt, {
      kind: 'buy-token',
      id: 'b0',
      title: 'Purchase of coin',
      asset: 'coin',
      amount: 1000,
      from: { label: 'Sale of coin' },
      to: { label: 'ICO Wallet' },
      balanceBefore: 10,
      balanceAfter: 1010,
      createdAt: '2026-11-05T14:07:00.000Z',
      lines: [],
    })
  await mount(<BuyTokenHistoryScreen />)
  await page.getByRole('button', { name: 'Open receipt 1' }).click()
  await expect.element(dialog().getByText('Balance after')).toBeVisible()
  await expect.element(dialog().getByText('1,010.00')).toBeVisible()
  const href = dialog().getByRole('link', { name: 'Report a problem' }).element().getAttribute('href') ?? ''
  expect(href).toMatch(/^\/create-ticket\?/)
  expect(new URLSearchParams(href.split('?')[1]).get('description')).toContain('Receipt: buy-token b0')
})

it('shows the row when the server has no receipts', async () => {
  api.reply(buyTokenHistory, {
    data: [{ coinAmount: 1000, coinPrice: 0.008, totalPrice: 8, createdAt: '2026-11-05T14:07:00.000Z' }],
    meta: { total: 1, page: 1, limit: 25 },
  })
  await mount(<BuyTokenHistoryScreen />)
  await page.getByRole('button', { name: 'Open receipt 1' }).click()
  await expect.element(dialog().getByText('Total Price')).toBeVisible()
})

it('exports the whole list, 1000 rows per request', async () => {
  api.answer(buyTokenHistory, ({ query }) => {
    const limit = Number(query.get('limit'))
    const first = (Number(query.get('page')) - 1) * limit
    return { data: rows(Math.min(limit, 1500 - first), first), meta: { total: 1500, page: Number(query.get('page')), limit } }
  })
  const blobs: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) blobs.push(blob)
    return 'blob:test'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  await mount(<BuyTokenHistoryScreen />)
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect.element(page.getByText('1,500 rows exported')).toBeVisible()
  const lines = ((await blobs[0]?.text()) ?? '').trim().split('\r\n')
  expect(lines).toHaveLength(1501)
  expect(lines[0]?.replace('\ufeff', '')).toBe('Coin Amount,Price,Total Price,Time')
  expect(lines[1]).toBe('1000,0.008,8,2026-11-05T14:07:00.000Z')
})
