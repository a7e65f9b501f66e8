import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { acknowledge, readCaptcha, watchCaptcha, watchRequests } from './browser-helpers.ts'
import { test } from './fixtures.ts'
import { PASSWORD, signedIn } from './session.ts'
import type { Stack } from './stack.ts'

/** Spanish texts by their English ones. */
const { texts: spanish } = JSON.parse(readFileSync(new URL('../packages/languages/catalogues/es.json', import.meta.url), 'utf8')) as {
  texts: Record<string, string>
}

let stack: Stack
test.beforeAll(({ stack: shared }) => {
  stack = shared
})

test('[RT-02] [RT-07] requests no profile before sign-in, and opens the dashboard afterwards instead of the remembered page', async ({
  page,
}) => {
  const methods: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/profile') && request.resourceType() === 'fetch') methods.push(request.method())
  })
  await watchCaptcha(page)
  await page.goto(`${stack.url}/my-team`)
  await expect(page).toHaveURL(`${stack.url}/`)
  await page.getByLabel('Email').fill('nova@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Captcha', { exact: true }).fill(await readCaptcha(page))
  expect(methods).toEqual([])
  await page.getByRole('button', { name: 'Sign In' }).click()
  await acknowledge(page, 'Login successfull')
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect.poll(() => methods).toEqual(['GET'])
})

test('loads one file of at most 20 kB with all texts of a page when it is opened in another language', async ({ browser }) => {
  const context = await signedIn(browser, stack.url, 'amara', { locale: 'es' })
  const page = await context.newPage()
  const files: string[] = []
  page.on('request', (request) => {
    if (/\/languages\//.test(request.url()) && request.resourceType() === 'fetch') files.push(request.url())
  })
  // One page of each group of texts.
  for (const [path, title, group] of [
    ['/dashboard', spanish['Dashboard'] ?? '', 'arrival'],
    ['/activity', 'Actividad', 'lists'],
    ['/profile', 'Perfil', 'account'],
  ] as const) {
    files.length = 0
    await page.goto(stack.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
    const shown = await page.evaluate(() => document.body.innerText.split('\n').map((line) => line.trim()))
    const untranslated = shown.filter((line) => Object.hasOwn(spanish, line) && spanish[line] !== line)
    expect(untranslated).toEqual([])
    expect(files).toEqual([expect.stringContaining(`/languages/es.${group}.`)])
    const { transferSize = Infinity } = await page.evaluate(() => {
      const [entry] = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/languages/'))
      return { transferSize: (entry as PerformanceResourceTiming | undefined)?.encodedBodySize }
    })
    expect(transferSize).toBeLessThan(20_000)
  }
  // A receipt needs no further file on a page of any group.
  for (const [path, group] of [
    ['/dashboard', 'arrival'],
    ['/activity', 'lists'],
    ['/inbox', 'account'],
  ] as const) {
    files.length = 0
    await page.goto(`${stack.url}${path}`)
    if (path === '/dashboard') await page.goto(`${stack.url}/dashboard?receipt=transfer.0`)
    else await page.locator('main button.w-full, main tbody tr button').first().click()
    await expect(page.getByRole('dialog')).toContainText(spanish['Report a problem'] ?? '')
    expect(new Set(files.map((file) => /languages\/(.*)\.\w+\.json/.exec(file)?.[1]))).toEqual(new Set([`es.${group}`]))
  }
  // A page of another group adds its texts, and the way back requests nothing.
  await page.goto(`${stack.url}/profile`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Perfil')
  files.length = 0
  await page
    .getByRole('link', { name: spanish['Dashboard'] ?? '', exact: true })
    .first()
    .click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect.poll(() => files).toEqual([expect.stringContaining('/languages/es.arrival.')])
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Perfil')
  expect(files).toHaveLength(1)
  await context.close()
})

test('[RT-01] fetches a member’s code and first figures once each, in parallel with the app’s code', async ({ browser }) => {
  const context = await signedIn(browser, stack.url, 'amara')
  const page = await context.newPage()
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname.replace(/-[\w-]{8}\./, '.')))
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/vendor-*', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${stack.url}/dashboard`, { waitUntil: 'commit' })
  const early = ['/assets/frame.js', '/assets/dashboard.screen.js', '/api/v1/profile', '/api/v1/user-wallet', '/api/v1/general-settings']
  await expect.poll(() => early.filter((path) => !paths.includes(path))).toEqual([])
  release()
  await expect(page.getByRole('region', { name: 'Deposit Wallet', exact: true })).toContainText('USD')
  expect(early.map((path) => paths.filter((one) => one === path).length)).toEqual(early.map(() => 1))
  await context.close()
})

test('[GN-01] [GN-30] [RT-01] [RT-03] [UI-LAYOUT-01] changes page and title without loading a document', async ({ browser }) => {
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

test('[RT-50] [UI-PROFILE-01] [UI-LAYOUT-02] fetches the profile’s code when the profile is opened, and shows a spinner meanwhile', async ({
  browser,
}) => {
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
  const settle = watchRequests(page)
  await page.goto(`${stack.url}/support`)
  await settle()
  expect(scripts).toEqual([])
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Profile' }).click()
  await expect(page.getByRole('main').getByText('Loading the page')).toBeAttached()
  arrived()
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  expect(scripts).toHaveLength(1)
  await context.close()
})
