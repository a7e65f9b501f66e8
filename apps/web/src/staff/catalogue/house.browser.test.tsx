import '../console.css'
import { previewChange, priceHistory, proposeChange, staffCatalogue } from '@tizara/contract/staff-changes'
import { payRewardDay, fundRewardPool, staffRewardPool, staffRewardRuns, tryRewardDay } from '@tizara/contract/staff-rewards'
import { staffMe } from '@tizara/contract/staff'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { FakeApi } from '../../test/fake-api.ts'
import { tidyUp } from '../../test/mount.tsx'
import { press, signedIn } from '../../test/open-app.tsx'
import { staffApi, testStaff } from '../../test/staff-api.ts'
import { Console } from '../console.tsx'

const person = { id: 's2', name: 'Ruth Adeyemi', email: 'ruth@example.com' }
const pending = {
  changeId: 'c1',
  title: 'Coin 0.008 → 0.0085 USD',
  status: 'PENDING' as const,
  startsAt: '2031-11-22T00:00:00Z',
  value: { coinPrice: 0.0085 },
  by: person,
  mine: false,
}
const catalogue = {
  version: '1.1',
  coinPrice: 0.008,
  settings: {
    minCoin: 1,
    maxCoin: 10,
    convertRate: 0.008,
    exchangeLimit: 10,
    exchangeCooldownHours: 1,
    platformFeePercent: 5,
    networkFeePercent: 2,
    bridgeFeePercent: 1,
    bridgeMinimum: 1,
    buyTokenCreditWallet: 'icoWallet' as const,
    allowedEmailDomains: ['gmail.com'],
  },
  limits: {
    fourEyesAboveUsd: 1000,
    fourEyesAboveCoin: 100_000,
    openInvoices: 5,
    payoutConfirmHours: 24,
    addressDelayHours: 24,
    payoutHoldHours: 24,
    payoutDayCount: 20,
    payoutDayUsd: 50_000,
    payoutDayCoin: 5_000_000,
    payoutDayTotalUsd: 250_000,
    payoutDayTotalCoin: 25_000_000,
    payoutTargetHours: 8,
    depositTargetHours: 24,
    changeTargetHours: 48,
    answerTargetHours: 4,
  },
  programme: {
    referralPercent: 1,
    levelPercents: [1, 1, 1, 1, 1],
    bountyPercents: [1, 1, 1, 1, 1],
    stakeLogLevelPercents: [1, 1, 1, 1, 1],
    stakeLogBountyPercents: [1, 1, 1, 1, 1],
    nftLevelPercents: [1, 1, 1, 1, 1],
    nftBountyPercents: [1, 1, 1, 1, 1],
    fullLevelShareDays: 1,
    ranks: [],
  },
  cover: { coverageMode: 'enforce' as const, committedCoin: 1, committedUsd: 1 },
  popup: null,
  plans: [{ id: 'p1', planName: 'Gold 365', duration: 365, minimum: 5000, apy: 11, status: 'ACTIVE', omega: false }],
  nfts: [],
  bound: { once: 1, perMonth: null, moves: [] },
}
const pool = {
  asset: 'coin' as const,
  pool: 1000,
  committed: 500,
  promised: 1200,
  owed: 0,
  fromOperator: 0,
  coverage: 125,
  aloneUntil: '2031-03-03',
  forecast: [{ month: '2031-03', amount: 1200 }],
  twoAbove: 100,
}
const reads = ['staffCatalogue', 'priceHistory', 'staffRewardPool', 'staffRewardRuns']
const acts = ['proposeChange', 'previewChange', 'fundRewardPool', 'startRewardRun', 'tryRewardDay', 'payRewardDay']
const subjects = ['change.price', 'change.plan', 'change.nft', 'change.popup']

