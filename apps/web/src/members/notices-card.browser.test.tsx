import { profile } from '@tizara/contract/members'
import { chooseNotice, noticeChoices } from '@tizara/contract/notices'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { memberApi, testMember } from '../test/member-api.ts'
import { tidyUp } from '../test/mount.tsx'
import { openApp, signedIn } from '../test/open-app.tsx'

const api = memberApi()
  .reply(profile, { ...testMember, secondFactor: false })
  .reply(noticeChoices, [
    { event: 'deposit', on: true, locked: false },
    { event: 'payout', on: true, locked: true },
  ])
  .reply(chooseNotice, null)
afterEach(() => {
  tidyUp()
  api.restore()
})

it('switches off mails about money, but no security mails', async () => {
  await openApp('/profile', signedIn)
  const deposits = page.getByRole('checkbox', { name: 'A deposit was credited' })
  await expect.element(deposits).toBeChecked()
  await expect.element(page.getByRole('checkbox', { name: /Each step of a payout/ })).toBeDisabled()
  api.reply(noticeChoices, [{ event: 'deposit', on: false, locked: false }])
  await deposits.click()
  await expect.element(deposits).not.toBeChecked()
  expect(api.calls(chooseNotice).map(({ body }) => body)).toEqual([{ event: 'deposit', on: false }])
})
