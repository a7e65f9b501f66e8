import { type Browser, type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { acknowledge, readCaptcha, signIn, watchCaptcha, watchRequests } from './browser-helpers.ts'
import { test } from './fixtures.ts'
import { asStaff, memberId, PASSWORD, registerMember, signedIn } from './session.ts'
import type { Stack } from './stack.ts'

let stack: Stack
test.beforeAll(({ stack: shared }) => {
  stack = shared
})

const contexts: BrowserContext[] = []
test.afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())))

async function contextOf(browser: Browser, name: string, options: Parameters<typeof signedIn>[3] = {}): Promise<BrowserContext> {
  const context = await signedIn(browser, stack.url, name, options)
  contexts.push(context)
  return context
}

/** Opens a page as a member. */
async function open(browser: Browser, name: string, path: string, options: Parameters<typeof signedIn>[3] = {}): Promise<Page> {
  const page = await (await contextOf(browser, name, options)).newPage()
  await page.goto(stack.url + path)
  return page
}

const extended = { tag: '@extended' }

const stored = (page: Page): Promise<Record<string, string>> => page.evaluate(() => ({ ...localStorage }))
const entryOf = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name, exact: true })

test(
  '[UI-SIDEBAR-31] [UI-SIDEBAR-32] [UI-TOPBAR-01] [RO-09] [RO-15] shows rank, special badge and their menu items only to members who have them',
  extended,
  async ({ browser }) => {
    const special = await open(browser, 'rafael', '/support')
    await expect(special.getByRole('banner').getByText('Special Member', { exact: true }).first()).toBeVisible()
    await expect(entryOf(special, 'Special Rcm')).toBeVisible()
    await expect(entryOf(special, 'Rank Bonus')).toHaveCount(0)
    const ranked = await open(browser, 'amara', '/support')
    await expect(entryOf(ranked, 'Rank Bonus')).toBeVisible()
    await expect(entryOf(ranked, 'Special Rcm')).toHaveCount(0)
    const profile = (await (
      await ranked.request.get(`${stack.url}/api/v1/profile`, {
        headers: { authorization: (await stored(ranked))['tizaraUserToken'] ?? '' },
      })
    ).json()) as {
      data: { rank: string }
    }
    expect(profile.data.rank).not.toBe('')
    await expect(ranked.getByRole('banner').getByText(profile.data.rank.toUpperCase(), { exact: true }).first()).toBeVisible()
    await expect(ranked.getByText('Special Member')).toHaveCount(0)
  },
)

test('[UI-TOPBAR-04] [ST-30] [ST-31] [ST-32] [BR-07] switches between light and dark, and keeps the choice after a reload', async ({
  browser,
}) => {
  const page = await open(browser, 'nova', '/support')
  const body = page.locator('body')
  await page.getByRole('button', { name: 'Switch to dark theme' }).click()
  await expect(body).toHaveClass(/\bdark\b/)
  expect((await stored(page))['color-theme']).toBe('dark')
  await page.reload()
  await expect(body).toHaveClass(/\bdark\b/)
  await page.getByRole('button', { name: 'Switch to light theme' }).click()
  await expect(body).not.toHaveClass(/\bdark\b/)
  expect((await stored(page))['color-theme']).toBe('light')
  // The prerendered sign-in page has its own theme switch, which works before member code loads.
  const visitor = await browser.newContext()
  contexts.push(visitor)
  const door = await visitor.newPage()
  await door.goto(stack.url)
  await door.getByRole('button', { name: 'Switch to dark theme' }).click()
  await expect(door.locator('body')).toHaveClass(/\bdark\b/)
  await expect(door.getByRole('heading', { name: 'Sign In' })).toBeVisible()
})

test('[ST-19] [ST-20] [ST-21] [ST-22] [BR-13] logs out: calls the server, clears the session, keeps theme and sidebar, opens `/`', async ({
  browser,
}) => {
  const page = await open(browser, 'nova', '/support', {
    stored: { popupShown: 'true', 'color-theme': 'dark', 'sidebar-expanded': 'false' },
  })
  const token = (await stored(page))['tizaraUserToken']
  await page.getByRole('button', { name: 'Profile menu' }).click()
  const text = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/auth/log-out'))
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  expect((await text).headers()['authorization']).toContain(token)
  await expect(page).toHaveURL(`${stack.url}/`)
  expect(await stored(page)).toEqual({ 'color-theme': 'dark', 'sidebar-expanded': 'false' })
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  const after = await page.request.get(`${stack.url}/api/v1/profile`, { headers: { authorization: token ?? '' } })
  expect(after.status()).toBe(401)
  await page.goBack()
  await expect(page).toHaveURL(`${stack.url}/`)
})

