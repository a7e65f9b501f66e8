import { expect, type Page, test } from '@playwright/test'
import { asStaff, enteredAsStaff } from './session.ts'
import { Payers } from './payers.ts'
import { approveProposal, at, open, reason, row } from './staff-desk.ts'
import { type Stack, startStack } from './stack.ts'

/** Members with a payout before, who ask for two small ones, and members who ask for their first. */
const [REGULARS, NEWCOMERS] = [20, 20]
const DAY = 86_400
/** Seconds to noon of the first Monday that is at least 15 days ahead. The report of the week before is due ten minutes after midnight. */
const MONDAY = DAY * (15 + ((8 - new Date(Date.now() + 15_000 * DAY).getUTCDay()) % 7)) + DAY / 2 - Math.floor((Date.now() / 1000) % DAY)

let stack: Stack
let payers: Payers
let [ada, clerk]: Page[] = []
let [regulars, newcomers]: bigint[][] = []
test.describe.configure({ mode: 'serial' })
test.beforeAll(async ({ browser }) => {
  stack = await startStack('postgres', 'seeded', { STAFF_SECOND_FACTOR: 'off' })
  // The members come in the week before the Monday.
  await stack.setClock(MONDAY - 3 * DAY)
  payers = new Payers(stack, MONDAY - 3 * DAY)
  regulars = await payers.add(REGULARS, 100n, new Date('2026-01-05T08:00:00Z'))
  newcomers = await payers.add(NEWCOMERS, 100n)
  const first = await asStaff(stack.url, 'checker')
  for (const id of await payers.request(regulars, 10n))
    await first('POST', `/staff/queues/withdrawals/${id}/approve`, { data: { reason: 'First payout' } })
  await stack.setClock(MONDAY)
  payers.ahead = MONDAY
  ada = await enteredAsStaff(browser, stack.url, 'admin')
  clerk = await enteredAsStaff(browser, stack.url, 'checker')
})
test.afterAll(async ({ browser }) => {
  await payers.close()
  await stack.stop(browser)
})

test('mails the report of the last week in the morning, with the figures of the overview', { tag: '@extended' }, async () => {
  const report = await stack.mailed('admin@example.com', /week to/)
  expect(report).toContain(`New members: ${NEWCOMERS} (0).`)
  await at(ada).goto(/http\S+days=week/.exec(report)?.[0] ?? '')
  const figures = at(ada).getByRole('group', { name: 'Figure of the chart' })
  await expect(figures.getByRole('button', { name: /^New members/ })).toContainText(String(NEWCOMERS))
  const deposits = /Deposits: ([\d,.]+) USD/.exec(report)?.[1] ?? ''
  expect(deposits).not.toBe('')
  await expect(figures.getByRole('button', { name: /^Deposits/ })).toContainText(deposits)
})

test('[MF-04] leaves 20 of 60 payouts to a person, who decides by keyboard, when rules approve 40', { tag: '@extended' }, async () => {
  for (const usd of [11n, 12n]) await payers.request(regulars ?? [], usd)
  await payers.request(newcomers ?? [], 13n)
  await open(clerk, 'payouts?kind=withdrawals')
  const waiting = row(clerk, /1[123]\.00/)
  await expect(waiting).toHaveCount(60)
  const day = { dayCount: 100, daySum: '1000', memberDayCount: 2, memberDaySum: '30' }
  const rules = [{ action: 'approve', name: 'Small', kind: 'withdrawal', atMost: '20', accountDays: 30, ...day }]
  const proposal = { subject: 'payout-rules', value: { rules }, reason: 'Small payouts need no person' }
  const checker = await asStaff(stack.url, 'checker')
  await checker('POST', '/staff/changes', { data: proposal })
  await approveProposal(ada, /rule/i)
  // On a busy machine the worker takes a second for each of the 40.
  await expect(waiting).toHaveCount(NEWCOMERS, { timeout: 150_000 })
  await waiting.first().click()
  // Rows that leave the list stay in place below the pointer.
  await at(clerk).mouse.move(0, 0)
  for (let left = NEWCOMERS; left > 0; left -= 1) {
    // The form of the next payout is empty. Keys before it would go to the form of the last one.
    await expect(reason(clerk)).toHaveValue('')
    await at(clerk).keyboard.press('1')
    await expect(reason(clerk)).toHaveValue('Confirmed with the member')
    await at(clerk).keyboard.press('a')
    // An approval is ready to send when its effect has loaded.
    await expect(at(clerk).getByText(/is ready to send$/)).toBeAttached()
    await at(clerk).keyboard.press('Control+Enter')
    await expect(waiting).toHaveCount(left - 1)
  }
  await open(clerk, 'payout-rules')
  await expect(at(clerk).getByRole('link', { name: '40 of 100 today' })).toBeVisible()
})
