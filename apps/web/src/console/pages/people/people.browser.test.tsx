import type { WireReplyOf } from '@tizara/contract'
import { staffMe } from '@tizara/contract/staff'
import { allowViews, confirmSeparatePeople, liftSuspension, staffPeople, suspendColleague } from '@tizara/contract/staff-platform'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testStaff } from '../../../test/staff-api.ts'

type Colleague = WireReplyOf<typeof staffPeople>['people'][number]

const colleague = (name: string, more: Partial<Colleague> = {}): Colleague => ({
  person: { id: name, name, email: `${name.toLowerCase()}@example.com` },
  role: 'ADMIN',
  isActive: true,
  factor: 'app',
  sessions: 0,
  lastSeenAt: null,
  ...more,
})
const RIGHTS = ['allowViews', 'confirmSeparatePeople', 'staffPeople', 'suspendColleague', 'liftSuspension']
const none = { SUPPORT: [], FINANCE: [], ADMIN: RIGHTS, AUDITOR: [] }

let api: FakeApi
beforeEach(() => {
  const people = [colleague('Ada'), colleague('Ben', { suspendedUntil: new Date(Date.now() + 1_800_000).toISOString() })]
  api = staffApi([])
    .reply(staffMe, { ...testStaff, role: 'ADMIN', rights: RIGHTS })
    .reply(staffPeople, { people, rights: none })
})

const open = () => openConsole('/staff/roles')

it('suspends a colleague after the effects were shown, with the reason', async () => {
  api.reply(suspendColleague, null)
  await open()
  await press('Suspend ada@example.com')
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByText('For this hour you neither propose nor decide', { exact: false })).toBeVisible()
  await userEvent.fill(dialog.getByLabelText('Reason'), 'laptop stolen')
  await userEvent.click(dialog.getByRole('button', { name: 'Suspend', exact: true }))
  await expect.poll(() => api.calls(suspendColleague).map(({ body }) => body)).toEqual([{ reason: 'laptop stolen' }])
})

it('shows who is suspended, and proposes to lift the suspension', async () => {
  api.reply(liftSuspension, { proposalId: 'c1' })
  await open()
  await expect.element(page.getByText('suspended', { exact: true })).toBeVisible()
  await press('Lift the suspension of ben@example.com')
  await expect.element(page.getByRole('dialog').getByText('Another person has to approve it.')).toBeVisible()
  await userEvent.fill(page.getByRole('dialog').getByLabelText('Reason'), 'it was her')
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Propose', exact: true }))
  await expect.poll(() => api.calls(liftSuspension).map(({ body }) => body)).toEqual([{ reason: 'it was her' }])
})

it('shows on a phone only the rights of the highlighted role, without scrolling sideways', async () => {
  await page.viewport(390, 844)
  await open()
  const heads = () =>
    page
      .getByRole('columnheader')
      .elements()
      .map((head) => head.textContent)
  await expect.poll(heads).toEqual(['Action', 'ADMIN'])
  expect(page.getByRole('group', { name: 'Table, scrolls sideways' }).elements()).toEqual([])
  await press('AUDITOR')
  await expect.poll(heads).toEqual(['Action', 'AUDITOR'])
  await page.viewport(1440, 900)
  await expect.poll(heads).toEqual(['Action', 'SUPPORT', 'FINANCE', 'ADMIN', 'AUDITOR'])
})

it('lists linked staff, and proposes to confirm that they are two people', async () => {
  const [one, other] = [colleague('Ada').person, colleague('Ben').person]
  api
    .reply(staffPeople, {
      people: [colleague('Ada'), colleague('Ben')],
      links: [{ one, other, foundAt: new Date().toISOString() }],
      rights: none,
    })
    .reply(confirmSeparatePeople, { proposalId: 'c1' })
  await open()
  await expect.element(page.getByText('ada@example.com and ben@example.com shared a network', { exact: false })).toBeVisible()
  await press('Confirm')
  await userEvent.fill(page.getByRole('dialog').getByLabelText('Reason'), 'met both')
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Propose', exact: true }))
  await expect.poll(() => api.calls(confirmSeparatePeople).map(({ body }) => body)).toEqual([{ otherId: 'Ben', reason: 'met both' }])
})

it('allows a colleague at the limit more views, with the reason', async () => {
  api
    .reply(staffPeople, { people: [colleague('Ada'), colleague('Ben', { viewLimitAt: new Date().toISOString() })], rights: none })
    .reply(allowViews, null)
  await open()
  await expect.element(page.getByText('view limit reached')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Allow ada@example.com more views' })).not.toBeInTheDocument()
  await press('Allow ben@example.com more views')
  await userEvent.fill(page.getByRole('dialog').getByLabelText('Reason'), 'audit of March')
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Allow', exact: true }))
  await expect.poll(() => api.calls(allowViews).map(({ body }) => body)).toEqual([{ reason: 'audit of March' }])
})
