import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { memberRoutes, publicRoutes } from '../apps/web/src/app/page-routes.ts'
import { complaints } from './browser-helpers.ts'
import { accessibilityViolations, approveWaiting, asStaff, enteredAsStaff, PASSWORD, sidewaysScroll, signedIn } from './session.ts'
import { type Stack, startStack } from './stack.ts'

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="30" fill="#d81b60"/></svg>'
const DARK_LOGO = LOGO.replace('#d81b60', '#ff8ab5')
/** Pages that are checked in both themes, with axe. */
const PUBLIC = ['/auth/signup', '/auth/forgot-password', '/about', '/auth-admin', '/trust', '/pay/success', '/nowhere']
const MEMBER = ['/profile', '/stack-coin', '/activity', '/support', '/earnings', '/inbox']

const PAGES = join(import.meta.dirname, '../apps/web/src/console/pages')
/** All pages of the console. */
const CONSOLE = globSync('*/page.ts', { cwd: PAGES }).map((file) => {
  const [, name = ''] = /name: '([^']*)'/.exec(readFileSync(join(PAGES, file), 'utf8')) ?? []
  return `/staff/${name}`
})

let stack: Stack
test.beforeAll(async () => {
  stack = await startStack('embedded', 'seeded', { STAFF_SECOND_FACTOR: 'off', TOKEN_SYMBOL: 'CRL' })
  expect(await (await fetch(stack.url)).text()).toContain('<title>Tizara</title>')
  await decideBrand()
})
test.afterAll(({ browser }) => stack.stop(browser))

