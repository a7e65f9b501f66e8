import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, expect, type Page } from '@playwright/test'
import { ONE } from '@tizara/money'
import { type OldMember, oldPlatform, writeImport } from '../apps/server/test/import-files.ts'
import { acknowledge, complaints, readCaptcha, signIn, watchCaptcha } from './browser-helpers.ts'
import { test } from './fixtures.ts'
import { accessibilityViolations, enteredAsStaff, PASSWORD, sidewaysScroll } from './session.ts'
import { approveProposal, open, reason, row } from './staff-desk.ts'
import type { Stack } from './stack.ts'

const OLD_PASSWORD = 'kept-since-2019'
/** Hash of the old password as the other platform stored it. */
const BCRYPT = '$2b$04$hGDFGtdmLCVt1zDC/RZs/uffwUyC3.EkExmKHRTzVFQlChxDFHEA6'
const DAY_MS = 86_400_000
const KNOWN = '0x52908400098527886E0F7030069857D2E4169EE7'

/** Ten members. The first one has a password, balances, a stake that has run for ten days, and a past movement. */
function members(): OldMember[] {
  const startedAt = new Date(Math.floor(Date.now() / 1000) * 1000 - 10.5 * DAY_MS)
  const stake = {
    plan: 'Sprint',
    wallet: 'nativeWallet',
    amount: 1_234n * ONE,
    percent: 40n * ONE,
    days: 400,
    startedAt,
    paidDays: 10,
  } as const
  const movement = {
    happenedAt: '2020-01-05T00:00:00Z',
    title: 'Welcome bonus',
    direction: 'in',
    unit: 'usd',
    amount: 7n * ONE,
    reference: '',
  } as const
  const [first, ...others] = oldPlatform(1, 10, 'moved')
  if (first === undefined) throw new Error('the platform has no members')
  const balances = { depositWallet: 456n * ONE, nativeWallet: 789n * ONE }
  return [{ ...first, verified: true, active: true, hash: BCRYPT, balances, stakes: [stake], history: [movement] }, ...others]
}

/** Signs in as an admin on the command line and proposes the import. Returns the hash of the files. */
function propose(stack: Stack, folder: string): string {
  const entered = stack.command('staff', ['sign-in', 'admin@example.com'], `${PASSWORD}\n\n`)
  expect(entered.status, entered.output).toBe(0)
  const { status, output } = stack.command('import', ['propose', folder])
  expect(status, output).toBe(0)
  return /hash: ([0-9a-f]{64})/.exec(output)?.[1] ?? ''
}

/**
 * Approves the import as the second admin, and waits until the worker has applied it. Checks the page in both themes. Returns the page of the
 * admin.
 */
async function approve(browser: Browser, stack: Stack, hash: string): Promise<Page> {
  const console = await enteredAsStaff(browser, stack.url, 'checker')
  await approveProposal(console, new RegExp(`Import members, hash ${hash.slice(0, 12)}`))
  await open(console, 'imports')
  await expect(console.getByText('Done', { exact: true })).toBeVisible()
  await expect(console.getByRole('row', { name: /^depositWallet/ })).toContainText('Equal')
  for (const theme of ['light', 'dark']) {
    await console.evaluate((value) => {
      localStorage.setItem('color-theme', value)
      dispatchEvent(new StorageEvent('storage'))
    }, theme)
    expect([theme, await accessibilityViolations(console)]).toEqual([theme, []])
  }
  expect(await sidewaysScroll(console)).toBe(0)
  return console
}

async function newPage(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await watchCaptcha(page)
  return page
}

/** Asks for a withdrawal with the old password, and approves it on the page of a staff member. */
async function withdraw(page: Page, console: Page, stack: Stack): Promise<void> {
  await page.goto(`${stack.url}/dashboard?open=withdraw`)
  const form = page.getByRole('dialog')
  await form.getByLabel('Amount').fill('25')
  await form.getByLabel('Wallet Address (Bep 20)').fill(KNOWN)
  await form.getByLabel('Password', { exact: true }).fill(OLD_PASSWORD)
  await form.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await acknowledge(page, 'Withdraw request success')
  await open(console, 'payouts?kind=withdrawals')
  await row(console, /moved0@gmail\.com|Member moved0/).click()
  await reason(console).fill('Known from the old platform')
  await console.getByRole('button', { name: /^Approve and pay/ }).click()
  await expect(console.getByText(/^Paid \d/)).toBeVisible()
  await page.goto(`${stack.url}/history/usd-transfer-history`)
  await expect(page.getByRole('table').locator('tbody tr').first()).toContainText('APPROVE')
}

/** Registers with the old link of the imported member, and confirms the address. */
async function register(browser: Browser, stack: Stack, email: string): Promise<void> {
  const page = await newPage(browser)
  await page.goto(`${stack.url}/auth/signup?referralCode=movedcode0`)
  await page.getByLabel('Name').fill('Friend Frida')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Phone').fill('2025550143')
  await page.getByLabel('Password', { exact: true }).fill('lantern-otter-1984')
  await page.getByLabel('Captcha', { exact: true }).fill(await readCaptcha(page))
  await page.getByRole('button', { name: 'Create account' }).click()
  await acknowledge(page, 'Please Check Your Mail & Confirm Your Registration')
  const code = /\b\d{6}\b/.exec(await stack.mailed(email, /: confirm your registration$/))?.[0] ?? ''
  await page.getByLabel('One-time code').fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.context().close()
}

test(
  'lets an imported member sign in with the old password, see what moved, withdraw, and refer by the old link, after two admins import the files',
  { tag: '@extended' },
  async ({ browser, stack }) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'moved-'))
    writeImport(folder, members())
    const hash = propose(stack, folder)
    rmSync(folder, { recursive: true })
    const console = await approve(browser, stack, hash)

    const page = await newPage(browser)
    const found = complaints(page)
    await signIn(page, stack.url, 'moved0@gmail.com', OLD_PASSWORD)
    await expect(page).toHaveURL(/\/dashboard/)
    await expect(page.getByRole('region', { name: 'Deposit Wallet', exact: true })).toContainText('456.00')
    await expect(page.getByRole('region', { name: 'Native Wallet', exact: true })).toContainText('789')
    await page.goto(`${stack.url}/my-stack-coin`)
    await expect(page.getByRole('table').locator('tbody tr')).toContainText(['Sprint'])
    await expect(page.getByRole('table').locator('tbody tr').first()).toContainText('1,234')
    await page.goto(`${stack.url}/activity`)
    const earlier = page.getByRole('region', { name: 'Before the move' })
    await expect(earlier.getByRole('button')).toHaveText([/Welcome bonus.*7\.00/s])
    await withdraw(page, console, stack)
    await console.context().close()

    const friend = `frida.${Date.now()}@gmail.com`
    await register(browser, stack, friend)
    await page.goto(`${stack.url}/my-referrals`)
    await expect(page.getByRole('table').locator('tbody tr').filter({ hasText: friend })).toHaveCount(1)
    expect(found).toEqual([])
    await page.context().close()
  },
)
