import { LIVE_PATH } from '@tizara/contract/live'
import { expect, type Page, type Request } from '@playwright/test'

declare global {
  interface Window {
    /** Letters drawn on the captcha's canvas, for tests that read it. */
    drawn?: string[]
  }
}

/** Records text drawn on the captcha's canvas. Does not modify the product. */
export async function watchCaptcha(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.drawn = []
    const draw = CanvasRenderingContext2D.prototype.fillText
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      window.drawn?.push(text)
      draw.call(this, text, ...rest)
    }
  })
}

/** Returns the current captcha code: the last five letters drawn. */
export async function readCaptcha(page: Page): Promise<string> {
  await expect.poll(() => page.evaluate(() => window.drawn?.length ?? 0)).toBeGreaterThanOrEqual(5)
  return page.evaluate(() => (window.drawn ?? []).slice(-5).join(''))
}

/** Checks the message box text and closes it. */
export async function acknowledge(page: Page, text: string | RegExp): Promise<void> {
  const box = page.getByRole('alertdialog').or(page.getByRole('dialog')).filter({ hasText: text })
  await expect(box.first()).toBeVisible()
  await box.first().getByRole('button', { name: 'OK' }).click()
}

/** Signs in on the sign-in page. */
export async function signIn(page: Page, url: string, email: string, password: string): Promise<void> {
  await page.goto(`${url}/auth/signin`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Captcha', { exact: true }).fill(await readCaptcha(page))
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/** Collects console errors; tests expect none. */
export function complaints(page: Page): string[] {
  const found: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') found.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => found.push(error.message))
  return found
}

/** Time without a request after which a page has loaded, in ms. */
const QUIET_MS = 500

/**
 * Watches the requests of pages from here on. Call it before they open. The change stream does not count, because it stays open: once a
 * page has it, Playwright's `networkidle` never comes.
 * @returns a function that waits until no request has been open for half a second, and otherwise names those that are
 */
export function watchRequests(...pages: readonly Page[]): () => Promise<void> {
  const open = new Map<Request, Page>()
  let endedAt = 0
  const end = (request: Request): void => {
    if (open.delete(request)) endedAt = Date.now()
  }
  for (const page of pages) {
    page.on('request', (request) => {
      // A new document ends the requests of the one before.
      if (request.isNavigationRequest()) for (const [earlier, its] of open) if (its === page) open.delete(earlier)
      if (!new URL(request.url()).pathname.endsWith(LIVE_PATH)) open.set(request, page)
    })
    page.on('requestfinished', end)
    page.on('requestfailed', end)
  }
  const waitsFor = (): string[] => {
    if (open.size > 0) return [...open.keys()].map((request) => request.url())
    return Date.now() - endedAt < QUIET_MS ? ['half a second without a request'] : []
  }
  return () => expect.poll(waitsFor, { intervals: [100] }).toEqual([])
}