/** Uploads a logo as an admin. */
async function upload(svg: string): Promise<string> {
  const login = await fetch(`${stack.url}/api/v1/auth/user-login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@example.com', password: PASSWORD }),
  })
  const { data } = (await login.json()) as { data: { token: string } }
  const body = new FormData()
  body.append('image', new Blob([svg], { type: 'image/svg+xml' }), 'logo.svg')
  const reply = await fetch(`${stack.url}/api/v1/staff/brand/logo`, { method: 'POST', headers: { authorization: data.token }, body })
  return ((await reply.json()) as { data: { hash: string } }).data.hash
}

/** Decides a brand as two admins, and waits until pages have it. */
async function decideBrand(): Promise<void> {
  const admin = await asStaff(stack.url, 'admin')
  const [logo, logoDark] = [await upload(LOGO), await upload(DARK_LOGO)]
  const links = { terms: 'https://coral.example/terms', imprint: 'https://coral.example/imprint' }
  const value = { name: 'Coral', accent: '#ffd400', logo, logoDark, ...links }
  await admin('POST', '/staff/changes', { data: { subject: 'brand', value, reason: 'our name' } })
  await approveWaiting(stack.url)
  await expect.poll(async () => (await fetch(stack.url)).text()).toContain('<title>Coral</title>')
}

/**
 * Returns the texts and attributes of a page that name the product. Commands and services of a release keep its name, and the proposal of
 * the brand shows the name before it.
 */
const productIn = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      document.title,
      document.body.innerText,
      ...[...document.querySelectorAll('*')].flatMap((one) =>
        ['aria-label', 'title', 'alt', 'placeholder', 'content'].flatMap((name) => one.getAttribute(name) ?? []),
      ),
    ].flatMap((text) => /.{0,40}tizara.{0,40}/i.exec(text.replaceAll(/\btizara[ -](?=[a-z])|Brand: Tizara → Coral/g, ''))?.[0] ?? []),
  )

/** Opens a page, and returns what shows the product on it: its name, its mark, its letter or its icon. */
async function productOn(page: Page, path: string): Promise<string[]> {
  const problems: string[] = []
  await page.goto(stack.url + path)
  await page.getByRole('heading').first().waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  for (const image of await page.locator('.brand-mark').evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundImage)))
    if (!image.includes('/brand/')) problems.push('has the mark of the product')
  const letters = page.locator('.brand-mark > *, .brand-letter')
  if (await letters.evaluateAll((all) => all.some((one) => one.checkVisibility()))) problems.push('has the letter of the product')
  const icons = await page.locator('link[rel*=icon]').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  if (icons.some((icon) => !icon.startsWith('/brand/'))) problems.push('has the icon of the product')
  return [...problems, ...(await productIn(page))].map((problem) => `${path}: ${problem}`)
}

/** Returns the defects of a page, in both themes. */
async function problemsOf(page: Page, path: string): Promise<string[]> {
  const problems: string[] = []
  const found = complaints(page)
  for (const theme of ['light', 'dark']) {
    await page.addInitScript((chosen) => localStorage.setItem('color-theme', chosen), theme)
    for (const problem of await productOn(page, path)) problems.push(`${theme} ${problem}`)
    for (const violation of await accessibilityViolations(page)) problems.push(`${path} ${theme}: ${violation}`)
    if ((await sidewaysScroll(page)) > 0) problems.push(`${path} ${theme}: scrolls sideways`)
  }
  return [...problems, ...found.map((text) => `${path}: ${text}`)]
}

async function crawl(browser: Browser, name: string | undefined, paths: readonly string[]): Promise<string[]> {
  const options = { viewport: { width: 390, height: 844 } }
  const context = name === undefined ? await browser.newContext(options) : await signedIn(browser, stack.url, name, options)
  const problems: string[] = []
  for (const path of paths) {
    const page = await context.newPage()
    problems.push(...(await problemsOf(page, path)))
    await page.close()
  }
  await context.close()
  return problems
}

test('[GN-27] shows another name, logo and accent, without the name of the product', async ({ browser, page }) => {
  await page.goto(stack.url)
  await expect(page.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', 'https://coral.example/terms')
  const button = page.getByRole('button', { name: 'Sign In' })
  // The nearest colour with enough contrast to the page.
  await expect(button).toHaveCSS('background-color', /^rgb\(16[0-9], 13[0-9], 0\)$/)
  await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', /^\/brand\/[0-9a-f]{64}-96\.png$/)
  const manifest = await page.request.get(`${stack.url}/brand/app.webmanifest`)
  expect(await manifest.json()).toMatchObject({ name: 'Coral' })
  expect(await crawl(browser, undefined, ['/'])).toEqual([])
  expect(await crawl(browser, 'amara', ['/dashboard'])).toEqual([])
})

test('[GN-27] has colours with enough contrast and the own logo in both themes', { tag: '@extended' }, async ({ browser }) => {
  expect(await crawl(browser, undefined, PUBLIC)).toEqual([])
  expect(await crawl(browser, 'amara', MEMBER)).toEqual([])
  const console = await enteredAsStaff(browser, stack.url, 'admin')
  for (const path of ['/staff', '/staff/brand']) expect(await problemsOf(console, path)).toEqual([])
  await console.context().close()
})

test('[GN-27] shows neither name nor mark of the product on any page', { tag: '@extended' }, async ({ browser }) => {
  test.setTimeout(600_000)
  const problems: string[] = []
  const crawlAll = async (page: Page, paths: readonly string[]): Promise<void> => {
    for (const path of paths) problems.push(...(await productOn(page, path)))
    await page.context().close()
  }
  await crawlAll(await (await browser.newContext()).newPage(), [...publicRoutes.map((route) => route.path), '/nowhere'])
  await crawlAll(
    await (await signedIn(browser, stack.url, 'amara')).newPage(),
    memberRoutes.map((route) => route.path.replace(':id', '1')),
  )
  expect(CONSOLE.length).toBeGreaterThan(20)
  await crawlAll(await enteredAsStaff(browser, stack.url, 'admin'), CONSOLE)
  for (const path of ['/', '/dashboard', '/staff', '/nowhere', '/assets/nowhere.js', '/api/v1/nowhere', '/brand/app.webmanifest'])
    if (/Tizara/.test(await (await fetch(stack.url + path)).text())) problems.push(`${path}: names the product in its source`)
  expect(problems).toEqual([])
})
