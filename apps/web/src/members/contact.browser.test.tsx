import { changeEmail, changeName, confirmEmail, pendingEmail, stopEmailChange } from '@tizara/contract/contact-details'
import { errorCatalogue } from '@tizara/contract/errors'
import { profile } from '@tizara/contract/members'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { memberApi, testMember } from '../test/member-api.ts'
import { openApp, press, signedIn } from '../test/open-app.tsx'

let api: FakeApi
beforeEach(() => {
  api = memberApi()
    .reply(profile, { ...testMember, email: 'amara@gmail.com', phone: '+12025550100', secondFactor: false })
    .reply(pendingEmail, { pending: null })
})

it('groups the profile by subject', async () => {
  await openApp('/profile', signedIn)
  for (const name of ['You', 'Security', 'Withdrawals', 'Notifications', 'Statements'])
    await expect.element(page.getByRole('region', { name, exact: true })).toBeVisible()
})

it('changes the name', async () => {
  api.reply(changeName, null)
  await openApp('/profile', signedIn)
  await press('Change name')
  await page.getByLabelText('Name').fill('Ada Byron')
  await press('Save')
  await expect.element(page.getByText('Your name is changed.')).toBeVisible()
  expect(api.calls(changeName)[0]?.body).toEqual({ name: 'Ada Byron' })
})

it('requests a new address with a proof, keeps the input after a rejection, and shows the pending address', async () => {
  api.refuse(changeEmail, 400, errorCatalogue.EMAIL_UNCHANGED.message)
  await openApp('/profile', signedIn)
  await press('Change email')
  await page.getByLabelText('New email address').fill('ada@gmail.com')
  await press('Save')
  await expect.element(page.getByText('This field is required')).toBeVisible()
  expect(api.calls(changeEmail)).toHaveLength(0)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabelText('Password', { exact: true }).fill('correct horse')
  await press('Save')
  await expect.element(page.getByText(errorCatalogue.EMAIL_UNCHANGED.message)).toBeVisible()
  api.reply(changeEmail, null).reply(pendingEmail, { pending: { email: 'ada@gmail.com', until: '2026-03-02T10:00:00.000Z' } })
  await press('Save')
  await expect.element(page.getByText(/ada@gmail.com awaits your confirmation/)).toBeVisible()
  expect(api.calls(changeEmail).at(-1)?.body).toEqual({ email: 'ada@gmail.com', password: 'correct horse' })
})

it('confirms or stops a change with the mailed link, and only after a press', async () => {
  api.reply(confirmEmail, { takesEffectAt: null }).refuse(stopEmailChange, 400, errorCatalogue.EMAIL_LINK_INVALID.message)
  await openApp('/email-change#confirm:the-token')
  await press('Confirm this address')
  await expect.element(page.getByText('Your email address is changed')).toBeVisible()
  expect(api.calls(confirmEmail)).toHaveLength(1)
  await expect.poll(() => location.hash).toBe('')
  api.reply(confirmEmail, { takesEffectAt: '2026-03-12T12:00:00.000Z' })
  await openApp('/email-change#recover:the-token')
  await expect.element(page.getByText(/when the waiting period of its recovery is over/)).toBeVisible()
  await press('Confirm this address')
  await expect.element(page.getByText(/Your account uses it from 12 Mar 2026/)).toBeVisible()
  await openApp('/email-change#stop:the-token')
  await expect.element(page.getByText(/Someone asked for another email address/)).toBeVisible()
  expect(api.calls(stopEmailChange)).toHaveLength(0)
  await press('This was not me: stop the change')
  await expect.element(page.getByText(errorCatalogue.EMAIL_LINK_INVALID.message)).toBeVisible()
})
