/**
 * `npm run pictures`: takes the screenshots of the README again. It starts the built product on demo data, and captures the demo leader's dashboard
 * and a withdrawal in the console. `npm run pictures -- FOLDER [STATE…]` instead captures every visitor and member page in these states; `staff`
 * captures the console. Widths are 390 and 1440 px.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { memberRoutes, publicRoutes } from '../apps/web/src/app/page-routes.ts'
import { settled } from './page-figures.ts'
import { enteredAsStaff, signedIn } from './session.ts'
import { startStack } from './stack.ts'
import { browserArgs, findBrowser } from '../test/browser.ts'

const THEMES = ['light', 'dark'] as const
const WIDTHS = { 390: 844, 1440: 900 }
/** Maximum height of a screenshot in pixels; longer lists only repeat. */
const MAX_HEIGHT = 2_400

/** Each state's account and network behaviour; profile calls always succeed. */
const STATES: Readonly<Record<string, { who?: string; calls?: 'refused' | 'pending' | 'offline' }>> = {
  visitor: {},
  history: { who: 'amara' },
  newcomer: { who: 'nova' },
  refused: { who: 'amara', calls: 'refused' },
  slow: { who: 'amara', calls: 'pending' },
  offline: { who: 'amara', calls: 'offline' },
  staff: {},
}

async function readme(browser: Browser, url: string): Promise<void> {
  const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const options = { viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce', locale: 'en-GB' } as const
  const context = await signedIn(browser, url, 'amara', { ...options, stored: { 'color-theme': 'light' } })
  const dashboard = await context.newPage()
  await dashboard.goto(`${url}/dashboard`)
  await settled(dashboard)
  await take(dashboard, `${folder}dashboard.webp`, { format: 'webp', quality: 82 })
  await context.close()
  const page = await enteredAsStaff(browser, url, 'admin')
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.goto(`${url}/staff/payouts`)
  await settled(page)
  await page.getByRole('listbox').getByRole('option').first().click()
  await settled(page)
  await take(page, `${folder}console.webp`, { format: 'webp', quality: 82 })
  await page.context().close()
}

/** One DevTools session per page, kept open: closing it would end the offline mode. */
const devtools = new WeakMap<Page, Promise<CDPSession>>()

/** Uses the DevTools protocol, which does not wait and supports webp. */
async function take(page: Page, file: string, how: { format: 'webp' | 'png'; quality?: number }): Promise<void> {
  const session = devtools.get(page) ?? page.context().newCDPSession(page)
  devtools.set(page, session)
  const { data } = await (await session).send('Page.captureScreenshot', how)
  writeFileSync(file, Buffer.from(data, 'base64'))
}

/** Opens a page; offline, navigates inside the loaded app. */
async function arrive(page: Page, url: string, path: string, calls: string | undefined): Promise<void> {
  if (calls !== 'offline') {
    await page.goto(url + path)
    // Without answers, loading indicators may stay.
    return calls === undefined ? settled(page) : page.waitForTimeout(3_000)
  }
  // An offline page reloads once the network returns.
  await page.goto('about:blank')
  await page.context().setOffline(false)
  await page.goto(`${url}/pay/success`)
  await settled(page)
  await page.context().setOffline(true)
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.waitForTimeout(1_000)
}

async function photograph(page: Page, name: string): Promise<void> {
  await page.addStyleTag({ content: '*, *::before, *::after { transition: none !important }' }).catch(() => undefined)
  for (const [width, height] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width: Number(width), height })
    const whole = await page.evaluate(() => document.documentElement.scrollHeight)
    // Full height also renders content that loads near the window.
    await page.setViewportSize({ width: Number(width), height: Math.min(Math.max(whole, height), MAX_HEIGHT) })
    await page.waitForTimeout(300)
    for (const theme of THEMES) {
      await page.evaluate((chosen) => {
        localStorage.setItem('color-theme', chosen)
        dispatchEvent(new StorageEvent('storage'))
      }, theme)
      await page.waitForTimeout(100)
      await take(page, `${name}-${width}-${theme}.png`, { format: 'png' })
    }
  }
}

/** Captures every page in one state with one session. */
async function visit(browser: Browser, url: string, state: string, folder: string): Promise<void> {
  const { who, calls } = STATES[state] ?? {}
  const options = { reducedMotion: 'reduce', locale: 'en-GB', bypassCSP: true } as const
  const context = who === undefined ? await browser.newContext(options) : await signedIn(browser, url, who, options)
  const page = await context.newPage()
  const paths = who === undefined ? publicRoutes.map(({ path }) => path) : await pagePathsOf(page, url)
  if (calls === 'refused' || calls === 'pending')
    await page.route(/\/api\/v1\/(?!profile$|app-config)/, (route) => {
      // A pending call gets no response.
      return calls === 'refused' ? route.fulfill({ status: 503, headers: { 'retry-after': '2' }, body: '{}' }) : undefined
    })
  for (const path of paths) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await arrive(page, url, path, calls)
    await photograph(page, `${folder}/${state}-${path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'sign-in'}`)
  }
  await context.close()
}

/** Captures each page in the console menu, and the first row in its lists. */
async function visitConsole(browser: Browser, url: string, who: string, folder: string): Promise<void> {
  const page = await enteredAsStaff(browser, url, who)
  await settled(page)
  const paths = await page.getByRole('navigation', { name: 'Views' }).first().getByRole('link').evaluateAll(pathsOf)
  for (const path of paths) {
    const name = `${folder}/staff-${
      path
        .replace(/\W+/g, '-')
        .replace(/^-|-$/g, '')
        .replace(/^staff-?/, '') || 'overview'
    }`
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(url + path)
    await settled(page)
    await photograph(page, name)
    await page.setViewportSize({ width: 1440, height: 900 })
    const row = page.locator('main').locator('[role=option], tbody a').first()
    if ((await row.count()) === 0) continue
    await row.click()
    await settled(page)
    await photograph(page, `${name}-open`)
  }
  await page.context().close()
}

const pathsOf = (links: Element[]): string[] => links.map((link) => link.getAttribute('href') ?? '/staff')

/** Returns every member page, with one of their tickets for the id. */
async function pagePathsOf(page: Page, url: string): Promise<string[]> {
  await page.goto(`${url}/support`)
  await settled(page)
  const ticket = await page.evaluate(() => document.querySelector('a[href^="/ticket/show/"]')?.getAttribute('href'))
  return memberRoutes.map(({ path }) => (path.includes(':id') ? (ticket ?? '/ticket/show/none') : path))
}

const [folder, ...states] = readArguments(import.meta.url, {}, ['', 'FOLDER…']).positionals
const unknown = states.find((state) => !Object.hasOwn(STATES, state))
if (unknown !== undefined) {
  console.error(`There is no state ${unknown}: ${Object.keys(STATES).join(', ')}`)
  process.exit(2)
}
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
const stack = await startStack('embedded', 'fresh', { STAFF_SECOND_FACTOR: 'off' })
const browser = await chromium.launch({ executablePath: await findBrowser(), args: browserArgs })
try {
  if (folder === undefined) await readme(browser, stack.url)
  else {
    mkdirSync(folder, { recursive: true })
    for (const state of states.length > 0 ? states : Object.keys(STATES))
      await (state === 'staff' ? visitConsole(browser, stack.url, 'admin', folder) : visit(browser, stack.url, state, folder))
  }
} finally {
  await stack.stop(browser)
  await browser.close()
}
