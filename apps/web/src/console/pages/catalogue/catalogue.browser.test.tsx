import { previewChange, priceHistory, proposeChange, staffCatalogue } from '@tizara/contract/staff-changes'
import { staffRewardRuns } from '@tizara/contract/staff-reward-runs'
import { payRewardDay, fundRewardPool, proposeProceeds, staffRewardPool, previewRewardDay } from '@tizara/contract/staff-rewards'
import { staffMe } from '@tizara/contract/staff'
import { staffJob } from '@tizara/contract/staff-jobs'
import { simulateProgramme } from '@tizara/contract/staff-programme'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { pressAllOffline } from '../../../test/press-offline.ts'
import { staffApi, testStaff } from '../../../test/staff-api.ts'
import { testCatalogue as catalogue } from '../../../test/test-catalogue.ts'

const person = { id: 's2', name: 'Ruth Adeyemi', email: 'ruth@example.com' }
const pending = {
  proposalId: 'c1',
  title: 'Coin 0.0080 → 0.0085 USD',
  status: 'PENDING' as const,
  startsAt: '2031-11-22T00:00:00Z',
  value: { coinPrice: 0.0085 },
  by: person,
  mine: false,
}
const pool = {
  asset: 'coin' as const,
  pool: 1000,
  committed: 500,
  promised: 1200,
  owed: 0,
  fromOperator: 0,
  coverage: 125,
  poolDepletionDate: '2031-03-03',
  forecast: [{ month: '2031-03', amount: 1200 }],
  fourEyesAbove: 100,
}
const reads = ['staffCatalogue', 'priceHistory', 'staffRewardPool', 'staffRewardRuns']
const acts = ['proposeChange', 'previewChange', 'fundRewardPool', 'startRewardRun', 'previewRewardDay', 'payRewardDay']
const subjects = ['change.price', 'change.plan', 'change.nft', 'change.popup']

let api: FakeApi
beforeEach(() => {
  api = staffApi([])
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...reads, ...acts, ...subjects] })
    .reply(staffCatalogue, { ...catalogue, decisions: { coinPrice: { since: '2026-11-01T00:00:00Z', by: [person], pending: [pending] } } })
    .reply(priceHistory, [
      { day: '2026-11-20', coinPrice: 0.0079 },
      { day: '2026-11-21', coinPrice: 0.008 },
    ])
    .reply(staffRewardPool, { assets: [pool], haltedSince: '2026-11-01', openDay: '2026-11-02', salesFund: 120 })
    .reply(staffRewardRuns, { data: [], meta: { total: 0, page: 1, limit: 15 } })
})

async function open(path: string, rights?: readonly string[]) {
  if (rights !== undefined) api.reply(staffMe, { ...testStaff, rights: [...rights] })
  await openConsole(path)
}
const shown = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()

it('[GN-04] [CO-47] shows planned values, and proposes a price for a later time after a preview of its effect', async () => {
  const rows = [{ label: '100 USD buy', before: '12,500', after: '11,111.11', unit: 'coin' }]
  const seen = {
    rows,
    basedOn: 'the days',
    hash: 'a',
    at: '2026-11-22T00:00:00Z',
    title: 'Coin 0.0080 → 0.009 USD',
    before: {},
    current: {},
  }
  const overlap = { id: 'c1', title: pending.title, status: 'PENDING' as const, by: person }
  api.reply(previewChange, { ...seen, blocks: ['CONVERT_RATE_TOO_LOW'], overlaps: [overlap] }).reply(proposeChange, { id: 'c9' })
  await open('/staff/catalogue')
  await shown(/0.0085 USD proposed by Ruth Adeyemi, from 22 Nov 2031/)
  await shown(/^0\.0080/)
  await shown('11.0 %')
  await shown(/^4,182/)
  await shown(/104,550,000/)
  await expect.element(page.getByRole('img', { name: /0.0085 proposed/ })).toBeVisible()
  await press('Propose another coin price')
  const sheet = page.getByRole('dialog', { name: 'Another coin price' })
  await userEvent.fill(sheet.getByLabelText('New value, USD'), '0.009')
  await expect.element(sheet.getByLabelText('Add to this proposal')).not.toBeInTheDocument()
  await userEvent.fill(sheet.getByLabelText('Effective from, UTC'), '2031-12-01T00:00')
  await userEvent.click(sheet.getByRole('button', { name: 'See what it does' }))
  await shown('11,111.11 coin')
  await shown(/Proposed for the same value by Ruth Adeyemi/)
  await shown(/The convert rate must not be below/)
  await userEvent.fill(sheet.getByLabelText('New value, USD'), '0.0082')
  api.reply(previewChange, { ...seen, blocks: [], overlaps: [] })
  await userEvent.click(sheet.getByRole('button', { name: 'See what it does' }))
  await userEvent.click(sheet.getByRole('button', { name: 'Propose' }))
  await shown('A proposal needs a reason')
  await userEvent.fill(sheet.getByLabelText('Reason'), 'Next step')
  await userEvent.click(sheet.getByRole('button', { name: 'Propose' }))
  await expect
    .poll(() => api.calls(proposeChange).map((call) => call.body))
    .toEqual([{ subject: 'price', value: { coinPrice: '0.0082' }, startsAt: '2031-12-01T00:00:00Z', reason: 'Next step' }])
})

