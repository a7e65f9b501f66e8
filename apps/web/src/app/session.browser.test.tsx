import { logOut, refreshToken } from '@tizara/contract/auth'
import { profile } from '@tizara/contract/members'
import { userWallet } from '@tizara/contract/wallets'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { memberApi, testBalances, testMember } from '../test/member-api.ts'
import { createScreens } from './screens.tsx'
import { start } from './start.tsx'
import { openApp, press, signedIn } from '../test/open-app.tsx'

let api: FakeApi
const unverified = { tizaraUserToken: 'token', accessToken: 'token', userStatus: 'false' }

beforeEach(() => {
  api = memberApi().reply(logOut, null)
})

afterEach(() => {
  document.body.classList.remove('dark')
})

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const menuButton = () => page.getByRole('button', { name: 'Profile menu', exact: false })

it('[ST-01] [BR-03] shows a member page only with a user token', async () => {
  await openApp('/profile', { accessToken: 'token' })
  await expect.element(heading('Sign In')).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/')
  expect(api.calls(profile)).toHaveLength(0)
})

it('[ST-01] [BR-03] [GN-30] [GN-31] [UI-PROFILE-01] shows the page and its title when a token is stored', async () => {
  await openApp('/profile', { tizaraUserToken: 'token' })
  await expect.element(heading('Profile')).toBeVisible()
  await expect.poll(() => document.title).toBe('Profile')
  expect(api.calls(profile)[0]?.headers.get('Authorization')).toBe('token')
})

it('[ST-33] opens and closes the profile menu', async () => {
  await openApp('/profile', signedIn)
  const item = page.getByRole('menuitem', { name: 'Log Out', exact: true })
  await expect.element(menuButton()).toHaveAttribute('aria-expanded', 'false')
  await menuButton().click()
  await expect.element(item).toBeVisible()
  await expect.element(menuButton()).toHaveAttribute('aria-expanded', 'true')
  await userEvent.keyboard('{Escape}')
  await expect.element(menuButton()).toHaveAttribute('aria-expanded', 'false')
  await expect.element(item).not.toBeInTheDocument()
})

it('[ST-19] [ST-20] [ST-21] [ST-23] [BR-04] logs out from the menu', async () => {
  await openApp('/profile', { ...signedIn, popupShown: 'true', 'color-theme': 'dark', 'sidebar-expanded': 'false' })
  await menuButton().click()
  await page.getByRole('menuitem', { name: 'Log Out', exact: true }).click()
  await expect.element(heading('Sign In')).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/')
  await expect.poll(() => api.calls(logOut).map(({ headers }) => headers.get('Authorization'))).toEqual(['token'])
  expect({ ...localStorage }).toEqual({ 'color-theme': 'dark', 'sidebar-expanded': 'false' })
})

