import { beginTotp, confirmTotp } from '@tizara/contract/auth'
import { errorCatalogue, errorMessage, inputErrors } from '@tizara/contract/errors'
import { profile } from '@tizara/contract/members'
import { logOut } from '@tizara/contract/session'
import { staffMe, staffOverview } from '@tizara/contract/staff'
import { answerChain, staffIncidents, staffSearch } from '@tizara/contract/staff-platform'
import { staffQueue, staffQueueItem } from '@tizara/contract/staff-queues'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import type { FakeApi } from '../../test/fake-api.ts'
import { testMember } from '../../test/member-api.ts'
import { tidyUp } from '../../test/clean-up.ts'
import { press, signedIn } from '../../test/open-app.tsx'
// After the member app's styles (open-app.tsx), so that the console's own win.
import './console.css'
import { staffApi, testItem, testOverview, testStaff } from '../../test/staff-api.ts'
import { Console } from './console.tsx'

let api: FakeApi
let led: string[]
beforeEach(() => {
  led = []
  api = staffApi([testItem('p1-daniel', 'Daniel Osei')])
    .reply(logOut, null)
    .reply(staffSearch, { members: [], waiting: [], transfers: [], changes: [] })
})

async function open(path = '/staff', stored: Readonly<Record<string, string>> = signedIn) {
  await cleanup()
  const tab = Object.entries(sessionStorage)
  tidyUp()
  // Restores the storage of the same tab.
  for (const [key, value] of tab) sessionStorage.setItem(key, value)
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value)
  history.replaceState(null, '', path)
  await render(<Console go={(href) => void led.push(href)} />)
}

it('[RT-17] opens the first page of the role with the status bar, and logs out', async () => {
  await open()
  await expect.poll(() => location.pathname).toBe('/staff/payouts')
  await expect.element(page.getByText('FINANCE until', { exact: false })).toBeVisible()
  const signs = page.getByRole('list', { name: 'Platform status' })
  await expect.poll(() => signs.element().textContent).toBe('Ledger no differencesReserves 125 %Coverage 112 %Jobs all OK')
  await userEvent.click(page.getByRole('button', { name: /FINANCE until/ }))
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await expect.poll(() => led).toEqual(['/auth-admin'])
  expect(api.calls(logOut).map(({ headers }) => headers.get('Authorization'))).toEqual(['token'])
})

it('sends reads without user activity as background reads', async () => {
  await open()
  await expect.poll(() => api.calls(staffQueue).length).toBeGreaterThan(0)
  expect(api.calls(staffQueue)[0]?.headers.has('Background-Read')).toBe(false)
})

it('hides pages that the role cannot read', async () => {
  api.reply(staffMe, { ...testStaff, rights: [] })
  await open('/staff/payouts')
  await expect.element(page.getByText('There is nothing at this address', { exact: false })).toBeVisible()
  expect(page.getByRole('link', { name: /Payouts/ }).elements()).toHaveLength(0)
  expect(api.calls(staffQueue)).toHaveLength(0)
})