it('[CO-47] adds the convert rate to a proposal of the coin price, and sends both as one', async () => {
  const seen = {
    rows: [],
    basedOn: '',
    hash: '',
    at: '2026-11-22T00:00:00Z',
    title: 'T',
    before: {},
    current: {},
    blocks: [],
    overlaps: [],
  }
  api.reply(previewChange, seen).reply(proposeChange, { id: 'c9' })
  await open('/staff/catalogue', [...testStaff.rights, ...reads, ...acts, ...subjects, 'change.settings', 'change.limits', 'change.values'])
  await press('Propose another coin price')
  const sheet = page.getByRole('dialog', { name: 'Another coin price' })
  await userEvent.fill(sheet.getByLabelText('New value, USD'), '0.009')
  await userEvent.selectOptions(sheet.getByLabelText('Add to this proposal'), 'Convert rate, NFT wallet')
  await expect.element(sheet.getByRole('option', { name: 'Convert rate, NFT wallet' })).not.toBeInTheDocument()
  await expect.element(sheet.getByLabelText('Another coin price, USD')).toHaveValue('0.009')
  await userEvent.fill(sheet.getByLabelText('Convert rate, NFT wallet, USD'), '0.0095')
  await userEvent.click(sheet.getByRole('button', { name: 'See what it does' }))
  await userEvent.fill(sheet.getByLabelText('Reason'), 'Next step')
  await userEvent.click(sheet.getByRole('button', { name: 'Propose' }))
  const value = { coinPrice: '0.009', convertRate: '0.0095' }
  await expect.poll(() => api.calls(proposeChange).map((call) => call.body)).toEqual([{ subject: 'values', value, reason: 'Next step' }])
})

it('[RW-09] sends all fields of a plan, and hides proposals when the role may not propose', async () => {
  api.reply(previewChange, {
    rows: [],
    basedOn: '',
    hash: '',
    at: '2026-11-22T00:00:00Z',
    title: 'T',
    before: {},
    current: {},
    blocks: [],
    overlaps: [],
  })
  await open('/staff/catalogue')
  await press('Propose: Gold 365')
  const sheet = page.getByRole('dialog', { name: 'Gold 365' })
  await userEvent.fill(sheet.getByLabelText('Total percent, %'), '9.5')
  await shown('current: 11')
  await userEvent.click(sheet.getByRole('button', { name: 'See what it does' }))
  const plan = { planName: 'Gold 365', duration: 365, minimum: '5000', apy: '9.5', omega: false, status: 'ACTIVE', planId: 'p1' }
  await expect.poll(() => api.calls(previewChange).at(-1)?.body).toEqual({ subject: 'plan', value: plan })
})

