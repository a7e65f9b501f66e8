import { profile } from '@tizara/contract/members'
import { ownJob, startStatement } from '@tizara/contract/wallets-statements'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { memberApi, testMember } from '../test/member-api.ts'
import { openApp, press, signedIn } from '../test/open-app.tsx'

let api: FakeApi
beforeEach(() => {
  api = memberApi()
    .reply(profile, { ...testMember, secondFactor: false })
    .reply(startStatement, { jobId: 'j1' })
    .reply(ownJob, { id: 'j1', state: 'RUNNING', done: 2, total: 7 })
})

it('creates a file of the chosen month, and shows its progress', async () => {
  await openApp('/profile', signedIn)
  const month = page.getByLabelText('Month')
  await expect.element(month).toBeVisible()
  const before = new Date()
  before.setUTCDate(1)
  before.setUTCMonth(before.getUTCMonth() - 1)
  await userEvent.selectOptions(month, before.toISOString().slice(0, 7))
  await userEvent.selectOptions(page.getByLabelText('File format'), 'csv')
  await press('Create statement')
  await expect.element(page.getByRole('progressbar', { name: 'The file is being written' })).toHaveAttribute('value', '2')
  expect(api.calls(startStatement).map(({ body }) => body)).toEqual([{ month: before.toISOString().slice(0, 7), format: 'csv' }])
  api.reply(ownJob, { id: 'j1', state: 'DONE', done: 7, total: 7, fileHref: '/jobs/j1/file', fileName: 'statement-2026-03.csv' })
  await expect.element(page.getByRole('button', { name: 'Download statement-2026-03.csv' })).toBeVisible()
})

it('offers no month before the member joined', async () => {
  const joined = new Date()
  joined.setUTCDate(1)
  joined.setUTCMonth(joined.getUTCMonth() - 2)
  api.reply(profile, { ...testMember, secondFactor: false, createdAt: joined.toISOString() })
  await openApp('/profile', signedIn)
  const month = page.getByLabelText('Month')
  await expect.poll(() => month.element().querySelectorAll('option').length).toBe(3)
  expect([...month.element().querySelectorAll('option')].at(-1)?.value).toBe(joined.toISOString().slice(0, 7))
})

it('shows why a statement failed', async () => {
  await openApp('/profile', signedIn)
  api.reply(ownJob, {
    id: 'j1',
    state: 'FAILED',
    done: 0,
    total: 0,
    error: 'Something went wrong. Nothing was changed. Please start it again',
  })
  await press('Create statement')
  await expect.element(page.getByText(/Please start it again/)).toBeVisible()
})