it('finds pages by search and by key chords, and lists the keys', async () => {
  await open('/staff/payouts')
  await expect.element(page.getByText('Daniel Osei')).toBeVisible()
  await userEvent.keyboard('gd')
  await expect.poll(() => location.pathname).toBe('/staff/deposits')
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.keyboard('pay{Enter}')
  await expect.poll(() => location.pathname).toBe('/staff/payouts')
  await userEvent.keyboard('?')
  await expect.element(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await userEvent.click(page.getByRole('checkbox', { name: 'Use single letters as shortcuts' }))
  await press('Close')
  await userEvent.keyboard('gd')
  await expect.poll(() => location.pathname).toBe('/staff/payouts')
})

it('sets up the second factor in two steps, shows the recovery codes, then opens the page that the person asked for', async () => {
  api
    .refuse(staffMe, 400, inputErrors.STAFF_SECOND_FACTOR.message)
    .reply(beginTotp, { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Tizara:mei@example.com?secret=JBSWY3DPEHPK3PXP' })
    .reply(confirmTotp, { recoveryCodes: ['ABCDE-FGHJK', 'LMNPQ-RSTUV'] })
  sessionStorage.setItem('staff-location', '/staff/payouts')
  await open('/staff')
  await expect.element(page.getByRole('heading', { name: 'Set up an authenticator app' })).toBeVisible()
  await page.getByLabelText('Password', { exact: true }).fill('correct horse')
  await press('Continue')
  await page.getByLabelText('Authenticator code').fill('123456')
  await press('Switch on')
  await expect.element(page.getByText('ABCDE-FGHJK')).toBeVisible()
  api.reply(staffMe, testStaff)
  await press('I have saved them')
  await expect.poll(() => location.pathname).toBe('/staff/payouts')
  expect(api.calls(beginTotp)[0]?.body).toEqual({ password: 'correct horse' })
  expect(api.calls(confirmTotp)[0]?.body).toEqual({ otp: '123456' })
})

it.each([390, 1280])('offers the authenticator app in the account menu at %i pixels', async (width) => {
  await page.viewport(width, 800)
  api.reply(profile, testMember).reply(beginTotp, { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP' })
  await open()
  await page.getByRole('button', { name: /Mei Tanaka/ }).click()
  await page.getByRole('menuitem', { name: 'Authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await dialog.getByLabelText('Password', { exact: true }).fill('correct horse')
  await press('Continue')
  await expect.element(dialog.getByLabelText('Secret for your authenticator app')).toHaveValue('JBSWY3DPEHPK3PXP')
})

it('tells suspended staff until when', async () => {
  api.refuse(staffMe, 400, errorMessage('STAFF_SUSPENDED', { at: '2026-03-02T10:00:00.000Z' }))
  await open()
  await expect.element(page.getByRole('heading', { name: 'Your staff rights are suspended' })).toBeVisible()
  await expect.element(page.getByText('until 2026-03-02T10:00:00.000Z', { exact: false })).toBeVisible()
})

it('hides the console from members, and redirects visitors to the staff sign-in', async () => {
  api.refuse(staffMe, 404, errorCatalogue.NOT_FOUND.message)
  await open()
  await expect.element(page.getByText('This page is for staff')).toBeVisible()
  await open('/staff', {})
  await expect.poll(() => led).toContain('/auth-admin')
})

it('shows incidents and the payout pause under the top bar', async () => {
  const since = new Date().toISOString()
  api
    .reply(staffIncidents, [{ id: 'i1', level: 'amber', text: 'The job mails fails', meaning: 'Mails are late.', since, href: '/staff' }])
    .reply(staffOverview, { ...testOverview([]), paused: { since, why: 'Somebody got in\u202E' } })
  await open('/staff/payouts')
  await expect.poll(() => page.getByRole('alert').element().textContent).toMatch(/paused since .* UTC: Somebody got in⟨U\+202E⟩/)
  await expect.element(page.getByRole('status').filter({ hasText: 'The job mails fails' })).toBeVisible()
  await userEvent.click(page.getByRole('option', { name: /Daniel Osei/ }))
  await expect.element(page.getByRole('button', { name: /Paused/ })).toHaveAttribute('aria-disabled', 'true')
})

it('lets an admin propose the answer to a chain incident', async () => {
  const since = new Date().toISOString()
  api
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'answerChain'] })
    .reply(answerChain, { proposalId: 'c1' })
    .reply(staffIncidents, [
      { id: 'i1', level: 'red', text: 'Money left a hot wallet', meaning: 'Payouts are stopped.', since, answerableId: '7' },
    ])
  await open('/staff/payouts')
  await press('Propose an answer')
  await userEvent.fill(page.getByRole('textbox', { name: 'Reason' }), 'The wallet was emptied and made anew')
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Propose' }))
  const filed = { about: 'incident', id: '7', answer: 'SEEN', reason: 'The wallet was emptied and made anew' }
  await expect.poll(() => api.calls(answerChain).map(({ body }) => body)).toEqual([filed])
})

it('lets an admin propose the credit of a payment to an address without an invoice', async () => {
  const since = new Date().toISOString()
  const [first, second] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
  const unclaimed = { level: 'amber' as const, text: 'Payments to addresses', meaning: 'A member may be waiting.', since }
  api
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'answerChain'] })
    .reply(answerChain, { proposalId: 'c1' })
    .reply(staffIncidents, [
      { ...unclaimed, id: 'i1', answerableId: '7', unclaimedAddresses: [first, second] },
      { ...unclaimed, id: 'i2', answerableId: '8' },
    ])
  await open('/staff/payouts')
  await expect.element(page.getByRole('button', { name: 'Propose an answer' }).nth(1)).toBeVisible()
  expect(page.getByRole('button', { name: 'Propose a credit' }).elements()).toHaveLength(1)
  await press('Propose a credit')
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Address' }), second)
  await userEvent.fill(page.getByRole('textbox', { name: 'Email address of the member' }), ' ada@example.com ')
  await userEvent.fill(page.getByRole('textbox', { name: 'Reason' }), 'The member showed the page')
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Propose' }))
  const body = {
    about: 'incident',
    id: '7',
    answer: 'CREDIT',
    address: second,
    email: 'ada@example.com',
    reason: 'The member showed the page',
  }
  await expect.poll(() => api.calls(answerChain).map((one) => one.body)).toEqual([body])
})

it('finds by any known text, renders it as text, and offers the actions of the role', async () => {
  const hit = { id: 'm1', kind: 'member' as const, text: 'Ifeoma <b>Balogun</b>', detail: 'ifeoma@example.com', href: '/staff/members/m1' }
  api.reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'endMemberSessions'] })
  api.reply(staffSearch, { members: [hit], waiting: [], transfers: [], changes: [] })
  await open('/staff/payouts')
  await expect.element(page.getByText('Daniel Osei')).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.keyboard('balo')
  await expect.element(page.getByRole('option', { name: /^Ifeoma <b>Balogun<\/b>/ })).toBeVisible()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('option', { name: /End all sessions of Ifeoma/ })).toBeVisible()
  expect(page.getByRole('option', { name: /Block/ }).elements()).toHaveLength(0)
})

