import '../app/app.css'
import { errorCatalogue } from '@tizara/contract/errors'
import { profile } from '@tizara/contract/members'
import { logOut } from '@tizara/contract/session'
import { staffOverview } from '@tizara/contract/staff'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { FakeApi } from '../test/fake-api.ts'
import { memberApi, testMember } from '../test/member-api.ts'
import { tidyUp } from '../test/mount.tsx'
import { press, signedIn } from '../test/open-app.tsx'
import { StaffPage } from './staff-page.tsx'

let api: FakeApi
let led: string[]
const waiting = { withdrawals: 3, bridges: 0, deposits: 1, changes: 2, tickets: 7 }

beforeEach(() => {
  led = []
  api = memberApi()
    .reply(profile, { ...testMember, email: 'support@example.com', isStaff: true })
    .reply(staffOverview, { waiting, members: 12, rewardPool: [], reserves: [] })
    .reply(logOut, null)
})
afterEach(() => {
  tidyUp()
  api.restore()
})

async function open(stored: Readonly<Record<string, string>> = signedIn) {
  tidyUp()
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value)
  await render(<StaffPage go={(href) => void led.push(href)} />)
}

it('[GN-04] [RT-17] tells staff what waits and with which command, and logs them out', async () => {
  await open()
  await expect.element(page.getByText('Signed in as Amara Obi, support@example.com.')).toBeVisible()
  const tickets = page.getByRole('listitem').filter({ hasText: 'Tickets without an answer' })
  await expect.poll(() => tickets.element().textContent).toContain('7 Tickets')
  await expect.element(page.getByText('npm run staff -- queue kind=withdrawals status=PENDING')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Member app' })).toHaveAttribute('href', '/dashboard')
  await press('Log Out')
  await expect.poll(() => led).toEqual(['/auth-admin'])
  expect(api.calls(logOut).map(({ headers }) => headers.get('Authorization'))).toEqual(['token'])
  expect({ ...localStorage }).toEqual({})
})

it('leads staff without an authenticator app to where they set it up', async () => {
  api.refuse(staffOverview, 400, errorCatalogue.STAFF_SECOND_FACTOR.message)
  await open()
  await expect.element(page.getByText('The numbers show once you have set up an authenticator app', { exact: false })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Profile and authenticator app' })).toHaveAttribute('href', '/profile')
})

it('shows members nothing of it, and sends visitors to the sign-in of staff', async () => {
  api.reply(profile, { ...testMember, isStaff: false })
  await open()
  await expect.element(page.getByText('This page is for staff')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Go to the dashboard' })).toBeVisible()
  expect(api.calls(staffOverview)).toHaveLength(0)
  await open({})
  await expect.poll(() => led).toContain('/auth-admin')
})
