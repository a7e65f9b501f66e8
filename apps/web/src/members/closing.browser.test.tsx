import { closeAccount, closingObstacles } from '@tizara/contract/account-closing'
import { errorCatalogue } from '@tizara/contract/errors'
import { profile } from '@tizara/contract/members'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { memberApi, testMember } from '../test/member-api.ts'
import { openApp, press, signedIn } from '../test/open-app.tsx'

let api: FakeApi
beforeEach(() => {
  api = memberApi().reply(profile, { ...testMember, secondFactor: false })
})

it('lists the open items that prevent closing the account', async () => {
  api.reply(closingObstacles, { obstacles: ['Deposit Wallet has 12.5 USD.', 'A stake is running.'] })
  await openApp('/profile', signedIn)
  await press('Close my account')
  const dialog = page.getByRole('dialog', { name: 'Close my account' })
  await expect.element(dialog.getByText('Deposit Wallet has 12.5 USD.')).toBeVisible()
  await expect.element(dialog.getByText('A stake is running.')).toBeVisible()
  await expect.element(dialog.getByLabelText('Password', { exact: true })).not.toBeInTheDocument()
})

it('shows a rejection of the server, then closes the account with the password and signs out', async () => {
  api.reply(closingObstacles, { obstacles: [] }).refuse(closeAccount, 400, errorCatalogue.ACCOUNT_NOT_EMPTY.message)
  await openApp('/profile', signedIn)
  await press('Close my account')
  const dialog = page.getByRole('dialog', { name: 'Close my account' })
  await expect.element(dialog.getByText(/we erase your personal data/)).toBeVisible()
  await dialog.getByLabelText('Password', { exact: true }).fill('correct horse')
  await dialog.getByRole('button', { name: 'Close my account' }).click()
  await expect.element(dialog.getByText(errorCatalogue.ACCOUNT_NOT_EMPTY.message)).toBeVisible()
  api.reply(closeAccount, { closesAt: '2026-04-01T09:00:00.000Z' })
  await dialog.getByRole('button', { name: 'Close my account' }).click()
  await expect.element(page.getByText(/Your account will be closed/)).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/')
  expect(api.calls(closeAccount).at(-1)?.body).toEqual({ password: 'correct horse' })
})
