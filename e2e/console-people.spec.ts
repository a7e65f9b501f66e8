import { type Browser, expect, type Page, test } from '@playwright/test'
import { complaints } from './browser-helpers.ts'
import { accessibilityFaults, PASSWORD, sidewaysScroll, signedIn } from './session.ts'
import { type Stack, startStack } from './stack.ts'

let stack: Stack
let member: Page
let support: Page
let admin: Page
let found: string[]
test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  stack = await startStack('embedded', 'seeded', { STAFF_SECOND_FACTOR: 'off' })
  member = await (await signedIn(browser, stack.url, 'amara')).newPage()
  support = await entered(browser, 'support')
  admin = await entered(browser, 'admin')
  found = [complaints(support), complaints(admin)].flat()
})
test.afterAll(() => stack.stop())
test.describe.configure({ mode: 'serial' })

async function entered(browser: Browser, name: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${stack.url}/auth-admin`)
  await page.getByLabel('Email').fill(`${name}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/staff/)
  return page
}

const NOTE = 'Between us: the row is fine'

test('[RO-13] [LS-07] a member reports a problem on a row, and staff answer with its receipt and a note of their own', async () => {
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
  await support.getByRole('button', { name: 'Show the picture' }).first().click()
  await expect(support.getByRole('img', { name: /^Picture of/ })).toBeVisible()

  await member.goto(`${stack.url}/support`)
  await member.getByRole('link', { name: /^View.*Problem/ }).click()
  await expect(member.getByText('Here is the receipt, please look at both lines.')).toBeVisible()
  await expect(member.getByText(NOTE)).toBeHidden()
  await member.getByRole('button', { name: /^Receipt:/ }).click()
  await expect(member.getByRole('dialog', { name: 'Receipt' }).getByText('Report a problem')).toBeVisible()
})

test('[RO-17] support finds a member and looks at the pages without being able to do anything; ADMIN does what support may not', async () => {
  await support.goto(`${stack.url}/staff/members`)
  await support.getByLabel('Find members').fill('amara')
  await support.getByRole('button', { name: 'Find', exact: true }).click()
  await support.getByRole('link', { name: /amara@example\.com/ }).click()
  await expect(support.getByRole('heading', { level: 1 })).toContainText('Amara')
  await expect(support.getByRole('button', { name: 'Block the member' })).toHaveAttribute('aria-disabled', 'true')
  await expect(support.getByText('ADMIN can').first()).toBeVisible()
  await support.getByRole('button', { name: 'View as member' }).click()
  await support.getByLabel('Reason').fill('She asked what she sees')
  const opened = support.context().waitForEvent('page')
  await support.getByRole('button', { name: 'Look', exact: true }).click()
  const look = await opened
  await expect(look.getByText(/You look at the pages of/)).toBeVisible()
  await look.goto(`${stack.url}/profile`)
  await expect(look.getByText('amara@example.com').first()).toBeVisible()
  const refused = await look.evaluate(async () => {
    const { token } = JSON.parse(sessionStorage.getItem('view-as') ?? '{}') as { token: string }
    const reply = await fetch('/api/v1/usd-transfer/nft-to-deposit-wallet', {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: '{}',
    })
    return reply.status
  })
  expect(refused).toBe(400)
  await look.close()
  await support.reload()
  await expect(support.getByRole('heading', { level: 1 })).toContainText('Amara')

  await admin.goto(support.url())
  await admin.getByRole('button', { name: 'End all sessions' }).click()
  await expect(admin.getByRole('dialog').getByText(/session.* now\./)).toBeVisible()
  await admin.getByLabel('Reason').fill('Lost phone')
  await admin.getByRole('button', { name: 'End sessions' }).click()
  await expect(admin.getByRole('dialog')).toBeHidden()
  await expect(admin.getByText('ended all sessions').first()).toBeVisible()
})

test('shows the member what staff did, without why', async ({ browser }) => {
  member = await (await signedIn(browser, stack.url, 'amara')).newPage()
  await member.goto(`${stack.url}/profile`)
  await expect(member.getByText('Ended your sessions')).toBeVisible()
  await expect(member.getByText('Looked at your pages, without being able to change anything')).toBeVisible()
  await expect(member.getByText('Looked at a picture in one of your tickets')).toBeVisible()
  await expect(member.getByText(/Lost phone|She asked/)).toBeHidden()
})

for (const theme of ['light', 'dark'] as const) {
  test(`shows members, a member, traces and a ticket without a fault of access, ${theme}, wide and on a phone`, async () => {
    await support.evaluate((value) => localStorage.setItem('color-theme', value), theme)
    await support.goto(`${stack.url}/staff/members?q=amara`)
    const href = (await support.getByRole('link', { name: /amara@example\.com/ }).getAttribute('href')) ?? ''
    await support.goto(`${stack.url}/staff/tickets?view=answered`)
    await support.getByRole('option').first().click()
    const ticket = new URL(support.url()).pathname
    const tabs = ['ledger', 'purchases', 'team', 'sessions', 'tickets', 'notes'].map((tab) => href.replace('timeline', tab))
    for (const width of [1440, 390]) {
      await support.setViewportSize({ width, height: width === 1440 ? 900 : 844 })
      for (const view of ['/staff/members', href, ...(theme === 'light' ? tabs : []), '/staff/shared-traces', ticket]) {
        await support.goto(`${stack.url}${view}`)
        await expect(support.getByRole('heading').first()).toBeVisible()
        await expect(support.getByText('Reading')).toBeHidden()
        await support.waitForTimeout(300)
        expect.soft([view, width, await accessibilityFaults(support)]).toEqual([view, width, []])
        expect.soft([view, width, await sidewaysScroll(support)]).toEqual([view, width, 0])
        const shots = process.env['SHOTS']
        if (shots !== undefined) await support.screenshot({ path: `${shots}/${view.replaceAll('/', '_')}-${theme}-${width}.png` })
      }
    }
    expect(found).toEqual([])
  })
}
