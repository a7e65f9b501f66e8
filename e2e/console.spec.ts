import { Client } from 'pg'
import { expect, type Locator, type Page, test } from '@playwright/test'
import {
  accessibilityViolations,
  approveWaiting,
  asStaff,
  brokenWords,
  enteredAsStaff,
  memberId,
  PASSWORD,
  sidewaysScroll,
  signedIn,
} from './session.ts'
import { open } from './staff-desk.ts'
import { type Stack, startStack } from './stack.ts'

/** Runs only with `npm test -- --all`. */
const extended = { tag: '@extended' }

let stack: Stack
let member: Page
let support: Page
let admin: Page
let checker: Page
/** Amara's URL in the console. */
let ofAmara = ''
test.beforeAll(async ({ browser }) => {
  stack = await startStack('embedded', 'seeded', { STAFF_SECOND_FACTOR: 'off' })
  member = await (await signedIn(browser, stack.url, 'amara')).newPage()
  support = await enteredAsStaff(browser, stack.url, 'support')
  admin = await enteredAsStaff(browser, stack.url, 'admin')
  checker = await enteredAsStaff(browser, stack.url, 'checker')
})
test.afterAll(({ browser }) => stack.stop(browser))
test.describe.configure({ mode: 'serial' })

const NOTE = 'Between us: the row is fine'

test(
  '[RO-13] [LS-07] shows staff the row that a member reports, and sends an answer with its receipt and an internal note',
  extended,
  async () => {
    await member.goto(`${stack.url}/history/withdraw-history`)
    await member.getByRole('button', { name: 'Open receipt 1', exact: true }).click()
    await member.getByRole('link', { name: 'Report a problem' }).click()
    await expect(member).toHaveURL(/\/create-ticket\?.*about=/)
    const form = member.getByRole('main')
    await form.getByLabel('Description').fill('It does not look right to me.')
    await form.locator('input[type=file]').setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: await member.screenshot() })
    await form.getByRole('button', { name: 'Create Ticket' }).click()
    await expect(member.getByText('Successfully ticket created')).toBeVisible()

    await support.goto(`${stack.url}/staff/tickets`)
    await support
      .getByRole('option', { name: /Problem:/ })
      .first()
      .click()
    await expect(support.getByText('The member pressed “Report a problem” on this row.')).toBeVisible()
    await support.getByRole('button', { name: 'Add its receipt to the answer' }).click()
    await support.getByRole('button', { name: /^Internal note/ }).click()
    await support.getByRole('textbox', { name: 'Internal note' }).fill(NOTE)
    await support.getByRole('button', { name: /^Save note/ }).click()
    await expect(support.getByText(NOTE)).toBeVisible()
    await support.getByRole('button', { name: 'Reply to Amara' }).click()
    await support.getByRole('textbox', { name: 'Reply' }).fill('Here is the receipt, please look at both lines.')
    await support.getByRole('button', { name: /^Send to/ }).click()
    await expect(support.getByText('Sent to Amara')).toBeVisible()
    await support.getByRole('button', { name: 'Show the image' }).first().click()
    await expect(support.getByRole('img', { name: /^Image of/ })).toBeVisible()

    await member.goto(`${stack.url}/support`)
    await member.getByRole('link', { name: /^View.*Problem/ }).click()
    await expect(member.getByText('Here is the receipt, please look at both lines.')).toBeVisible()
    await expect(member.getByText(NOTE)).toBeHidden()
    await member.getByRole('button', { name: /^Receipt:/ }).click()
    await expect(member.getByRole('dialog', { name: 'Receipt' }).getByText('Report a problem')).toBeVisible()
  },
)

const tabs = ['Timeline', 'Ledger', 'Purchases', 'Rewards', 'Team', 'Sessions', 'Tickets', 'Notes'] as const
const about = (page: Page) => page.getByRole('navigation', { name: 'About the member' })
/** Opens an action on the member's page, enters the reason, and confirms. */
async function act(page: Page, label: RegExp, verb: string, effect: RegExp): Promise<void> {
  await page.getByRole('button', { name: label }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(effect).first()).toBeVisible()
  await dialog.getByLabel('Reason').fill('Asked for on the phone')
  await dialog.getByRole('button', { name: verb, exact: true }).click()
  await expect(dialog).toBeHidden()
}