it('[I14] tells staff, but not a visitor, that the session was ended', async () => {
  api.refuse(staffQueueItem, 401, errorCatalogue.UNAUTHENTICATED.message)
  await open('/staff/payouts')
  await expect.poll(() => led).toEqual(['/auth-admin?ended'])
  expect(localStorage.getItem('tizaraUserToken')).toBeNull()
  expect(sessionStorage.getItem('staff-location')).toMatch(/^\/staff\/payouts/)
  await open('/staff/payouts', {})
  await expect.poll(() => led).toEqual(['/auth-admin?ended', '/auth-admin'])
})

it('returns to the last page after the session ended', async () => {
  await open('/staff/deposits?for=decided', {})
  await expect.poll(() => led).toEqual(['/auth-admin'])
  await open('/staff')
  await expect.poll(() => location.pathname + location.search).toBe('/staff/deposits?for=decided')
  await userEvent.click(page.getByRole('button', { name: /FINANCE until/ }))
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await expect.poll(() => led).toHaveLength(2)
  await open('/staff')
  await expect.poll(() => location.pathname).toBe('/staff/payouts')
})

it('warns a minute before the session ends, and keeps page and text for the next sign-in', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const tick = () => vi.advanceTimersByTimeAsync(5_100)
  api.reply(staffMe, { ...testStaff, idleSeconds: 50 })
  await open('/staff/payouts/p1-daniel')
  await expect.element(page.getByText('Member is active')).toBeVisible()
  await userEvent.fill(page.getByRole('textbox', { name: 'Reason' }), 'Selfie confirmed')
  await tick()
  await expect.element(page.getByText(/the session ends in a minute\. Press any key to stay/)).toBeVisible()
  expect(led).toEqual([])
  api.reply(staffMe, { ...testStaff, endsAt: new Date(Date.now() + 40_000).toISOString() })
  await open('/staff/payouts/p1-daniel')
  await expect.element(page.getByText('Member is active')).toBeVisible()
  await tick()
  await expect.element(page.getByText(/Your text is saved. Please sign in again then/)).toBeVisible()
  api.reply(staffMe, { ...testStaff, idleSeconds: 0 })
  await open('/staff/payouts/p1-daniel')
  await expect.element(page.getByText('Member is active')).toBeVisible()
  await tick()
  await expect.poll(() => led).toEqual(['/auth-admin?ended'])
  expect(localStorage.getItem('tizaraUserToken')).toBeNull()
  api.reply(staffMe, testStaff)
  await open('/staff')
  await expect.poll(() => location.pathname).toBe('/staff/payouts/p1-daniel')
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveValue('Selfie confirmed')
  // Another person at the same desk sees no draft.
  api.reply(staffMe, { ...testStaff, person: { ...testStaff.person, id: 's9' } })
  await open('/staff/payouts/p1-daniel')
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveValue('')
})
