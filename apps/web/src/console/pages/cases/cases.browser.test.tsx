import { staffMe } from '@tizara/contract/staff'
import { staffCases } from '@tizara/contract/staff-cases'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { axeViolations } from '../../../test/list-check.tsx'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testStaff } from '../../../test/staff-api.ts'

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString()
const OPEN = {
  id: 'c1',
  member: { id: 'm1', name: 'Ifeoma Balogun', email: 'ifeoma@gmail.com' },
  title: 'Shared device',
  reason: 'three accounts',
  owner: { id: 's1', name: 'Sara Lund', email: 's@tizara.com' },
  openedAt: day(-9),
  dueAt: day(-2),
  outcome: null,
  outcomeReason: null,
  closedBy: null,
  closedAt: null,
}
const meta = { total: 1, page: 1, limit: 50 }

let api: FakeApi
beforeEach(() => {
  api = staffApi([])
  api.reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'staffCases'] })
})

it('lists open cases with what is overdue, and closed ones with their outcome', async () => {
  api.reply(staffCases, { data: [OPEN, { ...OPEN, id: 'c2', title: 'New address', dueAt: day(3) }], meta: { ...meta, total: 2 } })
  await openConsole('/staff/cases')
  await expect.element(page.getByRole('row', { name: /Shared device/ }).getByText('overdue')).toBeVisible()
  await expect.element(page.getByRole('row', { name: /New address/ })).toBeVisible()
  expect(page.getByText('overdue').elements()).toHaveLength(1)
  expect(await axeViolations()).toEqual([])
  const closed = { outcome: 'reported' as const, outcomeReason: 'filed', closedBy: OPEN.owner, closedAt: day(-1) }
  api.reply(staffCases, { data: [{ ...OPEN, ...closed }], meta })
  await press('Closed')
  await expect.element(page.getByRole('row', { name: /Reported to an authority/ })).toBeVisible()
  expect(api.calls(staffCases).at(-1)?.query.get('view')).toBe('closed')
})
