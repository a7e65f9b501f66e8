import type { BrowserContext, Page } from 'playwright-core'
import { WAIT_MS } from './wait-limit.ts'

/** Buttons pressed on each page. */
const BUTTONS_MAX = 3
/** Time in which Event Timing reports an interaction. */
const REPORT_MS = 150
/** Buttons that end the session, change data or download. */
const LEFT_OUT = /export|download|log out|mark it close|mark all|create (pdf|csv)/i

/** Largest contentful paint and slowest interaction in ms; the layout shift is a share. */
export interface PageFigures {
  lcp: number
  inp: number
  cls: number
}

interface Entry extends PerformanceEntry {
  interactionId?: number
  value?: number
  hadRecentInput?: boolean
}
declare global {
  interface Window {
    pageFigures?: PageFigures
  }
}

/** Records the figures of a document from its start. */
function observe(): void {
  const figures: PageFigures = { lcp: 0, inp: 0, cls: 0 }
  window.pageFigures = figures
  const on = (type: string, take: (entry: Entry) => void, options: object = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry)
    }).observe({ type, buffered: true, ...options })
  on('largest-contentful-paint', (entry) => (figures.lcp = entry.startTime))
  on('layout-shift', (entry) => (figures.cls += entry.hadRecentInput === true ? 0 : (entry.value ?? 0)))
  on('event', (entry) => (figures.inp = entry.interactionId ? Math.max(figures.inp, entry.duration) : figures.inp), {
    durationThreshold: 16,
  })
}

/** Waits until a page has a heading and no loading indicator. */
export async function settled(page: Page): Promise<void> {
  const isLoaded = () => document.querySelector('h1') !== null && document.querySelector('[aria-busy="true"], .animate-pulse') === null
  await page.waitForFunction(isLoaded, undefined, { timeout: WAIT_MS })
}

/** Interacts as a member does who reads the page: Tab, the theme, and buttons of the page, each closed with Escape. */
async function interact(page: Page): Promise<void> {
  for (let stops = 0; stops < 4; stops += 1) await page.keyboard.press('Tab')
  const theme = page.getByRole('button', { name: /theme/i }).first()
  if (await theme.isVisible()) {
    await theme.click()
    await theme.click()
  }
  const buttons = page.getByRole('main').getByRole('button', { disabled: false })
  const count = Math.min(await buttons.count(), BUTTONS_MAX)
  for (let index = 0; index < count; index += 1) {
    const button = buttons.nth(index)
    if (!(await button.isVisible()) || LEFT_OUT.test(await button.innerText())) continue
    await button.click({ timeout: 5_000 }).catch(() => undefined)
    await page.waitForTimeout(REPORT_MS)
    await page.keyboard.press('Escape')
    await page.waitForTimeout(REPORT_MS)
  }
}

/**
 * Measures one load of a page in a new tab with an empty cache.
 * @throws TimeoutError if the page reports no LCP
 */
export async function measurePage(context: BrowserContext, url: string): Promise<PageFigures> {
  const page = await context.newPage()
  try {
    await page.addInitScript(observe)
    const session = await context.newCDPSession(page)
    await session.send('Network.clearBrowserCache')
    await page.goto(url)
    await settled(page)
    // A busy browser reports LCP late. Without an entry the page has no figure, so the measurement fails.
    await page.waitForFunction(() => (window.pageFigures?.lcp ?? 0) > 0, undefined, { timeout: WAIT_MS })
    await page.waitForTimeout(REPORT_MS)
    // The first interaction ends the observation of LCP.
    const { lcp, cls } = await figuresOf(page)
    await interact(page)
    return { lcp, cls, inp: (await figuresOf(page)).inp }
  } finally {
    await page.close()
  }
}

async function figuresOf(page: Page): Promise<PageFigures> {
  const figures = await page.evaluate(() => window.pageFigures)
  if (figures === undefined) throw new Error(`${page.url()} has no figures`)
  return figures
}
