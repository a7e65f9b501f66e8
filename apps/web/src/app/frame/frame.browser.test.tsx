import { buyTokenHistory } from '@tizara/contract/coin'
import { profile } from '@tizara/contract/members'
import { appConfig } from '@tizara/contract/settings'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { navigate } from 'wouter/use-browser-location'
import { loadMissingAppConfig } from '../../settings/index.ts'
import type { FakeApi } from '../../test/fake-api.ts'
import { axeViolations } from '../../test/list-check.tsx'
import { memberApi, testMember } from '../../test/member-api.ts'
import { openApp, press, signedIn } from '../../test/open-app.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { PartBoundary } from '../part-boundary.tsx'
import { followTheme } from '../theme.ts'

let api: FakeApi

beforeEach(async () => {
  api = memberApi()
  await page.viewport(1280, 900)
})

describe('offline', () => {
  const turn = (online: boolean) => dispatchEvent(new Event(online ? 'online' : 'offline'))
  afterEach(() => {
    turn(true)
  })
  const note = () => page.getByText("You're offline.", { exact: false })
  beforeEach(() => {
    api.reply(buyTokenHistory, {
      data: [{ id: 'b0', coinAmount: 1000, coinPrice: 0.008, totalPrice: 8, createdAt: '2026-11-05T14:07:00.000Z' }],
      meta: { total: 1, page: 1, limit: 25 },
    })
  })

  it('shows the offline note, and the page’s data when the network returns', async () => {
    await openApp(somewhere, signedIn)
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.element(note()).not.toBeInTheDocument()
    turn(false)
    await expect.element(note()).toBeVisible()
    navigate('/buy-token-history')
    await expect.element(page.getByRole('heading', { level: 1, name: 'Buy token history' })).toBeVisible()
    expect(api.calls(buyTokenHistory)).toHaveLength(0)
    turn(true)
    await expect.element(page.getByRole('cell', { name: '1,000.00 TIZARA' })).toBeVisible()
    await expect.element(note()).not.toBeInTheDocument()
  })

  it('requests nothing when a page opens offline, and loads when the network returns', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await openApp('/buy-token-history', signedIn)
    await expect.element(note()).toBeVisible()
    expect(api.calls(buyTokenHistory)).toHaveLength(0)
    turn(true)
    await expect.element(page.getByRole('cell', { name: '1,000.00 TIZARA' })).toBeVisible()
    await expect.element(note()).not.toBeInTheDocument()
  })

  it('shows an error for a page that throws, and the page when the network returns', async () => {
    let isCurrent = false
    const Late = () => {
      if (!isCurrent) throw new Error('broken')
      return <p>The page</p>
    }
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await render(
      <ErrorBoundary>
        <Late />
      </ErrorBoundary>,
    )
    await expect.element(page.getByText('This page could not be shown')).toBeVisible()
    isCurrent = true
    turn(true)
    await expect.element(page.getByText('The page', { exact: true })).toBeVisible()
  })

  it('shows an error for a part that failed to load, and keeps the page and the typed text', async () => {
    const Missing = (): never => {
      throw new TypeError('Failed to fetch dynamically imported module: /assets/part.js')
    }
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await render(
      <>
        <input aria-label="Typed" defaultValue="12.5" />
        <PartBoundary>
          <Missing />
        </PartBoundary>
      </>,
    )
    await expect.element(page.getByRole('alert')).toHaveTextContent('A part of this page did not arrive. Reload it.')
    turn(true)
    await expect.element(page.getByLabelText('Typed')).toHaveValue('12.5')
  })
})

const sidebar = () => page.getByRole('navigation', { name: 'Main menu' })
const link = (name: string) => sidebar().getByRole('link', { name, exact: true })
/** Page whose screen sends no calls. */
const somewhere = '/history/Ico-wallet'