test('[RO-13] finds a member, shows every tab, and shows the effects of an action before it is confirmed', extended, async () => {
  await admin.keyboard.press('Control+k')
  await expect(admin.getByRole('dialog', { name: 'Search and commands' })).toBeVisible()
  await admin.keyboard.type('amara')
  await admin
    .getByRole('option', { name: /Amara Okafor/ })
    .first()
    .click()
  await expect(admin).toHaveURL(/\/members\/[^/]+$/)
  ofAmara = new URL(admin.url()).pathname
  for (const tab of tabs) {
    await about(admin).getByRole('link', { name: tab }).click()
    await expect(about(admin).getByRole('link', { name: tab })).toHaveAttribute('aria-current', 'page')
    await expect(admin.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await expect(admin.getByText('could not be read')).toHaveCount(0)
  }
  await admin.getByRole('textbox').fill('Called back, all OK')
  await admin.getByRole('button', { name: 'Save note' }).click()
  await expect(admin.getByText('Called back, all OK')).toBeVisible()
  await act(admin, /^Make special member/, 'Propose', /RCM wallet and its pages open/)
  await approveWaiting(stack.url)
  await expect(admin.getByText('Special', { exact: true })).toBeVisible()
  await act(admin, /^End all sessions/, 'End sessions', /session/)
  await expect(admin.getByText('no active session')).toBeVisible()
  await about(admin).getByRole('link', { name: 'Timeline' }).click()
  await admin.getByRole('button', { name: 'Staff', exact: true }).click()
  await expect(admin.getByText('“Asked for on the phone”').first()).toBeVisible()
})

test('shows staff a member’s pages read-only, and shows the view to the member', extended, async ({ browser }) => {
  const opened = support.context().waitForEvent('page')
  await support.goto(`${stack.url}${ofAmara}?act=view-as`)
  const dialog = support.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('To see what the ticket is about')
  await dialog.getByRole('button', { name: 'View', exact: true }).click()
  const view = await opened
  await expect(view.getByText(/^You are viewing the pages of Amara Okafor as staff/)).toBeVisible()
  await view.close()
  const own = await (await signedIn(browser, stack.url, 'amara')).newPage()
  await own.goto(`${stack.url}/profile`)
  await expect(own.getByText('Viewed your pages, without being able to change anything')).toBeVisible()
  await expect(own.getByText('Ended your sessions')).toBeVisible()
  await expect(own.getByText('Called back, all OK')).toHaveCount(0)
})

test('opens every dialog by keyboard, traps and restores focus, and passes axe in both themes', extended, async () => {
  const button = (name: string | RegExp) => admin.getByRole('button', { name })
  const dialogs: [path: string, opener: () => Locator][] = [
    ['/staff/catalogue', () => button('Propose another coin price')],
    ['/staff/catalogue', () => button('New plan')],
    ['/staff/roles', () => button('Pause payouts and runs')],
    ['/staff/roles', () => button('Change the role of checker@example.com')],
    [ofAmara, () => button('Block the member')],
    [ofAmara, () => button('Make ordinary member')],
    [ofAmara, () => button('View as member')],
  ]
  const dialog = admin.getByRole('dialog')
  for (const [path, opener] of dialogs) {
    await admin.goto(stack.url + path)
    await opener().focus()
    await admin.keyboard.press('Enter')
    await expect(dialog).toBeVisible()
    expect.soft([path, await dialog.evaluate((it) => it.contains(document.activeElement))]).toEqual([path, true])
    for (const theme of ['light', 'dark']) {
      await admin.evaluate((value) => {
        localStorage.setItem('color-theme', value)
        dispatchEvent(new StorageEvent('storage'))
      }, theme)
      expect.soft([path, theme, await accessibilityViolations(admin)]).toEqual([path, theme, []])
    }
    await admin.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect.soft(opener()).toBeFocused()
  }
})

test('passes axe on every page in both themes, wide and on a phone', extended, async () => {
  test.setTimeout(900_000)
  // A draft with its simulation, so that the page of the programme is complete.
  await admin.goto(`${stack.url}/staff/programme`)
  await admin.getByRole('textbox', { name: 'Level reward, level 1, percent' }).fill('6')
  await admin.getByRole('button', { name: 'Run the simulation' }).click()
  await expect(admin.getByText('Would have come to').first()).toBeVisible()
  const links = await admin.locator('nav a[href^="/staff"]').evaluateAll((found) => found.map((one) => one.getAttribute('href') ?? ''))
  const paths = [...new Set(links), ofAmara, '/staff?days=30', '/staff/changes?for=decided', '/staff/changes?for=all']
  expect(paths.length).toBeGreaterThan(18)
  for (const theme of ['light', 'dark']) {
    await admin.evaluate((value) => localStorage.setItem('color-theme', value), theme)
    for (const width of [1440, 390]) {
      await admin.setViewportSize({ width, height: width === 1440 ? 900 : 844 })
      for (const path of paths) {
        await admin.goto(stack.url + path)
        const content = admin.locator('main .text-center').filter({ visible: true })
        await expect(
          admin
            .getByRole('listbox')
            .or(content)
            .or(admin.getByRole('heading', { level: 2 }))
            .first(),
        ).toBeVisible()
        const where = [path, theme, width]
        expect.soft([...where, await accessibilityViolations(admin)]).toEqual([...where, []])
        expect.soft([...where, await sidewaysScroll(admin)]).toEqual([...where, 0])
        expect.soft([...where, await brokenWords(admin)]).toEqual([...where, []])
      }
    }
  }
  await admin.setViewportSize({ width: 1440, height: 900 })
})

test('[I14] rejects the next action, and shows why, when a right is revoked while the console is open', extended, async () => {
  await support.goto(`${stack.url}/staff/tickets?view=answered`)
  await support.getByRole('listbox').getByRole('option').first().click()
  await support.getByRole('textbox', { name: 'Reply' }).fill('One more thing')
  const [proposed, approves] = [await asStaff(stack.url, 'admin'), await asStaff(stack.url, 'checker')]
  const role = { email: 'support@example.com', role: 'AUDITOR', reason: 'Reads from now on' }
  const { proposalId } = (await proposed('POST', '/staff/roles', { data: role })) as { proposalId: string }
  await approves('POST', `/staff/changes/${proposalId}/approve`, { data: { reason: 'Agreed' } })
  await support.getByRole('button', { name: /^Send to/ }).click()
  await expect(support.getByText('Your session has ended: it expired, it was ended, or your role or account changed')).toBeVisible()
  await support.getByLabel('Email').fill('support@example.com')
  await support.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await support.getByRole('button', { name: 'Sign In' }).click()
  await expect(support.getByText('Your role cannot answer tickets. SUPPORT, FINANCE or ADMIN can')).toBeVisible()
  await expect(support.getByText('One more thing')).toHaveCount(0)
  await support.goto(`${stack.url}/staff/audit`)
  await expect(support.getByRole('heading', { name: 'Audit log', level: 2 })).toBeVisible()
})

/** Reverses text, breaks lines, and contains an image with a script. */
const EVIL = 'Ann\u202Egnp.exe\u0007\u2028\u200F<img src=x onerror="window.ran=1">'
/** Characters that reverse, hide or break text. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

test('renders texts of members as plain text on every page of the console', extended, async () => {
  const client = new Client({ host: stack.dataDir, user: 'postgres' })
  await client.connect()
  await client.query('update member set name = $1 where email = $2', [EVIL, 'amara@example.com'])
  await client.query('update ticket set title = $1, description = $1', [EVIL])
  await client.query('update ticket_message set message = $1', [EVIL])
  await client.end()
  const staff = await asStaff(stack.url, 'admin')
  const profile = `members/${await memberId(staff, 'amara')}`
  const { data: tickets } = (await staff('GET', '/staff/tickets')) as { data: { id: string }[] }
  const { data: payouts } = (await staff('GET', '/staff/queues/payouts')) as { data: { id: string }[] }
  const pages = tabs.map((tab) => `${profile}/${tab.toLowerCase()}`)
  const views = [
    '',
    'payouts',
    'tickets',
    'changes?for=all',
    'members',
    'linked-accounts',
    'rewards',
    'ledger',
    'audit',
    'catalogue',
    'health',
    'hot-wallet',
    'payout-rules',
    'api-keys',
    'webhooks',
    'imports',
    'accounting',
    'roles',
  ]
  const items = [`tickets/${tickets[0]?.id}`, `payouts/${payouts[0]?.id}`]
  for (const path of [...views, ...pages, ...items]) {
    await open(admin, path)
    await expect(admin.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await expect(admin.getByRole('heading').first()).toBeVisible()
    const messages = await admin.evaluate(() => [
      document.body.innerText,
      document.title,
      ...[...document.querySelectorAll('[title], [aria-label], [placeholder]')].flatMap((one) =>
        ['title', 'aria-label', 'placeholder'].map((name) => one.getAttribute(name) ?? ''),
      ),
    ])
    expect([path, messages.filter((text) => UNSEEN.test(text))]).toEqual([path, []])
    expect([path, await admin.evaluate(() => 'ran' in window)]).toEqual([path, false])
  }
})

/** Signs the checker in again, after the clock ended the session. */
async function enterAgain(page: Page): Promise<void> {
  // The form redirects a signed-in visitor.
  await page.context().clearCookies()
  // A page that notices the end of its session at this moment navigates too, and interrupts the first attempt.
  await expect(() => page.goto(`${stack.url}/auth-admin`)).toPass()
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${stack.url}/auth-admin`)
  await page.getByLabel('Email').fill('checker@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/staff/)
}

test('[I13] changes tomorrow’s price at its time when one person proposes and another approves', extended, async () => {
  await admin.setViewportSize({ width: 1440, height: 900 })
  await admin.goto(`${stack.url}/staff/catalogue`)
  const held = await admin.getByRole('region', { name: 'Coin price' }).getByRole('group', { name: 'Price now' }).innerText()
  const next = `${Number.parseFloat(held) - 0.0001}`.slice(0, 6)
  await admin.getByRole('button', { name: 'Propose another coin price' }).click()
  const sheet = admin.getByRole('dialog', { name: 'Another coin price' })
  await sheet.getByLabel('New value, USD').fill(next)
  const start = new Date(Date.now() + 86_400_000)
  await sheet.getByLabel('Effective from, UTC').fill(start.toISOString().slice(0, 16))
  await sheet.getByRole('button', { name: 'See what it does' }).click()
  await expect(sheet.getByText('100 USD buy')).toBeVisible()
  await sheet.getByLabel('Reason').fill('The next step of the plan')
  await sheet.getByRole('button', { name: 'Propose' }).click()
  await expect(admin.getByText('Another person has to approve this.')).toBeVisible()
  await checker.goto(admin.url())
  await checker.getByRole('button', { name: /^Approve for / }).click()
  await expect(checker.getByText(/^Planned for/)).toBeVisible()
  await checker.goto(`${stack.url}/staff/catalogue`)
  await expect(checker.getByText(/planned, from/)).toBeVisible()
  await expect(checker.getByRole('region', { name: 'Coin price' }).getByRole('group', { name: 'Price now' })).toContainText(
    String(Number.parseFloat(held)),
  )
  await stack.setClock(25 * 3600)
  await enterAgain(checker)
  await checker.goto(`${stack.url}/staff/catalogue`)
  await expect(checker.getByRole('region', { name: 'Coin price' }).getByRole('group', { name: 'Price now' })).toContainText(next)
})
