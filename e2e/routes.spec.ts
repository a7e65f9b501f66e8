import { expect, test } from '@playwright/test'
import { acknowledge, readCaptcha, watchCaptcha } from './browser-helpers.ts'
import { accessibilityFaults, PASSWORD, signedIn } from './session.ts'
import { type Stack, startStack } from './stack.ts'

let stack: Stack
test.beforeAll(async () => {
  test.setTimeout(180_000)
  stack = await startStack('embedded')
})
test.afterAll(({ browser }) => stack.stop(browser))

test('[RT-02] [RT-07] asks for no profile before sign-in, and goes to the dashboard after it, not to the remembered place', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/profile') && request.resourceType() === 'fetch') asked.push(request.method())
  })
  await watchCaptcha(page)
  await page.goto(`${stack.url}/my-team`)
  await expect(page).toHaveURL(`${stack.url}/`)
  await page.getByLabel('Email').fill('nova@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Captcha', { exact: true }).fill(await readCaptcha(page))
  expect(asked).toEqual([])
  await page.getByRole('button', { name: 'Sign In' }).click()
  await acknowledge(page, 'Login successfull')
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect.poll(() => asked).toEqual(['GET'])
})

test('[RT-01] fetches a member’s code and first figures beside the app’s own code, and each only once', async ({ browser }) => {
  const context = await signedIn(browser, stack.url, 'amara')
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace(/-[\w-]{8}\./, '.')))
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/vendor-*', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${stack.url}/dashboard`, { waitUntil: 'commit' })
  const early = ['/assets/frame.js', '/assets/dashboard.screen.js', '/api/v1/profile', '/api/v1/user-wallet', '/api/v1/general-settings']
  await expect.poll(() => early.filter((path) => !asked.includes(path))).toEqual([])
  release()
  await expect(page.getByRole('region', { name: 'Deposit Wallet', exact: true })).toContainText('USD')
  expect(early.map((path) => asked.filter((one) => one === path).length)).toEqual(early.map(() => 1))
  await context.close()
})

test('[RT-24] [RT-42] [RT-58] [RT-60] shows the not-found view at any other path, to visitors and members', async ({ browser }) => {
  const wrong = ['/nowhere', '/store-nft/nft-history', '/history/ico-wallet', '/dashboard/extra', '/ticket/show', '/Dashboard']
  const visitor = await browser.newContext()
  const member = await signedIn(browser, stack.url, 'nova')
  for (const context of [visitor, member]) {
    const page = await context.newPage()
    const faults: string[] = []
    for (const path of wrong) {
      await page.goto(stack.url + path)
      await page.getByRole('heading', { name: 'Page not found', exact: true }).waitFor()
      if (new URL(page.url()).pathname !== path) faults.push(`${path} went to ${page.url()}`)
      if (!(await page.getByText('404', { exact: true }).isVisible())) faults.push(`${path} has no 404`)
    }
    expect(faults).toEqual([])
    expect(await accessibilityFaults(page)).toEqual([])
    await expect(page.getByRole('main').getByRole('link')).toHaveAttribute('href', '/')
    await context.close()
  }
})

test('[GN-01] [GN-30] [RT-01] [RT-03] [UI-LAYOUT-01] moves between places without a new page and renames the document each time', async ({
  browser,
}) => {
  const context = await signedIn(browser, stack.url, 'amara')
  const page = await context.newPage()
  const profile = page.waitForRequest((request) => request.method() === 'GET' && request.url().endsWith('/api/v1/profile'))
  await page.goto(`${stack.url}/dashboard`)
  await profile
  await page.evaluate(() => document.body.setAttribute('data-same-page', 'yes'))
  const nav = page.getByRole('navigation', { name: 'Main menu' })
  for (const [link, title] of [
    ['Stake Now', 'Stake Now'],
    ['Stake History', 'My Staked'],
    ['My Referrals', 'My Referrals'],
  ] as const) {
    await nav.getByRole('link', { name: link, exact: true }).click()
    await expect(page).toHaveTitle(title)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }
  await page.goBack()
  await expect(page).toHaveTitle('My Staked')
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.locator('body')).toHaveAttribute('data-same-page', 'yes')
  await context.close()
})

test('[RT-50] [UI-PROFILE-01] [UI-LAYOUT-02] fetches the profile’s code when it is opened, under a spinner', async ({ browser }) => {
  const context = await signedIn(browser, stack.url, 'nova')
  const page = await context.newPage()
  let arrived: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const scripts: string[] = []
  await page.route(/\/assets\/profile\.screen[^/]*\.js$/, async (route) => {
    scripts.push(route.request().url())
    await held
    await route.continue()
  })
  await page.goto(`${stack.url}/support`)
  await page.waitForLoadState('networkidle')
  expect(scripts).toEqual([])
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Profile' }).click()
  await expect(page.getByRole('main').getByText('Loading the page')).toBeAttached()
  arrived()
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  expect(scripts).toHaveLength(1)
  await context.close()
})

test('[UI-PLACEHOLDER-01] [UI-PLACEHOLDER-02] [UI-PLACEHOLDER-03] [UI-PLACEHOLDER-04] shows three sample rows under each placeholder’s name', async ({
  browser,
}) => {
  const context = await signedIn(browser, stack.url, 'nova')
  const page = await context.newPage()
  for (const [path, title] of [
    ['/history/deposit-wallet', 'Deposit Wallet'],
    ['/history/Ico-wallet', 'ICO Wallet'],
    ['/history/native-wallet', 'Native Wallet'],
  ] as const) {
    await page.goto(stack.url + path)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByText('Sample data')).toBeVisible()
    await expect(page.getByRole('columnheader')).toHaveText(['SL NO', 'Date', 'Amount', 'Details'])
    await expect(page.getByRole('table').getByRole('row')).toHaveCount(4)
  }
  await context.close()
})

test('[UI-PAY-01] [UI-PAY-02] says Payment Success on both payment pages, with HOME to `/`', async ({ page }) => {
  for (const path of ['/pay/success', '/pay/cancel']) {
    await page.goto(stack.url + path)
    await expect(page.getByRole('heading', { name: 'Payment Success', exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'HOME', exact: true }).click()
    await expect(page).toHaveURL(`${stack.url}/`)
  }
})