const storeNft = [
  ['UI-SIDEBAR-09', 'Purchase NFT', '/store-nft/buy-nft'],
  ['UI-SIDEBAR-10', 'NFT Purchase History', '/store-nft/nft-histor_y'],
  ['UI-SIDEBAR-11', 'NFT Level Bonus', '/store-nft/nft-level-bonus'],
  ['UI-SIDEBAR-12', 'NFT Reward', '/store-nft/nft-roi'],
  ['UI-SIDEBAR-13', 'NFT Profit Bounty', '/store-nft/nft-roi-profit-bounty'],
] as const

const histories = [
  ['UI-SIDEBAR-22', 'Transaction History', '/history/transaction-history'],
  ['UI-SIDEBAR-23', 'Buy Token History', '/buy-token-history'],
  ['UI-SIDEBAR-24', 'Deposit History', '/deposit-wallet-history'],
  ['UI-SIDEBAR-25', 'Reward History', '/roi-history'],
  ['UI-SIDEBAR-26', 'Omega Stake Logs Bounty', '/logs-profit-bounty-history'],
  ['UI-SIDEBAR-27', 'Profit Bounty', '/profit-bounty-history'],
  ['UI-SIDEBAR-28', 'Transfer History', '/history/transfer-history'],
  ['UI-SIDEBAR-29', 'Bridge History', '/history/withdraw-history'],
  ['UI-SIDEBAR-30', 'USD Withdraw History', '/history/usd-transfer-history'],
] as const

const own = [
  ['UI-SIDEBAR-06', 'Dashboard', '/dashboard'],
  ['UI-SIDEBAR-14', 'Stake Now', '/stack-coin'],
  ['UI-SIDEBAR-15', 'Stake History', '/my-stack-coin'],
  ['UI-SIDEBAR-16', 'Omega Stake Logs', '/my-stack-logs'],
  ['UI-SIDEBAR-17', 'Omega Stake reward', '/stake-logs-roi'],
  ['UI-SIDEBAR-18', 'My Referrals', '/my-referrals'],
  ['UI-SIDEBAR-19', 'My Team Stake', '/my-team'],
  ['UI-SIDEBAR-20', 'Level Reward', '/stake-reward'],
  ['UI-SIDEBAR-31', 'Special Rcm', '/special-rcm'],
  ['UI-SIDEBAR-32', 'Rank Bonus', '/rank-bonus'],
  ['UI-SIDEBAR-33', 'Profile', '/profile'],
  ['UI-SIDEBAR-34', 'Support', '/support'],
] as const

/** Returns the visible menu labels, top to bottom. */
const labels = (): string[] =>
  [...sidebar().element().querySelectorAll('a, button')]
    .filter((line) => line.checkVisibility())
    .map((line) => line.textContent?.trim() ?? '')