it('[ST-16] [ER-05] opens the sign-in page with the reason when a call is answered with 401', async () => {
  api.refuse(profile, 401, 'No')
  await openApp('/profile', signedIn)
  await expect.element(heading('Sign In')).toBeVisible()
  await expect.element(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  expect(localStorage.getItem('tizaraUserToken')).toBeNull()
})

it('[ST-12] [ST-13] [ST-14] [ER-04] refreshes the token once when several calls of a page are rejected', async () => {
  const either = (data: unknown) => (seen: { headers: Headers }) =>
    seen.headers.get('Authorization') === 'fresh'
      ? Response.json({ success: true, statusCode: 200, message: '', data })
      : Response.json({ success: false, statusCode: 403, message: 'No' }, { status: 403 })
  api.on(profile, either(testMember)).on(userWallet, either(testBalances)).reply(refreshToken, { accessToken: 'fresh' })
  await openApp('/dashboard', signedIn)
  await expect.element(page.getByText('Welcome back, Amara Obi.')).toBeVisible()
  await expect.poll(() => api.calls(userWallet).map(({ headers }) => headers.get('Authorization'))).toContain('fresh')
  expect(api.calls(profile)[0]?.headers.get('Authorization')).toBe('token')
  expect(api.calls(refreshToken)).toHaveLength(1)
})

it('[ST-35] [RO-08] logs out a blocked member', async () => {
  api.reply(profile, { ...testMember, status: false })
  await openApp('/profile', signedIn)
  await expect.poll(() => api.calls(logOut).length).toBe(1)
  await expect.element(heading('Sign In')).toBeVisible()
  expect(localStorage.getItem('tizaraUserToken')).toBeNull()
})

for (const path of ['/profile', '/auth/forgot-password', '/auth-admin', '/pay/success']) {
  it(`[ST-34] [RO-07] redirects an unverified member from ${path} to the sign-in page`, async () => {
    api.reply(profile, { ...testMember, isVerified: false })
    await openApp(path, unverified)
    await expect.poll(() => location.pathname).toBe('/')
    await expect.element(heading('Sign In')).toBeVisible()
    expect(localStorage.getItem('tizaraUserToken')).toBe('token')
  })
}

for (const [path, title] of [
  ['/verify-token', 'OTP Verification'],
  ['/auth/signup', 'Sign Up to Tizara'],
  ['/auth/verify', 'Verify Email'],
] as const) {
  it(`[ST-34] [ST-36] [RO-07] keeps an unverified member at ${path}`, async () => {
    api.reply(profile, { ...testMember, isVerified: false })
    await openApp(path, unverified)
    await expect.poll(() => api.calls(profile).length).toBe(1)
    await expect.element(heading(title)).toBeVisible()
    await new Promise((resolve) => setTimeout(resolve, 100))
    await expect.poll(() => location.pathname).toBe(path)
  })
}

for (const [given, status] of [
  [{}, 'true'],
  [{ isVerified: false }, 'false'],
] as const) {
  it(`[BR-05] [BR-06] keeps userStatus ${status} after every profile`, async () => {
    api.reply(profile, { ...testMember, ...given })
    await openApp('/verify-token', { tizaraUserToken: 'token' })
    await expect.poll(() => localStorage.getItem('userStatus')).toBe(status)
  })
}

it('[ST-30] [ST-31] [BR-07] [CO-09] switches from light to dark with a class of the body, and stores the theme', async () => {
  await openApp('/profile', signedIn)
  await expect.element(page.getByRole('button', { name: 'Switch to dark theme' })).toBeVisible()
  expect(document.body.classList.contains('dark')).toBe(false)
  const { followTheme } = await import('./theme.ts')
  const stop = followTheme()
  await press('Switch to dark theme')
  expect(document.body.classList.contains('dark')).toBe(true)
  expect(localStorage.getItem('color-theme')).toBe('dark')
  await press('Switch to light theme')
  expect(document.body.classList.contains('dark')).toBe(false)
  expect(localStorage.getItem('color-theme')).toBe('light')
  stop()
})

for (const [chosen, dark] of [
  ['dark', true],
  ['light', false],
  ['odd', false],
] as const) {
  it(`[ST-32] [BR-07] starts with the stored theme: ${chosen}`, async () => {
    document.body.classList.toggle('dark', !dark)
    localStorage.clear()
    localStorage.setItem('color-theme', chosen)
    history.replaceState(null, '', '/pay/success')
    const root = document.createElement('div')
    root.id = 'root'
    document.body.append(root)
    start(createScreens())
    await expect.element(page.getByRole('heading', { name: 'Payment Success' })).toBeVisible()
    expect(document.body.classList.contains('dark')).toBe(dark)
    root.remove()
  })
}

it('[BR-08] [BR-09] stores the state of the sidebar as sidebar-expanded', async () => {
  const screen = await openApp('/profile', signedIn)
  await press('Collapse sidebar')
  expect(localStorage.getItem('sidebar-expanded')).toBe('false')
  await screen.unmount()
  await openApp('/profile', { ...signedIn, 'sidebar-expanded': 'false' })
  await press('Expand sidebar')
  expect(localStorage.getItem('sidebar-expanded')).toBe('true')
})

it('[BR-13] stores no data of the member in the browser', async () => {
  await openApp('/dashboard', { ...signedIn, 'color-theme': 'light' })
  await expect.element(heading('Dashboard')).toBeVisible()
  await expect.element(page.getByText('Welcome back, Amara Obi.')).toBeVisible()
  await expect.poll(() => api.calls(userWallet).length).toBeGreaterThan(0)
  expect(Object.keys(localStorage).toSorted()).toEqual(['accessToken', 'color-theme', 'tizaraUserToken', 'userStatus'])
  expect({ ...sessionStorage }).toEqual({})
})
