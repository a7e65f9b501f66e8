import { activeNfts, buyNft, nftHistory } from '@tizara/contract/nfts'
import { generalSettings } from '@tizara/contract/settings'
import { userWallet } from '@tizara/contract/wallets'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { axeViolations, visibleCells, expectList } from '../test/list-check.tsx'
import { memberApi, testBalances } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import { BuyNftDialog } from './buy-nft.dialog.tsx'
import BuyNftScreen from './buy-nft.screen.tsx'
import NftHistoryScreen from './nft-history.screen.tsx'

let api: FakeApi
const onClose = vi.fn()

beforeEach(() => {
  api = memberApi()
  onClose.mockReset()
})

const list = <Row,>(data: Row[]) => ({ data, meta: { total: data.length, page: 1, limit: 25 } })
const dome = {
  id: 'n1',
  name: 'Lake Dome',
  title: 'Under the stars',
  walletName: 'dome' as const,
  quantity: 2500,
  price: 100,
  duration: 24,
  dailyRoi: 48,
  status: 'ACTIVE',
  createdAt: '2026-03-05T12:00:00.000Z',
}
const land = {
  ...dome,
  id: 'n2',
  name: 'North Field',
  walletName: 'land' as const,
  quantity: 110_000,
  price: 90,
  createdAt: '2026-04-05T12:00:00.000Z',
}
const dialog = () => page.getByRole('dialog')
const wallet = (name: string) => dialog().getByRole('radio', { name: new RegExp(`^${name}`) })
const press = () => dialog().getByRole('button', { name: 'Buy Now' }).click()
const shown = (text: string) => page.getByLabelText('Notices').getByText(text)

async function openForm(): Promise<void> {
  api.reply(activeNfts, list([dome, land]))
  await mount(<BuyNftDialog kind="dome" onClose={onClose} />)
  await expect.element(dialog().getByText('Lake Dome, Dome')).toBeVisible()
  await expect.element(dialog().getByText('12,500.00')).toBeVisible()
}

it('[UI-BUYNFT-01] [UI-BUYNFT-02] [UI-BUYNFT-03] [UI-BUYNFT-04] [UI-BUYNFT-05] shows a card for each NFT on sale, newest first', async () => {
  api.reply(activeNfts, list([dome, land, { ...dome, id: 'n3', name: 'Gone', status: 'INACTIVE' }]))
  await mount(<BuyNftScreen />, '/store-nft/buy-nft')
  const card = page.getByRole('region', { name: 'Lake Dome' })
  for (const text of [
    'Under the stars',
    'Dome',
    '100.00',
    '12,500.00',
    '24 months',
    '48%',
    '≈ 2.00',
    '7,500 left',
    '2,500 of 10,000 sold',
  ]) {
    await expect.element(card.getByText(text)).toBeVisible()
  }
  expect(
    page
      .getByRole('heading', { level: 2 })
      .elements()
      .map((element) => element.textContent),
  ).toEqual(['North Field', 'Lake Dome'])
  await expect.element(page.getByRole('region', { name: 'North Field' }).getByText('Sold out')).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'North Field' }).getByRole('button', { name: 'Buy Now' })).toBeDisabled()
  expect(await axeViolations()).toEqual([])
  await card.getByRole('button', { name: 'Buy Now' }).click()
  await expect.element(dialog().getByRole('heading', { name: 'Purchase NFT' })).toBeVisible()
})

it('[UI-BUYNFT-03] keeps the order of a server that sends no time', async () => {
  const { createdAt: _a, ...first } = dome
  const { createdAt: _b, ...second } = land
  api.reply(activeNfts, list([first, second]))
  await mount(<BuyNftScreen />)
  await expect.element(page.getByRole('region', { name: 'North Field' })).toBeVisible()
  expect(
    page
      .getByRole('heading', { level: 2 })
      .elements()
      .map((element) => element.textContent),
  ).toEqual(['Lake Dome', 'North Field'])
})

it('[UI-BUYNFT-01] shows an empty state when nothing is on sale', async () => {
  api.reply(activeNfts, list([]))
  await mount(<BuyNftScreen />)
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
})

it('[UI-M-NFT-04] [UI-M-NFT-05] [UI-M-NFT-06] [VA-72] [VA-73] shows both prices and the monthly reward', async () => {
  api.reply(generalSettings, { coinPrice: 0.007 })
  api.reply(activeNfts, list([dome]))
  await mount(<BuyNftDialog kind="dome" onClose={onClose} />)
  const row = (label: string) => dialog().getByText(label, { exact: true }).element().parentElement?.textContent
  await expect.poll(() => row('Price in TIZARA')).toContain('14,285.71')
  expect(row('Price in USD')).toContain('100.00')
  expect(row('Monthly reward')).toContain('2.00')
  expect(dialog().getByTitle('14,285.71428572 TIZARA').elements()).toHaveLength(1)
})