describe('sidebar', () => {
  for (const [row, name, href] of own) {
    it(`[${row}] ${name} links to ${href}`, async () => {
      await openApp(somewhere, signedIn)
      await expect.element(link(name)).toHaveAttribute('href', href)
    })
  }

  for (const [row, group, items] of [
    ['UI-SIDEBAR-08', 'Store NFT', storeNft],
    ['UI-SIDEBAR-21', 'History', histories],
  ] as const) {
    it(`[${row}] ${group} opens and closes with exactly its items`, async () => {
      await openApp(somewhere, signedIn)
      const button = sidebar().getByRole('button', { name: group, exact: true })
      await expect.element(button).toHaveAttribute('aria-expanded', 'false')
      await button.click()
      await expect.element(button).toHaveAttribute('aria-expanded', 'true')
      const list = document.getElementById(button.element().getAttribute('aria-controls') ?? '')
      const found = [...(list?.querySelectorAll('a') ?? [])].map((item) => [item.textContent?.trim(), item.getAttribute('href')])
      expect(found).toEqual(items.map(([, name, href]) => [name, href]))
      await button.click()
      await expect.element(link(items[0][1])).not.toBeInTheDocument()
    })

    for (const [id, name, href] of items)
      it(`[${id}] ${name} of ${group} links to ${href}`, async () => {
        await openApp(somewhere, signedIn)
        await sidebar().getByRole('button', { name: group, exact: true }).click()
        await expect.element(link(name)).toHaveAttribute('href', href)
      })
  }

  it('[UI-SIDEBAR-05] opens the group of the current page', async () => {
    await openApp('/history/transfer-history', signedIn)
    await expect.element(link('Transfer History')).toHaveAttribute('aria-current', 'page')
    await expect.element(link('Purchase NFT')).not.toBeInTheDocument()
  })

  it('[UI-SIDEBAR-05] closes the group of the page when the member opens a page of another group', async () => {
    await openApp('/history/transfer-history', signedIn)
    const group = (name: string) => sidebar().getByRole('button', { name, exact: true })
    await expect.element(group('History')).toHaveAttribute('aria-expanded', 'true')
    await group('Store NFT').click()
    await link('NFT Reward').click()
    await expect.element(group('History')).toHaveAttribute('aria-expanded', 'false')
    await expect.element(group('Store NFT')).toHaveAttribute('aria-expanded', 'true')
  })

  it('[UI-SIDEBAR-35] lists the items in order, and none for other pages', async () => {
    await openApp(somewhere, signedIn)
    await expect.element(link('Special Rcm')).toBeVisible()
    expect(labels()).toEqual([
      'Dashboard',
      'Store NFT',
      ...own.slice(1, 8).map(([, name]) => name),
      'History',
      ...own.slice(8).map(([, name]) => name),
    ])
    const targets = [...sidebar().element().querySelectorAll('a')].map((item) => item.getAttribute('href'))
    expect(targets).toHaveLength(own.length + storeNft.length + histories.length)
    for (const path of [
      '/history/deposit-wallet',
      '/history/native-wallet',
      somewhere,
      '/special-rcm/last-sponsors',
      '/invoice',
      '/pay/success',
    ]) {
      expect(targets).not.toContain(path)
    }
  })

  it('[UI-SIDEBAR-31] [UI-SIDEBAR-32] [RO-11] [RO-12] hides Special Rcm and Rank Bonus when the member has no flag or rank', async () => {
    api.reply(profile, { ...testMember, isSpecialRcm: false, rank: null })
    await openApp(somewhere, signedIn)
    await expect.poll(() => api.calls(profile).length).toBe(1)
    await expect.element(link('Support')).toBeVisible()
    expect(labels()).not.toContain('Special Rcm')
    expect(labels()).not.toContain('Rank Bonus')
  })

  it('[RO-11] [RO-12] hides both until the profile has loaded', async () => {
    let answer = (): void => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    api.on(profile, async () => {
      await answered
      return Response.json({ success: true, statusCode: 200, message: '', data: testMember })
    })
    await openApp(somewhere, signedIn)
    await expect.element(link('Support')).toBeVisible()
    expect(labels()).not.toContain('Special Rcm')
    expect(labels()).not.toContain('Rank Bonus')
    answer()
    await expect.poll(labels).toContain('Special Rcm')
  })

  it('[UI-SIDEBAR-07] links the logo to the dashboard', async () => {
    await openApp(somewhere, signedIn)
    await expect.element(page.getByRole('link', { name: 'Tizara home' }).first()).toHaveAttribute('href', '/dashboard')
  })

  it('[UI-SIDEBAR-04] stays narrow after a reload', async () => {
    const first = await openApp(somewhere, signedIn)
    await press('Collapse sidebar')
    await expect.poll(() => localStorage.getItem('sidebar-expanded')).toBe('false')
    await first.unmount()
    await openApp(somewhere, { ...signedIn, 'sidebar-expanded': 'false' })
    await expect.element(page.getByRole('button', { name: 'Expand sidebar' })).toBeVisible()
  })
})