it('hides proposals when the role may not propose', async () => {
  await open('/staff/catalogue', reads)
  await shown('Gold 365')
  for (const name of ['Propose: Gold 365', 'New plan', 'New NFT', 'Propose another', 'Propose another coin price'])
    expect(page.getByRole('button', { name }).elements()).toHaveLength(0)
})

it('pays a day only with the figures of the dry run, and shows that payment is paused', async () => {
  const hash = 'a'.repeat(64)
  api.reply(previewRewardDay, { day: '2026-11-02', hash, rewards: 3, totals: [{ kind: 'daily', asset: 'coin', rewards: 3, amount: 12.5 }] })
  api.reply(payRewardDay, { hash, rewards: 3, totals: [] })
  await open('/staff/rewards')
  await shown(/Automatic payment has been stopped since 2026-11-01/)
  await expect.element(page.getByRole('button', { name: 'Pay exactly this' })).toHaveAttribute('aria-disabled', 'true')
  await press('Dry run')
  await shown('Daily, 3')
  await press('Pay exactly this')
  await shown('Enter a reason')
  expect(api.calls(payRewardDay)).toHaveLength(0)
  await userEvent.fill(page.getByLabelText('Reason of the payment'), 'caught up')
  await press('Pay exactly this')
  await expect.poll(() => api.calls(payRewardDay).map((call) => call.body)).toEqual([{ day: '2026-11-02', hash, reason: 'caught up' }])
  await expect.element(page.getByRole('button', { name: 'Pay exactly this' })).toHaveAttribute('aria-disabled', 'true')
})

it('shows a run that waited for the pool, also when it is fully paid', async () => {
  const run = {
    id: '3261',
    status: 'DONE',
    dueUntil: '2026-11-19T00:00:00Z',
    payments: 61_774,
    paid: [{ asset: 'coin' as const, amount: 166_940.75 }],
    owed: [],
    wasOwed: [{ asset: 'usd' as const, amount: 1190 }],
    phase: 'DONE' as const,
    startedAt: '2026-11-19T00:00:10Z',
  }
  api.reply(staffRewardRuns, { data: [run, { ...run, id: '3260', wasOwed: [] }], meta: { total: 2, page: 1, limit: 15 } })
  await open('/staff/rewards')
  const [waited, done] = [page.getByRole('row', { name: /^3261/ }), page.getByRole('row', { name: /^3260/ })]
  await expect.element(waited.getByText('Owed, then paid')).toBeVisible()
  await expect.element(waited.getByText('1,190.00 USD')).toBeVisible()
  await expect.element(done.getByText('Done')).toBeVisible()
  expect(done.getByText('1,190.00 USD').elements()).toEqual([])
  await shown('The pool alone lasts until 3 Mar 2031')
})

it('shows the current step of a running job and its remaining time', async () => {
  const run = {
    id: '3313',
    status: 'OWED',
    dueUntil: '2026-11-21T14:30:00Z',
    payments: 1405,
    done: 1405,
    total: 2128,
    paid: [],
    owed: [],
    phase: 'PAYING' as const,
    startedAt: new Date(Date.now() - 60_000).toISOString(),
  }
  api.reply(staffRewardRuns, { data: [run], meta: { total: 1, page: 1, limit: 15 } })
  await open('/staff/rewards')
  const steps = page.getByRole('list', { name: 'Steps of the run' })
  await expect.element(steps.getByText(/^Recorded, 2,128 payments/)).toBeVisible()
  await expect.element(steps.getByRole('listitem').nth(1)).toHaveAttribute('aria-current', 'step')
  await shown(/66 %, about 3\d s left/)
})

it('shows the parts of a setting, and a plan that is paused while its stakes run', async () => {
  const [plan] = catalogue.plans
  const closed = [
    { ...plan, id: 'p2', planName: 'Omega 730', status: 'INACTIVE' },
    { ...plan, id: 'p3', planName: 'Starter 30', status: 'INACTIVE', running: { stakes: 0, coin: 0 } },
  ]
  api.reply(staffCatalogue, { ...catalogue, plans: [...catalogue.plans, ...(closed as typeof catalogue.plans)] })
  await open('/staff/catalogue')
  await shown('USD off, Coin off')
  await shown('5 % platform, 2 % network')
  await shown('24 h to confirm, 24 h for a new address, 720 h at most for a proven address, 24 h after a security change')
  await expect.element(page.getByRole('row', { name: /^Omega 730/ }).getByText('Paused')).toBeVisible()
  await expect.element(page.getByRole('row', { name: /^Starter 30/ }).getByText('No', { exact: true })).toBeVisible()
})