let api: FakeApi
beforeEach(() => {
  api = staffApi([])
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...reads, ...acts, ...subjects] })
    .reply(staffCatalogue, { ...catalogue, standing: { coinPrice: { since: '2026-11-01T00:00:00Z', by: [person], pending: [pending] } } })
    .reply(priceHistory, [
      { day: '2026-11-20', coinPrice: 0.0079 },
      { day: '2026-11-21', coinPrice: 0.008 },
    ])
    .reply(staffRewardPool, { assets: [pool], haltedSince: '2026-11-01', openDay: '2026-11-02' })
    .reply(staffRewardRuns, { data: [], meta: { total: 0, page: 1, limit: 15 } })
})
afterEach(() => {
  tidyUp()
  sessionStorage.clear()
  api.restore()
})

async function open(path: string, rights?: readonly string[]) {
  tidyUp()
  if (rights !== undefined) api.reply(staffMe, { ...testStaff, rights: [...rights] })
  for (const [key, value] of Object.entries(signedIn)) localStorage.setItem(key, value)
  history.replaceState(null, '', path)
  await render(<Console go={() => undefined} />)
}
const shown = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()

it('[GN-04] [CO-47] shows what is to come on the value, and proposes a price for a moment after showing what it does', async () => {
  const rows = [{ label: '100 USD buy', before: '12,500', after: '11,111.11', unit: 'coin' }]
  const seen = { rows, restsOn: 'the days', hash: 'a', at: '2026-11-22T00:00:00Z', title: 'Coin 0.008 → 0.009 USD', before: {}, holds: {} }
  const rival = { id: 'c1', title: pending.title, status: 'PENDING' as const, by: person }
  api.reply(previewChange, { ...seen, blocks: ['CONVERT_RATE_TOO_LOW'], rivals: [rival] }).reply(proposeChange, { id: 'c9' })
  await open('/staff/catalogue')
  await shown(/0.0085 USD proposed by Ruth Adeyemi, from 22 Nov 2031/)
  await expect.element(page.getByRole('img', { name: /0.0085 proposed/ })).toBeVisible()
  await press('Propose another coin price')
  const sheet = page.getByRole('dialog', { name: 'Another coin price' })
  await userEvent.fill(sheet.getByLabelText('New value, USD'), '0.009')
  await userEvent.fill(sheet.getByLabelText('In force from, UTC'), '2031-12-01T00:00')
  await userEvent.click(sheet.getByRole('button', { name: 'See what it does' }))
  await shown('11,111.11 coin')
  await shown(/Proposed for the same value by Ruth Adeyemi/)
  await shown(/The convert rate must not be below/)
  await userEvent.fill(sheet.getByLabelText('New value, USD'), '0.0082')
  api.reply(previewChange, { ...seen, blocks: [], rivals: [] })
  await userEvent.click(sheet.getByRole('button', { name: 'See what it does' }))
  await userEvent.click(sheet.getByRole('button', { name: 'Propose' }))
  await shown('A proposal needs a reason')
  await userEvent.fill(sheet.getByLabelText('Reason'), 'Next step')
  await userEvent.click(sheet.getByRole('button', { name: 'Propose' }))
  await expect
    .poll(() => api.calls(proposeChange).map((call) => call.body))
    .toEqual([{ subject: 'price', value: { coinPrice: '0.0082' }, startsAt: '2031-12-01T00:00:00Z', reason: 'Next step' }])
})

it('[GN-04] [RW-09] sends a plan whole, and shows nothing to propose where the role may not', async () => {
  api.reply(previewChange, {
    rows: [],
    restsOn: '',
    hash: '',
    at: '2026-11-22T00:00:00Z',
    title: 'T',
    before: {},
    holds: {},
    blocks: [],
    rivals: [],
  })
  await open('/staff/catalogue')
  await press('Propose: Gold 365')
  const sheet = page.getByRole('dialog', { name: 'Gold 365' })
  await userEvent.fill(sheet.getByLabelText('Total percent, %'), '9.5')
  await shown('holds now: 11')
  await userEvent.click(sheet.getByRole('button', { name: 'See what it does' }))
  const plan = { planName: 'Gold 365', duration: 365, minimum: '5000', apy: '9.5', omega: false, status: 'ACTIVE', planId: 'p1' }
  await expect.poll(() => api.calls(previewChange).at(-1)?.body).toEqual({ subject: 'plan', value: plan })
})

