import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test'
import { complaints, watchRequests } from './browser-helpers.ts'
import { test } from './fixtures.ts'
import { accessibilityViolations, brokenWords, sidewaysScroll, signedIn } from './session.ts'
import type { Stack } from './stack.ts'

const DESK = { width: 1440, height: 900 }
const PHONE = { width: 360, height: 740 }

/** Product page, from the requirements. */
interface PageRoute {
  /** The page's requirement ids, as in test titles. */
  id: string
  path: string
  title: string
  /** Heading, if it differs from the title. */
  heading?: string
}

/** Public pages, RT-09 to RT-16 and RT-51 to RT-53, and the page for visitors. */
const publicRoutes: readonly PageRoute[] = [
  { id: '[RT-09]', path: '/', title: 'Sign In' },
  { id: '[RT-10]', path: '/auth/signin', title: 'Sign In' },
  { id: '[RT-11]', path: '/auth/signup', title: 'Sign Up', heading: 'Sign Up to Tizara' },
  { id: '[RT-12]', path: '/auth/forgot-password', title: 'Forgot Password' },
  { id: '[RT-13]', path: '/auth/reset-password?token=none', title: 'Reset Password' },
  { id: '[RT-14]', path: '/auth/verify?token=none', title: 'Verify Email' },
  { id: '[RT-15]', path: '/verify-token', title: 'OTP Verification' },
  { id: '', path: '/about', title: 'About', heading: 'How Tizara works' },
  { id: '[RT-16]', path: '/auth-admin', title: 'Admin Sign In' },
  { id: '[RT-51]', path: '/invoice', title: 'Invoice' },
  { id: '[RT-52]', path: '/pay/success', title: 'Payment Success' },
  { id: '[RT-53] [RT-54]', path: '/pay/cancel', title: 'Payment Success' },
]

/** Guarded pages, RT-18 to RT-57, without the ticket page, whose path needs an id. */
const memberRoutes: readonly PageRoute[] = [
  { id: '[RT-18]', path: '/dashboard', title: 'Dashboard' },
  { id: '[RT-19]', path: '/store-nft/buy-nft', title: 'Purchase NFT' },
  { id: '[RT-20] [RT-21]', path: '/special-rcm/last-sponsors', title: 'Purchase NFT' },
  { id: '[RT-22]', path: '/store-nft/nft-level-bonus', title: 'NFT Level Bonus History' },
  { id: '[RT-23]', path: '/store-nft/nft-histor_y', title: 'NFT History' },
  { id: '[RT-25]', path: '/store-nft/nft-roi', title: 'NFT ROI History' },
  { id: '[RT-26]', path: '/store-nft/nft-roi-profit-bounty', title: 'NFT Profit Bounty History' },
  { id: '[RT-27]', path: '/stack-coin', title: 'Stake Now' },
  { id: '[RT-28]', path: '/my-stack-coin', title: 'My Staked' },
  { id: '[RT-29]', path: '/my-stack-logs', title: 'My Staked Logs' },
  { id: '[RT-30]', path: '/roi-history', title: 'Reward History' },
  { id: '[RT-31]', path: '/stake-logs-roi', title: 'Stake log Rewards' },
  { id: '[RT-32]', path: '/profit-bounty-history', title: 'Profit Bounty History' },
  { id: '[RT-33]', path: '/logs-profit-bounty-history', title: 'Stake Logs Profit Bounty' },
  { id: '[RT-34]', path: '/stake-reward', title: 'Stake Level Reward' },
  { id: '[RT-35]', path: '/history/transaction-history', title: 'Transaction History' },
  { id: '[RT-36] [RT-37]', path: '/history/withdraw-history', title: 'Swap History' },
  { id: '[RT-38]', path: '/history/transfer-history', title: 'Transfer to My wallet History' },
  { id: '[RT-39]', path: '/history/usd-transfer-history', title: 'USD Withdraw History' },
  { id: '[RT-40]', path: '/history/deposit-wallet', title: 'Deposit Wallet' },
  { id: '[RT-41]', path: '/history/native-wallet', title: 'Native Wallet' },
  { id: '[RT-42]', path: '/history/Ico-wallet', title: 'ICO Wallet' },
  { id: '[RT-43] [RT-44]', path: '/deposit-wallet-history', title: 'Payment History' },
  { id: '[RT-45]', path: '/buy-token-history', title: 'Buy token history' },
  { id: '[RT-46]', path: '/rank-bonus', title: 'Rank Bonus History' },
  { id: '[RT-47]', path: '/my-team', title: 'My Team' },
  { id: '[RT-48]', path: '/my-referrals', title: 'My Referrals' },
  { id: '[RT-49]', path: '/special-rcm', title: 'Special Rcm' },
  { id: '[RT-50]', path: '/profile', title: 'Profile' },
  { id: '[RT-55]', path: '/support', title: 'Support' },
  { id: '[RT-57]', path: '/create-ticket', title: 'Create Ticket' },
]

let stack: Stack
test.beforeAll(({ stack: shared }) => {
  stack = shared
})

