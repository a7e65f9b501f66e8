import {
  changeEmail,
  changeName,
  confirmEmail,
  pendingEmail,
  removeProfileImage,
  setProfileImage,
  stopEmailChange,
} from '@tizara/contract/contact-details'
import { errorCatalogue } from '@tizara/contract/errors'
import { profile } from '@tizara/contract/members'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { memberApi, testMember } from '../test/member-api.ts'
import { openApp, press, signedIn } from '../test/open-app.tsx'

const IMAGE = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
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

it('[EN-09] [EN-11] sets and removes the profile image, and sends no file of 20 MB', async () => {
  api.reply(setProfileImage, null).reply(removeProfileImage, null)
  await openApp('/profile', signedIn)
  // A file of this size takes too long through the browser's protocol.
  const choose = (bytes: number): void => {
    const files = new DataTransfer()
    files.items.add(new File([new Uint8Array(bytes)], 'me.png', { type: 'image/png' }))
    const field = document.querySelector<HTMLInputElement>('input[type=file]')
    if (field === null) throw new Error('no field')
    field.files = files.files
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }
  await expect.element(page.getByRole('button', { name: 'Add image' })).toBeVisible()
  choose(20_000_000)
  await expect.element(page.getByText('File size should be less than 5 MB')).toBeVisible()
  expect(api.calls(setProfileImage)).toHaveLength(0)
  api.reply(profile, { ...testMember, profileImage: IMAGE, email: 'amara@gmail.com', secondFactor: false })
  choose(20)
  await expect.element(page.getByText('Your image is changed.')).toBeVisible()
  await press('Remove image')
  await expect.element(page.getByText('Your image is removed.')).toBeVisible()
  expect([api.calls(setProfileImage).length, api.calls(removeProfileImage).length]).toEqual([1, 1])
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

it.each(['', '#confirm:', '#stop:%'])(
  'says that a link without a token is not valid, and offers no action, when the address is /email-change%s',
  async (hash) => {
    await openApp(`/email-change${hash}`)
    await expect.element(page.getByRole('alert').getByText(errorCatalogue.EMAIL_LINK_INVALID.message)).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: /address|stop/ })).not.toBeInTheDocument()
  },
)
