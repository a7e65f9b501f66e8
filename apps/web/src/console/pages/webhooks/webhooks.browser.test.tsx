import { staffMe } from '@tizara/contract/staff'
import { proposeChange } from '@tizara/contract/staff-changes'
import { rotateWebhookSecret, sendWebhookAgain, staffWebhookDeliveries, staffWebhooks, stopWebhook } from '@tizara/contract/staff-webhooks'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { axeViolations } from '../../../test/list-check.tsx'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testStaff } from '../../../test/staff-api.ts'

const AT = '2026-03-01T09:00:00.000Z'
const BOOKS = {
  id: 'w1',
  name: 'Books',
  url: 'https://books.example.com/webhooks',
  kinds: [],
  state: 'ON' as const,
  offReason: null,
  canSign: false,
  previousUntil: null,
  failingSince: null,
  fault: null,
  offSince: null,
  waiting: 3,
  createdAt: AT,
}
const ROW = {
  eventId: '7f0f3d0e-3a51-4f0a-9d3f-0d6f6f1b2c3d',
  kind: 'purchase.created' as const,
  subject: 'p1',
  state: 'FAILED' as const,
  attempts: 10,
  createdAt: AT,
  nextAttemptAt: null,
  attemptedAt: AT,
  status: 500,
  answer: 'Out of order',
  durationMs: 12,
  error: null,
}
let api: FakeApi
beforeEach(() => {
  api = staffApi([])
  const rights = ['staffWebhooks', 'change.webhook', 'rotateWebhookSecret', 'stopWebhook', 'sendWebhookAgain']
  api.reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...rights] })
})
const open = (path = '') => openConsole(`/staff/webhooks${path}`)

it('proposes an endpoint with an address and chosen events', async () => {
  api.reply(staffWebhooks, { endpoints: [] }).reply(proposeChange, { id: 'c1' })
  await open()
  await expect.element(page.getByText('No endpoints yet')).toBeVisible()
  await press('Propose an endpoint')
  const dialog = page.getByRole('dialog')
  await userEvent.fill(dialog.getByLabelText('Name'), 'Books')
  await userEvent.fill(dialog.getByLabelText('Reason'), 'reports')
  await userEvent.click(dialog.getByRole('button', { name: 'Propose' }))
  await expect.element(dialog.getByText('Enter a URL')).toBeVisible()
  await userEvent.fill(dialog.getByLabelText('Address'), BOOKS.url)
  await userEvent.click(dialog.getByRole('checkbox', { name: 'purchase.created' }))
  expect(await axeViolations()).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Propose' }))
  const value = { name: 'Books', url: BOOKS.url, kinds: ['purchase.created'] }
  await expect.poll(() => api.calls(proposeChange).map(({ body }) => body)).toEqual([{ subject: 'webhook', value, reason: 'reports' }])
})

it('creates a secret, shows it once, and switches the endpoint off with a reason', async () => {
  api
    .reply(staffWebhooks, { endpoints: [BOOKS] })
    .reply(rotateWebhookSecret, { secret: 'whsec_abc' })
    .reply(stopWebhook, null)
  await open()
  await expect.element(page.getByText('Needs a secret')).toBeVisible()
  await press('Create a secret: Books')
  await userEvent.fill(page.getByRole('dialog').getByLabelText('Reason'), 'new receiver')
  api.reply(staffWebhooks, { endpoints: [{ ...BOOKS, canSign: true }] })
  await press('Create')
  await expect.element(page.getByLabelText('Secret', { exact: true })).toHaveValue('whsec_abc')
  await expect.element(page.getByText('Needs a secret')).not.toBeInTheDocument()
  await press('Switch off: Books')
  await userEvent.fill(page.getByRole('dialog').getByLabelText('Reason'), 'maintenance')
  await press('Switch off')
  await expect.poll(() => api.calls(stopWebhook).map(({ body }) => body)).toEqual([{ reason: 'maintenance', ends: false }])
})

it('proposes to switch an endpoint on again with its values', async () => {
  api
    .reply(staffWebhooks, { endpoints: [{ ...BOOKS, state: 'OFF', offReason: 'RESTORED', offSince: AT, fault: 'status 500' }] })
    .reply(proposeChange, { id: 'c1' })
  await open()
  await expect.element(page.getByText('after a restore')).toBeVisible()
  await expect.element(page.getByText('since 1 Mar 09:00 UTC')).toBeVisible()
  await expect.element(page.getByText('last attempt: status 500')).toBeVisible()
  await press('Switch on: Books')
  await userEvent.fill(page.getByRole('dialog').getByLabelText('Reason'), 'checked')
  await press('Propose')
  const value = { id: 'w1', name: 'Books', url: BOOKS.url, kinds: [] }
  await expect.poll(() => api.calls(proposeChange).map(({ body }) => body)).toEqual([{ subject: 'webhook', value, reason: 'checked' }])
})

it('shows deliveries with their responses, and sends one again', async () => {
  const PENDING = {
    ...ROW,
    eventId: '8f0f3d0e-3a51-4f0a-9d3f-0d6f6f1b2c3d',
    subject: 'p2',
    state: 'PENDING' as const,
    status: null,
    answer: '',
  }
  api
    .reply(staffWebhooks, { endpoints: [BOOKS] })
    .reply(staffWebhookDeliveries, { rows: [ROW, { ...PENDING, error: 'CERT_HAS_EXPIRED' }] })
    .reply(sendWebhookAgain, null)
  await open('/w1')
  await expect.element(page.getByText('Status 500')).toBeVisible()
  await expect.element(page.getByText('CERT_HAS_EXPIRED')).toBeVisible()
  await expect.element(page.getByText('after an earlier event of this object')).toBeVisible()
  await userEvent.click(page.getByText('Body'))
  await expect.element(page.getByText('Out of order')).toBeVisible()
  expect(await axeViolations()).toEqual([])
  await press('Send again: purchase.created p1')
  await expect.poll(() => api.calls(sendWebhookAgain).map(({ body }) => body)).toEqual([{ eventId: ROW.eventId }])
  await expect.element(page.getByRole('button', { name: 'Send again: purchase.created p2' })).not.toBeInTheDocument()
})
