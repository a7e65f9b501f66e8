import { staffMe } from '@tizara/contract/staff'
import { staffAccounting, startAccountingExport } from '@tizara/contract/staff-accounting'
import { staffJob } from '@tizara/contract/staff-jobs'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { axeViolations } from '../../../test/list-check.tsx'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testStaff } from '../../../test/staff-api.ts'

let api: FakeApi
beforeEach(() => {
  api = staffApi([])
  api.reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'staffAccounting', 'startAccountingExport'] })
})

it('exports a closed month in the chosen format, and shows why an export failed', async () => {
  api
    .reply(staffAccounting, { data: [{ id: '2026-10', transfers: 12_345, hash: 'a'.repeat(64) }] })
    .reply(startAccountingExport, { jobId: 'j1' })
    .reply(staffJob, { id: 'j1', state: 'FAILED', done: 0, total: 0, error: 'The chart of accounts is not JSON' })
  await openConsole('/staff/accounting')
  await expect.element(page.getByText('12,345')).toBeVisible()
  expect(await axeViolations()).toEqual([])
  await press('Beancount')
  await press('Export 2026-10')
  await expect.element(page.getByRole('alert')).toHaveTextContent('The chart of accounts is not JSON')
  await press('Export accounts')
  await expect
    .poll(() => api.calls(startAccountingExport).map(({ body }) => body))
    .toEqual([{ format: 'beancount', month: '2026-10' }, { format: 'beancount' }])
})

it('says when months are closed while there is none', async () => {
  api.reply(staffAccounting, { data: [] })
  await openConsole('/staff/accounting')
  await expect.element(page.getByText('A month is closed a day after its end.')).toBeVisible()
})