it('[RW-10] shows the coverage before and after while an amount is typed, and when a second person is required', async () => {
  api.reply(fundRewardPool, { proposalId: 'c9' })
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
    .toEqual([{ asset: 'coin', amount: 300, source: 'stock', into: 'rewards', reason: 'the month' }])
})

it('[MF-10] proposes money from outside for the sales fund, with the fund before and after', async () => {
  api.reply(fundRewardPool, { proposalId: 'c9' })
  await open('/staff/rewards')
  await press('Sales fund')
  await userEvent.fill(page.getByLabelText('Amount'), '80')
  await shown('200.00 USD')
  await userEvent.fill(page.getByLabelText('Reason to fund'), 'sales of the month')
  await press('Propose to fund')
  await expect
    .poll(() => api.calls(fundRewardPool).map((call) => call.body))
    .toEqual([{ asset: 'usd', amount: 80, source: 'operator', into: 'sales', reason: 'sales of the month' }])
})

const proceeds = {
  available: 70,
  pastHold: 70,
  holdDays: 30,
  pastRequests: 120,
  free: 300,
  inWallet: 5000,
  addresses: [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`],
}

it('proposes proceeds for an address of the operator, and shows the available amount and its limits', async () => {
  const rights = [...testStaff.rights, ...reads, 'proposeProceeds']
  api.reply(staffMe, { ...testStaff, rights }).reply(proposeProceeds, { proposalId: 'c8' })
  api.reply(staffRewardPool, { assets: [pool], haltedSince: null, salesFund: 120, proceeds })
  await open('/staff/rewards')
  await shown('Older than the hold period of 30 days')
  await press('Send proceeds')
  await expect.element(page.getByLabelText('Amount in USD')).toHaveValue('70')
  const sheet = page.getByRole('dialog', { name: 'Send proceeds to the operator' })
  await userEvent.fill(sheet.getByLabelText('Reason'), 'sales of the month')
  await userEvent.fill(page.getByLabelText('Amount in USD'), 'all')
  await press('Propose the payment')
  await expect.element(page.getByText('Please enter an amount')).toBeVisible()
  await userEvent.fill(page.getByLabelText('Amount in USD'), '15.25')
  await userEvent.click(sheet.getByRole('radio').nth(1))
  await press('Propose the payment')
  await expect
    .poll(() => api.calls(proposeProceeds).map((call) => call.body))
    .toEqual([{ amount: 15.25, address: proceeds.addresses[1], reason: 'sales of the month' }])
})

const total = (kind: 'level' | 'daily', before: number, after: number) => ({ kind, asset: 'coin' as const, before, after })
const state = { pool: 1000, promised: 1200, owed: 0, committed: 500, coverage: 125, poolDepletionDate: '2031-03-03' }
const result = {
  from: '2026-10-23',
  to: '2026-11-21',
  hash: '5be19c4077aa12d3',
  totals: [total('daily', 2000, 2000), total('level', 400, 500)],
  coverage: [{ asset: 'coin' as const, before: state, after: { ...state, promised: 1300, coverage: 115.4 } }],
  maxGain: {
    before: { once: 1, perMonth: null, moves: [], warnings: [] },
    after: {
      once: 1,
      perMonth: 3.5,
      moves: [
        { what: 'Gold, 365 days', percent: 3.5 },
        { what: 'a way without a wait', percent: null },
      ],
      warnings: ['A group of members can take out more than the warning limit of 3 % in 30 days'],
    },
  },
  more: 3,
  less: 1,
  same: 7,
  buckets: [
    { fromPercent: -5, members: 1 },
    { fromPercent: 20, members: 3 },
  ],
  top: [{ member: person, asset: 'coin' as const, before: 100, after: 140 }],
}

it('[RW-14] [I17] allows a draft to be proposed only with a simulation of the same figures', async () => {
  api.reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...reads, ...acts, 'simulateProgramme', 'change.programme'] })
  api.reply(simulateProgramme, { jobId: 'j1' })
  api.reply(staffJob, { id: 'j1', state: 'DONE', done: 1, total: 1, result, fileHref: '/staff/jobs/j1/file', fileName: 'simulation.csv' })
  api.reply(proposeChange, { id: 'c9' })
  await open('/staff/programme')
  await shown('No maximum')
  expect(page.getByRole('region', { name: 'Propose the draft' }).elements()).toHaveLength(0)
  const cell = page.getByRole('textbox', { name: 'Level reward, level 2, percent' })
  await userEvent.fill(cell, '101')
  await expect.element(page.getByRole('button', { name: 'Propose', exact: true })).toHaveAttribute('aria-disabled', 'true')
  await press('Run the simulation')
  await shown(/Must be at most 100/)
  expect(api.calls(simulateProgramme)).toHaveLength(0)
  await userEvent.fill(cell, '4')
  await shown('1 figure changed')
  await press('Run the simulation')
  await shown('+4.2 %')
  await shown('115.4 %')
  await expect.element(page.getByText('3.50 %').first()).toBeVisible()
  await shown('A group of members can take out more than the warning limit of 3 % in 30 days.')
  await shown('a way without a wait')
  await shown('3 more')
  await expect.element(page.getByRole('button', { name: 'All 11, CSV' })).toBeVisible()
  // A changed figure makes the result stale.
  await userEvent.fill(cell, '4.5')
  await shown(/The draft has changed since/)
  await expect.element(page.getByRole('button', { name: 'Propose', exact: true })).toHaveAttribute('aria-disabled', 'true')
  await userEvent.fill(cell, '4.0')
  await userEvent.fill(page.getByLabelText('Reason'), 'fewer on the second level')
  await press('Propose')
  await expect
    .poll(() => api.calls(proposeChange).map((one) => one.body))
    .toMatchObject([
      {
        subject: 'programme',
        simulation: '5be19c4077aa12d3',
        reason: 'fewer on the second level',
        value: { levelPercents: ['1', '4.0', '1', '1', '1'] },
      },
    ])
})

it.each([
  ['/staff/rewards', 'Dry run', ['Dry run', 'Pay due rewards now', 'Propose to fund']],
  ['/staff/programme', 'Run the simulation', ['Run the simulation']],
  ['/staff/catalogue', 'Propose another coin price', ['Another coin price: See what it does']],
])('sends nothing from %s while offline', async (path, wait, buttons) => {
  await open(path, [...reads, ...acts, ...subjects, 'simulateProgramme', 'change.programme'])
  await expect.element(page.getByRole('button', { name: wait })).toBeVisible()
  const { sent, pressed } = await pressAllOffline()
  expect(sent).toEqual([])
  expect(pressed).toEqual(expect.arrayContaining(buttons))
})

it('[MF-10] lists the oldest open sell requests with the sum of all', async () => {
  const oldest = [
    {
      member: { id: 'm7', email: 'amara@example.com' },
      amount: 2000,
      sold: 500,
      lowestPrice: 0.0075,
      createdAt: '2026-11-20T00:00:00Z',
      expiresAt: '2026-12-20T00:00:00Z',
    },
  ]
  const sellRequests = { count: 3, coin: 61_500, needed: 480, oldest }
  api.reply(staffRewardPool, { assets: [pool], haltedSince: null, salesFund: 120, sellRequests })
  await open('/staff/rewards')
  await shown(/^3 open: 61,500/)
  await shown(/At the current price they need 480.00 USD of the sales fund/)
  const row = page.getByRole('row', { name: /amara@example.com/ })
  await expect.element(row.getByText('1,500.00')).toBeVisible()
  await expect.element(row.getByText('0.0075 USD')).toBeVisible()
  await expect.element(row.getByRole('link')).toHaveAttribute('href', '/staff/members/m7')
})
