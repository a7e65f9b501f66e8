import { payees } from '@tizara/contract/transfers'
import { getReceipt } from '@tizara/contract/wallets'
import { earlierMovements, movements } from '@tizara/contract/wallets-movements'
import { payoutGuard } from '@tizara/contract/withdrawals-guard'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { axeViolations } from '../test/list-check.tsx'
import { memberApi } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import ActivityScreen from './activity.screen.tsx'

let api: FakeApi

beforeEach(() => {
  api = memberApi()
})

const row = (id: number, changes = {}) => ({
  id: String(id),
  receipt: { kind: 'transfer' as const, id: String(id) },
  createdAt: '2026-03-05T12:00:00.000Z',
  group: 'reward' as const,
  title: `Stake rewards ${id}`,
  direction: 'in' as const,
  wallet: 'nativeWallet' as const,
  other: { label: 'Reward pool' },
  asset: 'coin' as const,
  amount: 1.5,
  ...changes,
})
const period = { from: '2026-02-05', to: '2026-03-06' }
const sums = [
  { asset: 'usd' as const, in: 120, out: 45.5 },
  { asset: 'coin' as const, in: 1.5, out: 0 },
]
const queries = () => api.calls(movements).map(({ query }) => Object.fromEntries(query))

it('shows movements with direction, wallets and unit, and the sums of the period', async () => {
  const out = row(2, {
    title: 'Transfer to deposit wallet',
    direction: 'own',
    wallet: 'nftWallet',
    other: { label: 'Deposit Wallet', wallet: 'depositWallet' },
    asset: 'usd',
    amount: 10,
  })
  api.reply(movements, { ...period, rows: [row(3, { direction: 'out', title: 'Staked' }), out, row(1, { amount: 0.00000001 })], sums })
  await mount(<ActivityScreen />, '/activity')
  const text = (name: RegExp) => expect.poll(() => page.getByRole('button', { name }).element().textContent.replaceAll(/\s/g, ' '))
  await text(/Stake rewards 1/).toMatch(/^Stake rewards 1Reward pool → Native Wallet\+0\.00000001 TIZARA\d\d:\d\d [AP]M$/)
  await text(/Transfer to deposit/).toContain('NFT Wallet → Deposit Wallet10.00 USD')
  await text(/Staked/).toContain('Native Wallet → Reward pool−1.50 TIZARA')
  const added = page.getByRole('region', { name: 'Sums of the period' })
  await expect.poll(() => added.element().textContent).toBe('USD in120.00USD out45.50TIZARA in1.50TIZARA out0.00')
  await expect.element(page.getByLabelText('From UTC')).toHaveValue('2026-02-05')
  expect(await axeViolations()).toEqual([])
})

it('offers no period without a limit', async () => {
  api.reply(movements, { ...period, rows: [], sums })
  await mount(<ActivityScreen />, '/activity')
  const options = () =>
    page
      .getByLabelText('Period')
      .getByRole('option')
      .elements()
      .map((option) => option.textContent)
  await expect.poll(options).toEqual(['Last 7 days', 'Last 30 days', 'Last 90 days', 'This month', 'Chosen days'])
})

it('shows the default period while the movements load', async () => {
  const day = (back: number) => new Date(Date.now() - back * 864e5).toISOString().slice(0, 10)
  const release = api.hold(movements, { from: day(29), to: day(0), rows: [row(1)], sums })
  await mount(<ActivityScreen />, '/activity')
  await expect.element(page.getByLabelText('Period')).toHaveValue('30')
  release()
  await expect.element(page.getByRole('button', { name: /Stake rewards 1/ })).toBeVisible()
  await expect.element(page.getByLabelText('Period')).toHaveValue('30')
})

