import { profile } from '@tizara/contract/members'
import { chooseNotice, noticeChoices } from '@tizara/contract/notices'
import { unreadNotices } from '@tizara/contract/notices-unread'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { memberApi, testMember } from '../test/member-api.ts'
import { openApp, signedIn } from '../test/open-app.tsx'

it('switches mail and inbox for each kind of event, leaves one of them, and keeps security mails', async () => {
  const api = memberApi()
    .reply(profile, { ...testMember, secondFactor: false })
    .reply(unreadNotices, { count: 0 })
    .reply(noticeChoices, [
      { event: 'deposit', via: 'both', locked: false },
      { event: 'payout', via: 'both', locked: true },
    ])
    .reply(chooseNotice, null)
  await openApp('/profile', signedIn)
  const box = (name: string) => page.getByRole('checkbox', { name })
  await expect.element(box('Mail: A deposit was credited')).toBeChecked()
  await expect.element(box('Mail: Each step of a withdrawal or bridge')).toBeDisabled()
  await expect.element(box('Inbox: Each step of a withdrawal or bridge')).toBeEnabled()
  api.reply(noticeChoices, [{ event: 'deposit', via: 'inbox', locked: false }])
  await box('Mail: A deposit was credited').click()
  await expect.element(box('Mail: A deposit was credited')).not.toBeChecked()
  await expect.element(box('Inbox: A deposit was credited')).toBeDisabled()
  await box('Mail: A deposit was credited').click()
  await expect
    .poll(() => api.calls(chooseNotice).map(({ body }) => body))
    .toEqual([
      { event: 'deposit', via: 'inbox' },
      { event: 'deposit', via: 'both' },
    ])
})
