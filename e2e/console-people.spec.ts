import { type Browser, expect, type Page, test } from '@playwright/test'
import { PASSWORD, signedIn } from './session.ts'
import { type Stack, startStack } from './stack.ts'

let stack: Stack
let member: Page
let support: Page
test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  stack = await startStack('embedded', 'seeded', { STAFF_SECOND_FACTOR: 'off' })
  member = await (await signedIn(browser, stack.url, 'amara')).newPage()
  support = await entered(browser, 'support')
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
