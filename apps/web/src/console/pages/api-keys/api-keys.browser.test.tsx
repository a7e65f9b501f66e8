import { staffMe } from '@tizara/contract/staff'
import { endStaffApiKey, fetchApiKey, staffApiKeys } from '@tizara/contract/staff-api-keys'
import { proposeChange } from '@tizara/contract/staff-changes'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { axeViolations } from '../../../test/list-check.tsx'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testStaff } from '../../../test/staff-api.ts'

const rights = [
  { name: 'staffBusiness', group: 'Staff', summary: 'Returns the figures of a period.' },
  { name: 'staffHealth', group: 'Staff', summary: 'Returns the findings.' },
]
const KEY = {
  id: 'k1',
  name: 'Figures',
  rights: ['staffBusiness'],
  networks: ['192.0.2.0/24'],
  createdAt: '2026-03-01T09:00:00.000Z',
  expiresAt: '2026-05-30T09:00:00.000Z',
  lastUsedAt: null,
  lastUsedIp: null,
  owner: { id: 's1', name: 'Sara Lund' },
  canFetch: true,
}
let api: FakeApi
beforeEach(() => {
  api = staffApi([])
  api.reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'staffApiKeys', 'change.api-key', 'fetchApiKey', 'endStaffApiKey'] })
})
const open = () => openConsole('/staff/api-keys')

it('proposes a key with chosen calls and networks', async () => {
  api.reply(staffApiKeys, { keys: [], rights }).reply(proposeChange, { id: 'c1' })
  await open()
  await expect.element(page.getByText('No API keys yet')).toBeVisible()
  await press('Propose a key')
  const dialog = page.getByRole('dialog')
  await userEvent.fill(dialog.getByLabelText('Name'), 'Figures')
  await userEvent.fill(dialog.getByLabelText('Reason'), 'reports')
  await userEvent.click(dialog.getByRole('button', { name: 'Propose' }))
  await expect.element(dialog.getByText('Choose what the key may read')).toBeVisible()
  await userEvent.click(dialog.getByRole('checkbox', { name: 'staffBusiness' }))
  await userEvent.fill(dialog.getByLabelText(/Only from these networks/), '192.0.2.0/24 2001:db8::/32')
  expect(await axeViolations()).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Propose' }))
  const value = { name: 'Figures', rights: ['staffBusiness'], networks: ['192.0.2.0/24', '2001:db8::/32'], days: 90 }
  await expect.poll(() => api.calls(proposeChange).map(({ body }) => body)).toEqual([{ subject: 'api-key', value, reason: 'reports' }])
})

it('shows an approved key once to its owner, and ends it with a reason', async () => {
  api
    .reply(staffApiKeys, { keys: [KEY], rights })
    .reply(fetchApiKey, { key: 'tzk_secret' })
    .reply(endStaffApiKey, null)
  await open()
  await expect.element(page.getByRole('button', { name: 'Show the key Figures' })).toBeVisible()
  api.reply(staffApiKeys, { keys: [{ ...KEY, canFetch: false }], rights })
  await press('Show the key Figures')
  await expect.element(page.getByLabelText('API key', { exact: true })).toHaveValue('tzk_secret')
  await expect.element(page.getByRole('button', { name: 'Show the key Figures' })).not.toBeInTheDocument()
  await press('Revoke Figures')
  await userEvent.fill(page.getByRole('dialog').getByLabelText('Reason'), 'leaked')
  await press('Revoke key')
  await expect.poll(() => api.calls(endStaffApiKey).map(({ body }) => body)).toEqual([{ reason: 'leaked' }])
})
