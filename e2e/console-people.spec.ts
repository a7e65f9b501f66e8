import { expect, type Locator, type Page, test } from '@playwright/test'
import { accessibilityViolations, approveWaiting, asStaff, enteredAsStaff, PASSWORD, sidewaysScroll, signedIn } from './session.ts'
import { type Stack, startStack } from './stack.ts'

/** Runs only with `npm test -- --all`. */
const extended = { tag: '@extended' }

let stack: Stack
let member: Page
let support: Page
let admin: Page
/** Amara's URL in the console. */
let ofAmara = ''
test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  stack = await startStack('embedded', 'seeded', { STAFF_SECOND_FACTOR: 'off' })
  member = await (await signedIn(browser, stack.url, 'amara')).newPage()
  support = await enteredAsStaff(browser, stack.url, 'support')
  admin = await enteredAsStaff(browser, stack.url, 'admin')
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

test('records a verdict with a reason for members who may have referred themselves', extended, async () => {
  await support.goto(`${stack.url}/staff/linked-accounts`)
  await support.getByRole('button', { name: 'Review', exact: true }).first().click()
  const dialog = support.getByRole('dialog', { name: /^Review/ })
  await dialog.getByLabel('Reason').fill('A household')
  await dialog.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(dialog).toBeHidden()
  await support.getByRole('button', { name: /^Cleared/ }).click()
  await expect(support.getByText('“A household”')).toBeVisible()
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
  await expect(support.getByText('Your role reads tickets. SUPPORT, FINANCE or ADMIN can')).toBeVisible()
  await expect(support.getByText('One more thing')).toHaveCount(0)
  await support.goto(`${stack.url}/staff/audit`)
  await expect(support.getByRole('heading', { name: 'Audit log' })).toBeVisible()
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

for (const theme of ['light', 'dark'] as const)
  test(`passes axe on members, tickets and platform in the ${theme} theme, wide and on a phone`, extended, async () => {
    await admin.evaluate((value) => localStorage.setItem('color-theme', value), theme)
    for (const width of [1440, 390]) {
      await admin.setViewportSize({ width, height: width === 1440 ? 900 : 844 })
      for (const path of [ofAmara, '/staff/members', '/staff/linked-accounts', '/staff/health', '/staff/roles']) {
        await admin.goto(stack.url + path)
        await expect(admin.getByRole('heading', { level: 2 }).first()).toBeVisible()
        expect.soft([path, width, await accessibilityViolations(admin)]).toEqual([path, width, []])
        expect.soft([path, width, await sidewaysScroll(admin)]).toEqual([path, width, 0])
      }
    }
  })