it('loads older movements with the cursor, and keeps the newer ones', async () => {
  api.answer(movements, ({ query }) =>
    query.get('before') === '7' ? { ...period, rows: [row(6)], sums: null } : { ...period, rows: [row(7)], next: '7', sums },
  )
  await mount(<ActivityScreen />, '/activity')
  await page.getByRole('button', { name: 'Show older movements' }).click()
  await expect.element(page.getByRole('button', { name: /Stake rewards 6/ })).toBeVisible()
  await expect.element(page.getByRole('button', { name: /Stake rewards 7/ })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Show older movements' })).not.toBeInTheDocument()
})

it('filters by kind, wallet and reference, and keeps the filters in the URL', async () => {
  api.reply(movements, { ...period, rows: [row(1)], sums })
  await mount(<ActivityScreen />, '/activity?from=2026-01-01&to=2026-01-31&group=nothing')
  await page.getByRole('combobox', { name: 'Kind' }).selectOptions('Rewards')
  await page.getByRole('combobox', { name: 'Wallet' }).selectOptions('Native Wallet')
  await expect.poll(() => queries().at(-1)).toEqual({ from: '2026-01-01', to: '2026-01-31', group: 'reward', wallet: 'nativeWallet' })
  await page.getByLabelText('Reference, hash or address').fill(' 12 ')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect.poll(() => queries().at(-1)).toMatchObject({ reference: '12' })
  await expect.poll(() => location.search).toContain('reference=12')
  await expect.element(page.getByRole('region', { name: 'Sums of the period' })).not.toBeInTheDocument()
})

it('exports the rows of all pages with the filters', async () => {
  const saved: Blob[] = []
  const original = URL.createObjectURL
  URL.createObjectURL = (blob) => {
    saved.push(blob as Blob)
    return original.call(URL, blob)
  }
  api.answer(movements, ({ query }) =>
    query.get('before') === '7'
      ? { ...period, rows: [row(6, { direction: 'out', other: { label: '=1+1' } })], sums: null }
      : { ...period, rows: [row(7)], next: '7', sums },
  )
  await mount(<ActivityScreen />, '/activity?group=reward')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect.poll(() => saved.length).toBe(1)
  URL.createObjectURL = original
  const lines = ((await saved[0]?.text()) ?? '').trim().split('\r\n')
  expect(lines[0]).toBe('Time (UTC),Movement,Kind,From,To,Amount,Unit,Reference')
  expect(lines.slice(1)).toEqual([
    '2026-03-05T12:00:00.000Z,Stake rewards 7,Rewards,Reward pool,Native Wallet,1.5,TIZARA,7',
    "2026-03-05T12:00:00.000Z,Stake rewards 6,Rewards,Native Wallet,'=1+1,-1.5,TIZARA,6",
  ])
  expect(queries().slice(-2)).toEqual([
    { group: 'reward', limit: '1000' },
    { group: 'reward', limit: '1000', before: '7' },
  ])
})

it('opens the receipt of a row', async () => {
  api.reply(movements, { ...period, rows: [row(4)], sums }).reply(getReceipt, {
    kind: 'transfer',
    id: '4',
    title: 'Stake rewards',
    asset: 'coin',
    amount: 1.5,
    from: { label: 'Reward pool' },
    to: { label: 'Native Wallet' },
    createdAt: '2026-03-05T12:00:00.000Z',
    lines: [],
  })
  await mount(<ActivityScreen />, '/activity')
  await page.getByRole('button', { name: /Stake rewards 4/ }).click()
  await expect.element(page.getByRole('dialog', { name: 'Receipt' }).getByText('Reward pool')).toBeVisible()
  expect(api.calls(getReceipt).at(-1)?.params).toEqual({ kind: 'transfer', id: '4' })
})

it('explains an empty period, missing sums and a list that did not load', async () => {
  api.reply(movements, { ...period, rows: [], sums: null })
  const screen = await mount(<ActivityScreen />, '/activity')
  await expect.element(page.getByText('Data Not Found')).toBeVisible()
  await expect.element(page.getByText(/more than 10,000 movements/)).toBeVisible()
  await screen.unmount()
  api.refuse(movements, 400)
  await mount(<ActivityScreen />, '/activity?wallet=nftWallet')
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

it('lists movements before the move apart from the others, in pages, with their receipts', async () => {
  const earlier = (id: string, title: string, direction: 'in' | 'out') => ({
    id,
    receipt: { kind: 'earlier' as const, id },
    createdAt: '2021-03-05T12:00:00.000Z',
    title,
    direction,
    asset: 'usd' as const,
    amount: 12.5,
  })
  api
    .reply(movements, { ...period, rows: [row(1)], sums })
    .answer(earlierMovements, ({ query }) =>
      query.get('before') === '9'
        ? { data: [earlier('8', 'Payout to bank', 'out')] }
        : { data: [earlier('9', '{Bonus} <b>1</b>', 'in')], next: '9' },
    )
    .reply(getReceipt, {
      kind: 'earlier',
      id: '8',
      title: 'Before the move',
      asset: 'usd',
      amount: 12.5,
      from: { label: 'Your account there' },
      to: { label: 'Earlier platform' },
      createdAt: '2021-03-05T12:00:00.000Z',
      lines: [{ label: 'Movement', value: 'Payout to bank' }],
    })
  await mount(<ActivityScreen />, '/activity')
  const section = page.getByRole('region', { name: 'Before the move' })
  await expect
    .poll(() => section.getByRole('list').element().textContent.replaceAll(/\s/g, ' '))
    .toBe('{Bonus} <b>1</b>05 Mar 2021+12.50 USD')
  const sumsText = () => page.getByRole('region', { name: 'Sums of the period' }).element().textContent
  await expect.poll(sumsText).toContain('USD in120.00')
  await section.getByRole('button', { name: 'Show more' }).click()
  await section.getByRole('button', { name: /Payout to bank/ }).click()
  await expect.element(page.getByRole('dialog', { name: 'Receipt' }).getByText('Your account there')).toBeVisible()
  expect(api.calls(getReceipt).at(-1)?.params).toEqual({ kind: 'earlier', id: '8' })
  expect(await axeViolations()).toEqual([])
})

it.each([
  ['the sender', true],
  ['the receiver', false],
])('offers to send a transfer to another member again: %s', async (_, isSender) => {
  const own = { label: 'Deposit Wallet', wallet: 'depositWallet' as const }
  const other = { label: 'bo@gmail.com' }
  const rows = [row(7, { title: 'Transfer between members', other })]
  api.reply(payees, { data: [{ email: 'bo@gmail.com', initials: 'B. O.', name: 'Brother Bo' }] })
  api.reply(movements, { ...period, rows, sums }).reply(getReceipt, {
    kind: 'transfer',
    id: '7',
    title: 'Transfer between members',
    asset: 'usd',
    amount: 25.5,
    createdAt: '2026-03-05T12:00:00.000Z',
    from: isSender ? own : other,
    to: isSender ? other : own,
    lines: [],
  })
  await mount(<ActivityScreen />, '/activity')
  await page.getByRole('button', { name: /Transfer between members.*Brother Bo \(bo@gmail.com\)/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Receipt' })
  await expect.element(drawer.getByText(/Brother Bo/)).toBeVisible()
  await expect.element(drawer.getByText('Report a problem')).toBeVisible()
  const again = drawer.getByRole('link', { name: 'Send again' })
  if (isSender) {
    await again.click()
    expect([location.pathname + location.search, history.state]).toEqual([
      '/dashboard?open=user-transfer',
      { start: { email: 'bo@gmail.com', amount: '25.5' } },
    ])
  } else expect(again.elements()).toHaveLength(0)
})

it('shows the name that the member gave to a payout address on the receipt', async () => {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7'
  const entry = { id: 'a1', address, network: 0, label: 'Ledger at home', createdAt: '2026-03-01T12:00:00.000Z', usableFrom: null }
  api
    .reply(payoutGuard, { proof: 'password', confirmHours: 24, delayHours: 24, held: null, addresses: [entry] })
    .reply(movements, { ...period, rows: [row(8, { title: 'Withdrawal' })], sums })
    .reply(getReceipt, {
      kind: 'withdrawal',
      id: '8',
      title: 'USD withdrawal',
      asset: 'usd',
      amount: 50,
      createdAt: '2026-03-05T12:00:00.000Z',
      from: { label: 'Deposit Wallet', wallet: 'depositWallet' },
      to: { label: 'Address outside', address: address.toLowerCase() },
      lines: [],
    })
  await mount(<ActivityScreen />, '/activity')
  await page.getByRole('button', { name: /Withdrawal/ }).click()
  await expect.element(page.getByRole('dialog', { name: 'Receipt' }).getByText('Ledger at home')).toBeVisible()
})
