import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { watchRequests } from './browser-helpers.ts'
import { PASSWORD, signedIn } from './session.ts'
import { type Stack, startStack } from './stack.ts'

let stack: Stack
const contexts: BrowserContext[] = []

interface Tabs {
  context: BrowserContext
  pages: Page[]
  /** Called API paths with response status. */
  calls: { path: string; status: number }[]
  /** Waits until no tab has an open call. */
  settle(): Promise<void>
}

/** Opens the dashboard in three tabs. */
async function threeTabs(browser: Browser, name: string, prepare?: () => void): Promise<Tabs> {
  const context = await signedIn(browser, stack.url, name)
  contexts.push(context)
  if (prepare !== undefined) await context.addInitScript(prepare)
  const calls: Tabs['calls'] = []
  context.on('response', (response) => calls.push({ path: new URL(response.url()).pathname, status: response.status() }))
  const pages = await Promise.all([1, 2, 3].map(() => context.newPage()))
  const settle = watchRequests(...pages)
  await Promise.all(pages.map((page) => page.goto(`${stack.url}/dashboard`)))
  for (const page of pages) await expect(page.getByText(/^Welcome back/)).toBeVisible()
  return { context, pages, calls, settle }
}

const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('tizaraUserToken'))

/** Navigates inside the app, which sends calls. */
const goTo = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

// On PostgreSQL, two API processes answer behind a round-robin proxy.
for (const engine of ['embedded', 'postgres'] as const)
  test.describe(`on ${engine}`, { tag: '@extended' }, () => {
    test.beforeAll(async () => {
      stack = await startStack(engine)
    })
    test.afterAll(({ browser }) => stack.stop(browser))
    test.afterEach(async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()))
      await stack.setClock(0)
    })

    for (const [title, prepare] of [
      ['with Web Locks', undefined],
      // As on plain http: each tab refreshes separately and depends on the server's grace period.
      ['without Web Locks', () => Object.defineProperty(navigator, 'locks', { value: undefined })],
    ] as const) {
      test(`[ST-12] [ST-13] keeps three tabs signed in whose token expires at once, ${title}`, async ({ browser }) => {
        const { pages, calls, settle } = await threeTabs(browser, 'dev', prepare)
        for (const minutes of [16, 32]) {
          const before = await tokenOf(pages[0] as Page)
          calls.length = 0
          await stack.setClock(minutes * 60)
          await Promise.all(pages.map((page) => goTo(page, minutes === 16 ? '/profile' : '/my-stack-coin')))
          for (const page of pages) await expect(page.getByRole('heading', { level: 1 })).toHaveText(minutes === 16 ? 'Profile' : /Stake/)
          await expect.poll(() => tokenOf(pages[0] as Page)).not.toBe(before)
          // A refresh that is still under way would look like a reuse after the next move of the clock.
          await settle()
          for (const page of pages) await expect.poll(() => new URL(page.url()).pathname).not.toBe('/')
          const refreshes = calls.filter(({ path }) => path.endsWith('/auth/refresh-token'))
          expect(refreshes.length).toBeGreaterThan(0)
          expect(refreshes.every(({ status }) => status === 200)).toBe(true)
          if (prepare === undefined) expect(refreshes).toHaveLength(1)
          expect(calls.filter(({ status }) => status === 401)).toEqual([])
        }
      })
    }

    test('[ST-20] [ST-22] signs out all other tabs when one tab logs out', async ({ browser }) => {
      const { pages } = await threeTabs(browser, 'elif')
      const [first, ...others] = pages as [Page, ...Page[]]
      await first.getByRole('button', { name: 'Profile menu' }).click()
      await first.getByRole('menuitem', { name: 'Log Out' }).click()
      for (const page of [first, ...others]) {
        await expect(page.getByRole('heading', { level: 1, name: 'Sign In' })).toBeVisible()
        expect(await tokenOf(page)).toBeNull()
      }
    })

    test('shows a balance that another member changed without a reload, and keeps the token out of the stream’s address', async ({
      browser,
      request,
    }) => {
      const context = await signedIn(browser, stack.url, 'felix')
      contexts.push(context)
      const page = await context.newPage()
      const errors: string[] = []
      page.on('console', (message) => (message.type() === 'error' ? errors.push(message.text()) : undefined))
      const opened = page.waitForRequest((one) => one.url().includes('/api/v1/live'))
      await page.goto(`${stack.url}/dashboard`)
      const stream = await opened
      expect(new URL(stream.url()).search).toBe('')
      const balance = async () => {
        const token = await tokenOf(page)
        const reply = await request.get(`${stack.url}/api/v1/user-wallet`, { headers: { authorization: token ?? '' } })
        return ((await reply.json()) as { data: { depositWallet: number } }).data.depositWallet
      }
      const before = await balance()
      const login = await request.post(`${stack.url}/api/v1/auth/login`, { data: { email: 'amara@example.com', password: PASSWORD } })
      const { data } = (await login.json()) as { data: { token: string } }
      let shown: number | undefined
      page.on('response', async (reply) => {
        if (reply.url().endsWith('/user-wallet')) shown = ((await reply.json()) as { data: { depositWallet: number } }).data.depositWallet
      })
      // The first read sets the baseline; the stream reports later changes.
      let sum = before
      // Doubled after each miss, because a busy machine may need more time.
      let patience = 2_000
      const seesOneMore = async () => {
        const sent = await request.post(`${stack.url}/api/v1/usd-transfer/user-to-user-deposit`, {
          headers: { authorization: data.token },
          data: { amount: 12.5, email: 'felix@example.com' },
        })
        expect(sent.status(), await sent.text()).toBe(200)
        sum += 12.5
        patience *= 2
        await expect.poll(() => shown, { timeout: patience }).toBeCloseTo(sum, 8)
      }
      await expect(seesOneMore).toPass()
      expect(errors).toEqual([])
    })
  })