it('[RW-06] shows an NFT’s rewards, and that its price is not paid back', async () => {
  api.reply(activeNfts, list([dome]))
  await mount(<BuyNftScreen />)
  const card = page.getByRole('region', { name: 'Lake Dome' })
  await expect.element(card.getByText('The price is not paid back.')).toBeVisible()
  await card.getByRole('button', { name: 'Buy Now' }).click()
  const months = dome.duration
  const message = `You pay 100.00 USD. You are paid ${(2 * months).toFixed(2)} USD over ${months} months. The price is not paid back.`
  await expect.element(dialog().getByText(message)).toBeVisible()
  expect(await axeViolations()).toEqual([])
})

it('[UI-M-NFT-03] shows which wallets cannot pay for the NFT', async () => {
  api.reply(userWallet, { ...testBalances, depositWallet: 99.99, nativeWallet: 12_700, icoWallet: 12_499 })
  await openForm()
  const option = (name: string) => dialog().getByRole('radio', { name: new RegExp(`^${name}`) })
  await expect.element(option('Deposit Wallet')).toHaveAccessibleName(/Not enough for this NFT/)
  await expect.element(option('My Wallet')).toHaveAccessibleName(/Not enough for this NFT/)
  await expect.element(option('Native Wallet')).not.toHaveAccessibleName(/Not enough/)
})

it('[ER-38] [VA-71] [UI-M-NFT-02] asks for a wallet in a dialog and sends nothing', async () => {
  await openForm()
  await press()
  const box = page.getByRole('alertdialog')
  await expect.element(box.getByRole('heading', { name: 'Missing Wallet', exact: true })).toBeVisible()
  await expect.element(box.getByText('Please select a wallet to purchase from', { exact: true })).toBeVisible()
  expect(api.calls(buyNft)).toHaveLength(0)
})

for (const [name, payby] of [
  ['Deposit Wallet', 'depositwallet'],
  ['Native Wallet', 'nativewallet'],
  ['My Wallet', 'mywallet'],
] as const) {
  it(`[MF-14] [UI-M-NFT-03] [UI-M-NFT-07] [ER-39] buys from ${name}`, async () => {
    api.reply(buyNft, { receipt: { kind: 'nft-purchase', id: 'np1' } }, 'ok')
    await openForm()
    await wallet(name).click()
    expect(await axeViolations()).toEqual([])
    await press()
    await expect.element(page.getByRole('alertdialog').getByText('Successfully purchased', { exact: true })).toBeVisible()
    expect(api.calls(buyNft).map(({ body }) => body)).toEqual([{ payby, walletName: 'dome', nftId: 'n1' }])
    expect(api.calls(buyNft)[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/)
    expect(onClose).toHaveBeenCalledTimes(1)
    await expect
      .element(page.getByRole('link', { name: 'See the receipt' }))
      .toHaveAttribute('href', '/store-nft/nft-histor_y?receipt=nft-purchase.np1')
    await expect.poll(() => api.calls(userWallet).length).toBeGreaterThan(1)
  })
}

it('[ER-40] [UI-M-NFT-08] shows the server’s rejection and stays open', async () => {
  api.refuse(buyNft, 400, 'NFT sold out')
  await openForm()
  await wallet('Deposit Wallet').click()
  await press()
  await expect.element(shown('NFT sold out')).toBeVisible()
  expect(onClose).not.toHaveBeenCalled()
})

const purchase = {
  ...dome,
  id: 'np1',
  quantity: 1,
  monthlyRoi: 2,
  totalRoi: 4.5,
  paidBy: 'nativewallet',
  lastDistributionDate: '2026-05-05T12:00:00.000Z',
}

it('[LS-43] [LS-44] [ST-43] [LS-47] lists NFT History', async () => {
  api.reply(nftHistory, list([purchase]))
  await expectList({
    Screen: NftHistoryScreen,
    title: 'NFT History',
    headers: [
      'SL NO',
      'Date',
      'NFT',
      'Kind',
      'Price',
      'Paid By',
      'Duration',
      'Total Reward %',
      'Monthly Reward',
      'Total Reward',
      'Last Distribution',
      'Status',
    ],
    cells: [
      '1',
      '05 Mar 2026',
      'Lake Dome',
      'Dome',
      '100.00 USD',
      'Native Wallet',
      '24 months',
      '48',
      '2.00 USD',
      '4.50 USD',
      '05 May 2026',
      'Runing',
    ],
    csv: '1,2026-03-05T12:00:00.000Z,Lake Dome,Dome,100,Native Wallet,24 months,48,2,4.5,2026-05-05T12:00:00.000Z,Runing',
  })
})

it('[ST-44] [EN-38] shows an inactive purchase as Closed, and missing values as a dash', async () => {
  api.reply(
    nftHistory,
    list([{ ...dome, status: 'COMPLETED', monthlyRoi: null, totalRoi: null, paidBy: null, lastDistributionDate: null }]),
  )
  await mount(<NftHistoryScreen />)
  await expect.poll(() => visibleCells()[11]).toBe('Closed')
  expect(visibleCells().slice(8, 11)).toEqual(['–', '–', '–'])
})