describe('small screens', () => {
  const drawer = () => page.getByRole('dialog', { name: 'Menu' })

  async function openDrawer(): Promise<void> {
    await page.viewport(1023, 800)
    await openApp(somewhere, signedIn)
    await press('Open menu')
    await expect.element(drawer()).toBeVisible()
  }

  it('[UI-TOPBAR-06] [UI-SIDEBAR-01] [UI-LAYOUT-03] shows the menu below 1024 px only when its button is pressed', async () => {
    await page.viewport(1023, 800)
    await openApp(somewhere, signedIn)
    await expect.element(page.getByRole('button', { name: 'Open menu' })).toBeVisible()
    await expect.element(sidebar()).not.toBeInTheDocument()
    await press('Open menu')
    await expect.element(sidebar()).toBeVisible()
  })

  it('[UI-LAYOUT-03] keeps the menu beside the page from 1024 px on', async () => {
    await page.viewport(1024, 800)
    await openApp(somewhere, signedIn)
    await expect.element(sidebar()).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Open menu' })).not.toBeInTheDocument()
  })

  it('[UI-SIDEBAR-03] closes it with Escape', async () => {
    await openDrawer()
    await userEvent.keyboard('{Escape}')
    await expect.element(drawer()).not.toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'Open menu' })).toHaveFocus()
  })

  it('[UI-SIDEBAR-02] closes the menu with a click outside', async () => {
    await openDrawer()
    const box = drawer().element().getBoundingClientRect()
    drawer()
      .element()
      .dispatchEvent(new MouseEvent('mousedown', { bubbles: true, clientX: box.right + 40, clientY: 300 }))
    await expect.element(drawer()).not.toBeInTheDocument()
  })

  it('closes the menu when a page is opened', async () => {
    await openDrawer()
    await link('Profile').click()
    await expect.element(drawer()).not.toBeInTheDocument()
    await expect.poll(() => location.pathname).toBe('/profile')
  })
})