it('[GN-04] shows nothing to propose where the role may not', async () => {
  await open('/staff/catalogue', reads)
  await shown('Gold 365')
  for (const name of ['Propose: Gold 365', 'New plan', 'New NFT', 'Propose another', 'Propose another coin price'])
    expect(page.getByRole('button', { name }).elements()).toHaveLength(0)
})

it('[RW-12] pays a day only as a dry run on the screen says it, and says that payment is halted', async () => {
  const hash = 'a'.repeat(64)
  api.reply(tryRewardDay, { day: '2026-11-02', hash, rewards: 3, totals: [{ kind: 'daily', asset: 'coin', rewards: 3, amount: 12.5 }] })
  api.reply(payRewardDay, { hash, rewards: 3, totals: [] })
  await open('/staff/rewards')
  await shown(/Payment waits for a person since 2026-11-01/)
  await expect.element(page.getByRole('button', { name: 'Pay exactly this' })).toHaveAttribute('aria-disabled', 'true')
  await press('Dry run')
  await shown('Daily, 3')
  await press('Pay exactly this')
  await shown('It needs a reason')
  expect(api.calls(payRewardDay)).toHaveLength(0)
  await userEvent.fill(page.getByLabelText('Reason of the payment'), 'caught up')
  await press('Pay exactly this')
  await expect.poll(() => api.calls(payRewardDay).map((call) => call.body)).toEqual([{ day: '2026-11-02', hash, reason: 'caught up' }])
  await expect.element(page.getByRole('button', { name: 'Pay exactly this' })).toHaveAttribute('aria-disabled', 'true')
})

it('[RW-10] shows the cover before and after while typing, and says when it takes two', async () => {
  api.reply(fundRewardPool, { changeId: 'c9' })
  await open('/staff/rewards')
  await userEvent.fill(page.getByLabelText('Amount'), '50')
  await shown('129.1 %')
  await expect.element(page.getByRole('button', { name: /^Move 50.00/ })).toBeVisible()
  await userEvent.fill(page.getByLabelText('Amount'), '300')
  await shown('150.0 %')
  await userEvent.fill(page.getByLabelText('Reason to fund'), 'the month')
  await press('Propose to fund')
  await expect
    .poll(() => api.calls(fundRewardPool).map((call) => call.body))
    .toEqual([{ asset: 'coin', amount: 300, source: 'stock', reason: 'the month' }])
})

it('[RW-14] shows what a group can take out, and proposes other shares and ranks as they were typed', async () => {
  const seen = { rows: [], restsOn: '', hash: '', at: '2026-11-22T00:00:00Z', title: 'T', before: {}, holds: {}, rivals: [], blocks: [] }
  api.reply(previewChange, { ...seen, bound: { once: 1, perMonth: 3.5, moves: [] } })
  api.reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...reads, ...acts, 'change.programme'] })
  await open('/staff/programme')
  await shown('Without a bound')
  await press('Propose: Level reward')
  const shares = page.getByRole('dialog', { name: 'Level reward' })
  await userEvent.fill(shares.getByRole('textbox').first(), '5\n4\n3\n1\n0.5')
  await userEvent.click(shares.getByRole('button', { name: 'See what it does' }))
  await shown(/at most 3.50 % a month/)
  await userEvent.click(shares.getByRole('button', { name: 'Back' }))
  await press('Propose: Ranks')
  const ranks = page.getByRole('dialog', { name: 'Ranks' })
  await userEvent.fill(ranks.getByRole('textbox').first(), 'Double gold 1000000 5000')
  await userEvent.click(ranks.getByRole('button', { name: 'See what it does' }))
  await expect
    .poll(() => api.calls(previewChange).map((call) => call.body))
    .toEqual([
      { subject: 'programme', value: { levelPercents: ['5', '4', '3', '1', '0.5'] } },
      { subject: 'programme', value: { ranks: [{ rank: 'Double gold', teamStake: '1000000', bonus: '5000' }] } },
    ])
})