test('[ST-03] [ST-04] [ST-34] [UI-SIGNIN-11] [UI-SIGNIN-13] restricts an unverified member to the sign-in, sign-up and code pages', async ({
  browser,
}) => {
  const context = await browser.newContext()
  contexts.push(context)
  const page = await context.newPage()
  await watchCaptcha(page)
  await signIn(page, stack.url, await registerMember(stack, { isVerified: false }), PASSWORD)
  await acknowledge(page, 'You are not verified Please varfied email')
  await expect(page).toHaveURL(/\/verify-token$/)
  expect(await stored(page)).toMatchObject({ popupShown: 'true', userStatus: 'false' })
  for (const path of ['/dashboard', '/support', '/auth/forgot-password', '/pay/success']) {
    await page.goto(stack.url + path)
    await expect(page, path).toHaveURL(`${stack.url}/`)
    await expect(page.getByRole('heading', { name: 'Sign In' }), path).toBeVisible()
  }
  for (const [path, title] of [
    ['/verify-token', 'OTP Verification'],
    ['/auth/signup', 'Sign Up'],
    ['/auth/verify?token=none', 'Verify Email'],
  ] as const) {
    const profile = page.waitForResponse((response) => response.url().endsWith('/profile'))
    await page.goto(stack.url + path)
    await profile
    await expect(page).toHaveTitle(title)
    await expect(page).toHaveURL(stack.url + path)
  }
})

test('[ST-35] [RO-08] [ER-01] [GN-08] logs out a member when staff block the account, and rejects the next sign-in', async ({
  browser,
}) => {
  const page = await open(browser, 'hugo', '/support')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const admin = await asStaff(stack.url, 'admin')
  await admin('POST', `/staff/members/${await memberId(admin, 'hugo')}/status`, { data: { status: false, reason: 'requested by a test' } })
  await page.reload()
  await expect(page).toHaveURL(`${stack.url}/`)
  expect(await stored(page)).not.toHaveProperty('tizaraUserToken')
  await watchCaptcha(page)
  await signIn(page, stack.url, 'hugo@example.com', PASSWORD)
  const box = page.getByRole('alertdialog')
  await expect(box.getByRole('heading', { name: 'Error', exact: true })).toBeVisible()
  await expect(box).toContainText('Your account is blocked')
  await box.getByRole('button', { name: 'OK' }).click()
  await page.getByLabel('Email').fill('nova@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not-her-password')
  await page.getByLabel('Captcha', { exact: true }).fill(await readCaptcha(page))
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(box).toContainText('Invalid email or password')
})

test(
  '[ST-59] [ST-60] [UI-DASH-47] [UI-M-ANNOUNCE-01] [GN-28] announces once, two seconds after load, when the flag is set to any value',
  extended,
  async ({ browser }) => {
    const context = await signedIn(browser, stack.url, 'nova', { stored: { popupShown: 'some value' } })
    contexts.push(context)
    const page = await context.newPage()
    const settle = watchRequests(page)
    await page.clock.install()
    await page.goto(`${stack.url}/dashboard`)
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    const popup = page.getByRole('alertdialog', { name: 'Welcome to the demo' })
    expect(await page.evaluate(() => performance.now() < 2000 || document.querySelector('[role=alertdialog][open]') !== null)).toBe(true)
    await page.clock.fastForward(2000)
    await expect(popup).toContainText('Everything here is play money.')
    await popup.getByRole('button', { name: 'Close' }).click()
    await expect(popup).toBeHidden()
    expect(await stored(page)).not.toHaveProperty('popupShown')
    await page.reload()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await settle()
    await page.clock.fastForward(10_000)
    await expect(popup).toBeHidden()
  },
)

test('shows a page when the network returns after its code failed to load', async ({ browser }) => {
  const page = await (await contextOf(browser, 'bruno')).newPage()
  const settle = watchRequests(page)
  await page.goto(`${stack.url}/history/Ico-wallet`)
  await settle()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'My Team Stake', exact: true }).click()
  await expect(page.getByText('This page could not be shown')).toBeVisible()
  await expect(page.getByText("You're offline.", { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('This page could not be shown')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'My Team' })).toBeVisible()
  await expect(page.getByText("You're offline.", { exact: false })).toBeHidden()
})