describe('top bar and layout', () => {
  const bar = () => page.getByRole('banner')
  /** Reads the operator's configuration again, as on a page without it in its head. */
  const readConfig = async (sandbox: boolean) => {
    api.reply(appConfig, { brandName: 'Tizara', tokenSymbol: 'TIZARA', allowedEmailDomains: [], sandbox, invoiceBaseUrl: '' })
    await loadMissingAppConfig()
  }
  afterEach(() => readConfig(false))

  it('[UI-LAYOUT-01] [RT-03] shows top bar, menu and page together', async () => {
    await openApp(somewhere, signedIn)
    await expect.element(bar()).toBeVisible()
    await expect.element(sidebar()).toBeVisible()
    await expect.element(page.getByRole('main').getByRole('heading', { level: 1, name: 'ICO Wallet' })).toBeVisible()
  })

  it('[EN-12] [UI-TOPBAR-01] [UI-TOPBAR-02] [UI-TOPBAR-03] [RO-09] shows the rank in capitals and the badge', async () => {
    await openApp(somewhere, signedIn)
    await expect.element(bar().getByText('GOLD', { exact: true }).first()).toBeVisible()
    await expect.element(bar().getByText('Special Member', { exact: true }).first()).toBeVisible()
  })

  for (const width of [360, 700]) {
    it(`[UI-TOPBAR-01] [UI-TOPBAR-02] shows both at ${width} pixels beside the sandbox label`, async () => {
      await page.viewport(width, 740)
      await readConfig(true)
      await openApp(somewhere, signedIn)
      await expect.element(bar().getByRole('button', { name: /^Sandbox/ })).toBeVisible()
      await expect.element(bar().getByText('GOLD', { exact: true }).first()).toBeVisible()
      await expect.element(bar().getByText('Special Member', { exact: true }).first()).toBeVisible()
      const { scrollWidth, clientWidth } = bar().element()
      expect(scrollWidth).toBe(clientWidth)
    })
  }

  it('shows no sandbox badge outside the sandbox', async () => {
    await openApp(somewhere, signedIn)
    await expect.element(bar().getByText('GOLD', { exact: true }).first()).toBeVisible()
    await expect.element(page.getByRole('button', { name: /^Sandbox/ })).not.toBeInTheDocument()
  })

  it('[UI-TOPBAR-03] shows nothing in place of a missing rank', async () => {
    api.reply(profile, { ...testMember, isSpecialRcm: false, rank: null })
    await openApp(somewhere, signedIn)
    await expect.element(bar().getByText('AO', { exact: true })).toBeVisible()
    await expect.element(bar().getByText('Special Member')).not.toBeInTheDocument()
    await expect.element(bar().getByText('GOLD')).not.toBeInTheDocument()
  })

  it('[UI-TOPBAR-04] switches the theme', async () => {
    await openApp(somewhere, signedIn)
    const stop = followTheme()
    await press('Switch to dark theme')
    await expect.poll(() => document.body.classList.contains('dark')).toBe(true)
    await press('Switch to light theme')
    await expect.poll(() => document.body.classList.contains('dark')).toBe(false)
    stop()
  })

  it('[UI-TOPBAR-05] [UI-TOPBAR-07] [UI-TOPBAR-08] opens a menu with Profile and Log Out', async () => {
    await openApp(somewhere, signedIn)
    await bar()
      .getByRole('button', { name: /profile menu|AO/i })
      .click()
    await expect.element(page.getByRole('menuitem', { name: 'Profile' })).toHaveAttribute('href', '/profile')
    await expect.element(page.getByRole('menuitem', { name: 'Log Out' })).toBeVisible()
  })

  it('[UI-TOPBAR-09] [UI-TOPBAR-10] [CO-10] closes the menu with a click outside and with Escape', async () => {
    await openApp(somewhere, signedIn)
    const button = bar().getByRole('button', { name: /profile menu|AO/i })
    await button.click()
    await expect.element(page.getByRole('menuitem', { name: 'Log Out' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('menuitem', { name: 'Log Out' })).not.toBeInTheDocument()
    await button.click()
    await expect.element(page.getByRole('menuitem', { name: 'Log Out' })).toBeVisible()
    await page.getByRole('main').click({ position: { x: 20, y: 300 } })
    await expect.element(page.getByRole('menuitem', { name: 'Log Out' })).not.toBeInTheDocument()
  })

  it('[RT-04] [RT-05] [RT-06] replaces a visitor’s page with the sign-in page, and remembers the page', async () => {
    const before = history.length
    await openApp('/history/Ico-wallet?page=2')
    await expect.poll(() => location.pathname).toBe('/')
    expect(history.length).toBe(before)
    expect(history.state).toEqual({ from: '/history/Ico-wallet?page=2' })
    await expect.element(page.getByRole('heading', { level: 1, name: 'Sign In' })).toBeVisible()
  })

  it('[RT-01] [RT-02] requests the profile only while a token is stored', async () => {
    const first = await openApp('/pay/success')
    await expect.element(page.getByRole('link', { name: 'HOME' })).toBeVisible()
    expect(api.calls(profile)).toHaveLength(0)
    await first.unmount()
    await openApp('/pay/success', signedIn)
    await expect.poll(() => api.calls(profile).length).toBe(1)
  })

  it('[RT-58] [RT-60] shows a not-found page to members and visitors', async () => {
    for (const stored of [{}, signedIn]) {
      const app = await openApp('/nowhere', stored)
      await expect.element(page.getByText('404', { exact: true })).toBeVisible()
      await expect.element(page.getByText('Page not found', { exact: true })).toBeVisible()
      expect([...page.getByRole('main').element().querySelectorAll('a')].map((item) => item.getAttribute('href'))).toEqual(['/'])
      await expect.poll(() => location.pathname).toBe('/nowhere')
      expect(await axeViolations()).toEqual([])
      await app.unmount()
    }
  })

  it('moves the focus to the heading of the next page', async () => {
    await openApp(somewhere, signedIn)
    await link('Profile').click()
    // The pressed link has focus first, and the same text.
    const focus = () => [document.activeElement?.tagName, document.activeElement?.textContent]
    await expect.poll(focus).toEqual(['H1', 'Profile'])
  })
})
