import { previewChange, proposeChange } from '@tizara/contract/staff-changes'
import { staffMe } from '@tizara/contract/staff'
import { staffPayoutRules, stopPayoutRules } from '@tizara/contract/staff-payout-rules'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testStaff } from '../../../test/staff-api.ts'

const SINCE = '2026-03-02T09:00:00.000Z'
const SMALL = {
  action: 'approve' as const,
  name: 'Small',
  kind: 'withdrawal' as const,
  atMost: 100,
  accountDays: 30,
  dayCount: 10,
  daySum: 500,
  memberDayCount: 2,
  memberDaySum: 150,
}
const LARGE = { action: 'queue' as const, name: 'Large', kind: 'bridge' as const, above: 3000 }
const by = { id: 's2', name: 'Otto Falk', email: 'otto@example.com' }
const inForce = {
  version: 4,
  rules: [SMALL, LARGE],
  rulesBeforeOff: [],
  since: SINCE,
  by,
  reason: 'fewer clicks',
  planned: [],
  today: [
    { name: 'Small', approved: 3, sum: 160, waiting: 0 },
    { name: 'Large', approved: 0, sum: 0, waiting: 2 },
  ],
}
const off = { ...inForce, rules: [], rulesBeforeOff: [SMALL], offWhy: 'STOPPED' as const, today: [] }
const seen = {
  title: 'Payout rules: 0 → 2',
  before: {},
  current: {},
  basedOn: 'the last days',
  hash: 'h',
  at: SINCE,
  blocks: [],
  overlaps: [],
}
let api: FakeApi
const as = (...rights: string[]) => api.reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'staffPayoutRules', ...rights] })
beforeEach(() => {
  api = staffApi([])
})
const open = () => openConsole('/staff/payout-rules')

it('shows the rules in force and the use of their ceilings, with links to their payouts', async () => {
  as().reply(staffPayoutRules, inForce)
  await open()
  await expect.element(page.getByText('1. Small')).toBeVisible()
  await expect.element(page.getByText(/Approves USD payouts up to 100.00 USD .* at most 10 payouts and 500.00 USD/)).toBeVisible()
  const used = page.getByRole('link', { name: '3 of 10 today' })
  await expect.element(used).toHaveAttribute('href', '/staff/payouts?for=decided&rule=Small')
  await expect.element(page.getByRole('link', { name: '2 waiting' })).toHaveAttribute('href', '/staff/payouts?for=me&rule=Large')
  await expect.element(page.getByRole('button', { name: 'Switch off' })).toHaveAttribute('aria-disabled', 'true')
  await expect.element(page.getByRole('button', { name: 'Draft new rules' })).toHaveAttribute('aria-disabled', 'true')
})

it('switches the rules off with a reason', async () => {
  as('stopPayoutRules').reply(staffPayoutRules, inForce).reply(stopPayoutRules, null)
  await open()
  await press('Switch off')
  await userEvent.fill(page.getByLabelText('Reason'), 'looks wrong')
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Switch off' }))
  await expect.poll(() => api.calls(stopPayoutRules).map((call) => call.body)).toEqual([{ reason: 'looks wrong' }])
  await expect.element(page.getByText('The rules are off')).toBeVisible()
})

it('explains why the rules are off, and offers no switch', async () => {
  as('stopPayoutRules').reply(staffPayoutRules, off)
  await open()
  await expect.element(page.getByText(/Two people switch rules on again/)).toBeVisible()
  await expect.element(page.getByText(/Otto Falk.*fewer clicks/)).toBeVisible()
  await expect.element(page.getByText('No rules in force')).toBeVisible()
  await expect.poll(() => page.getByRole('button', { name: 'Switch off' }).elements().length).toBe(0)
})

it('edits a draft, rejects contradictions, tries it on the last 30 days and proposes it', async () => {
  as('change.payout-rules', 'proposeChange', 'previewChange')
    .reply(staffPayoutRules, off)
    .reply(previewChange, { ...seen, rows: [{ label: '“Small” would have approved', after: '412 of 430' }] })
    .reply(proposeChange, { id: 'c9' })
  await open()
  await press('Draft new rules')
  await press('Add a rule')
  await userEvent.selectOptions(page.getByLabelText('What it does'), 'Hold for two people')
  await userEvent.fill(page.getByLabelText('Name'), 'New device')
  await userEvent.fill(page.getByLabelText('Above'), '40')
  await userEvent.fill(page.getByLabelText(/Device newer than/), '1.5')
  await press('Save to the draft')
  await expect.element(page.getByText('Device newer than: Must be a whole number')).toBeVisible()
  await userEvent.fill(page.getByLabelText(/Device newer than/), '30')
  await press('Save to the draft')
  await press('Try on the last 30 days')
  await expect.element(page.getByText('“Small” approves payouts that “New device” holds: put “New device” above it')).toBeVisible()
  await press('Up rule 2')
  await press('Try on the last 30 days')
  await expect.element(page.getByText('412 of 430')).toBeVisible()
  await userEvent.fill(page.getByLabelText('Reason'), 'fewer clicks')
  await press('Propose these rules')
  const hold = { action: 'hold', name: 'New device', kind: 'withdrawal', above: 40, newDeviceDays: 30 }
  await expect
    .poll(() => api.calls(proposeChange).map((call) => call.body))
    .toEqual([{ subject: 'payout-rules', value: { rules: [hold, SMALL] }, reason: 'fewer clicks' }])
})