/** Waits until a page has loaded fully. */
async function arrive(page: Page, path: string): Promise<void> {
  const settle = watchRequests(page)
  await page.goto(stack.url + path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await settle()
}

async function wear(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((chosen) => {
    localStorage.setItem('color-theme', chosen)
    dispatchEvent(new StorageEvent('storage'))
  }, theme)
  await expect(page.locator('body')).toHaveClass(theme === 'dark' ? /\bdark\b/ : /^(?!.*\bdark\b)/)
}

/** Returns a page's defects, one per line. */
async function problemsOf(
  page: Page,
  { path, title, heading = title }: PageRoute,
  themes: readonly ('light' | 'dark')[],
): Promise<string[]> {
  const found = complaints(page)
  const problems: string[] = []
  await arrive(page, path).catch((error: unknown) => problems.push(`does not load: ${String(error)}`))
  const shown = await page.getByRole('heading', { level: 1 }).allTextContents()
  if (shown.join() !== heading) problems.push(`heading ${shown.join()}`)
  if ((await page.title()) !== title) problems.push(`title ${await page.title()}`)
  for (const theme of themes) {
    await wear(page, theme)
    for (const problem of await accessibilityViolations(page)) problems.push(`${theme}: ${problem}`)
  }
  await page.setViewportSize(PHONE)
  // Charts resize asynchronously.
  await expect
    .poll(() => sidewaysScroll(page))
    .toBe(0)
    .catch(async () => problems.push(`scrolls sideways by ${await sidewaysScroll(page)}`))
  for (const word of await brokenWords(page)) problems.push(`breaks ${word} over two lines`)
  page.removeAllListeners()
  return [...problems, ...found].map((problem) => `${path} ${problem}`)
}

/** Shares one page per test group, because a new browser context reloads the app's code. */
function onePage(open: (browser: Browser) => Promise<BrowserContext>): () => Page {
  let page: Page
  test.beforeAll(async ({ browser }) => {
    page = await (await open(browser)).newPage()
  })
  test.afterAll(() => page.context().close())
  return () => page
}

const asVisitor = (browser: Browser) => browser.newContext({ reducedMotion: 'reduce' })
const asMember = (browser: Browser) => signedIn(browser, stack.url, 'amara', { reducedMotion: 'reduce' })

/** One page per kind. Screen tests and the extended tests below cover all. */
const chosen = [
  '/',
  '/auth/signup',
  '/verify-token',
  '/about',
  '/pay/success',
  '/dashboard',
  '/store-nft/buy-nft',
  '/stack-coin',
  '/my-team',
  '/profile',
  '/support',
]
for (const [who, open, routes] of [
  ['a visitor', asVisitor, publicRoutes],
  ['a member', asMember, memberRoutes],
] as const)
  test.describe(`for ${who}, on a desktop and at 360 px,`, () => {
    const page = onePage(open)
    for (const route of routes.filter(({ path }) => chosen.includes(path)))
      test(`${route.id} ${route.path} shows its title and heading, fits the screen, and logs nothing`, async () => {
        await page().setViewportSize(DESK)
        expect(await problemsOf(page(), route, [])).toEqual([])
      })
  })

const extended = { tag: '@extended' }

test.describe('for a visitor, in both themes and at 360 px,', extended, () => {
  const page = onePage(asVisitor)
  for (const route of publicRoutes) {
    test(`[RO-01] ${route.id} ${route.path} has its title and heading`, async () => {
      await page().setViewportSize(DESK)
      expect(await problemsOf(page(), route, ['light', 'dark'])).toEqual([])
    })
  }
})

test.describe('for a member with history, in both themes and at 360 px,', extended, () => {
  const page = onePage(asMember)
  for (const route of [...memberRoutes, { id: '', path: '/trust', title: 'Trust', heading: 'Reserves and promises' }]) {
    test(`[RO-02] ${route.id} ${route.path} has its title and heading`, async () => {
      await page().setViewportSize(DESK)
      expect(await problemsOf(page(), route, ['light', 'dark'])).toEqual([])
    })
  }
})

test('[RT-59] [RO-18] [UI-RCM-11] shows each title to a new member on a phone in the dark theme', extended, async ({ browser }) => {
  const context = await signedIn(browser, stack.url, 'nova', {
    reducedMotion: 'reduce',
    viewport: PHONE,
    stored: { 'color-theme': 'dark' },
  })
  const page = await context.newPage()
  const problems: string[] = []
  const open = publicRoutes.filter(({ title }) => title !== 'Sign In')
  for (const route of [...open, ...memberRoutes]) problems.push(...(await problemsOf(page, route, ['dark'])))
  expect(problems).toEqual([])
  await context.close()
})

test('[RT-04] [RT-05] [RT-06] redirects a visitor from a protected page to `/`, replaces the history entry and remembers the page', async ({
  page,
}) => {
  const problems: string[] = []
  for (const path of ['/dashboard', '/history/Ico-wallet', '/ticket/show/some-ticket']) {
    await page.goto(`${stack.url}/auth/forgot-password`)
    // Opens a guarded page inside the app: the guard replaces the pushed history entry.
    await page.evaluate((route) => {
      history.pushState(null, '', `${route}?page=2`)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
    await page.waitForURL(`${stack.url}/`)
    const state = (await page.evaluate(() => history.state as unknown)) as { from?: string } | null
    if (state?.from !== `${path}?page=2`) problems.push(`${path} is remembered as ${JSON.stringify(state)}`)
    await page.goBack()
    if (new URL(page.url()).pathname !== '/auth/forgot-password') problems.push(`${path} stays in the history`)
  }
  expect(problems).toEqual([])
  await page.goto(`${stack.url}/my-team`)
  await expect(page).toHaveURL(`${stack.url}/`)
  await expect(page).toHaveTitle('Sign In')
})

test('leads a visitor with a referral code from sign-up to the figures and back', async ({ page }) => {
  await page.goto(`${stack.url}/auth/signup?referralCode=AMARA7`)
  await page.getByRole('link', { name: 'How it works' }).click()
  await expect(page.getByRole('region', { name: 'Price and plans' })).toContainText('1 TIZARA = ')
  await expect(page.getByRole('region', { name: 'How rewards are paid' })).toContainText('In the pool')
  await page.getByRole('main').getByRole('link', { name: 'Sign Up', exact: true }).click()
  await expect(page.getByLabel('Referral Code')).toHaveValue('AMARA7')
})
