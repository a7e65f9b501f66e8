import { type Browser, expect, type Page, test } from '@playwright/test'
import { accessibilityFaults, PASSWORD } from './session.ts'
import { type Stack, startStack } from './stack.ts'

let stack: Stack
let ada: Page
let otto: Page
test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  stack = await startStack('embedded', 'seeded', { STAFF_SECOND_FACTOR: 'off' })
  ada = await entered(browser, 'admin')
  otto = await entered(browser, 'checker')
})
test.afterAll(({ browser }) => stack.stop(browser))
test.describe.configure({ mode: 'serial' })

/** Somebody of the staff who came in through the sign-in of staff. */
async function entered(browser: Browser, name: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await enter(page, name)
  return page
}
async function enter(page: Page, name: string): Promise<void> {
  // Whoever is signed in is led away from the form.
  await page.context().clearCookies()
  await page.goto(`${stack.url}/auth-admin`)
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${stack.url}/auth-admin`)
  await page.getByLabel('Email').fill(`${name}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/staff/)
}

test('[I13] changes the price for tomorrow: proposed by one, approved by another, in force at its time', async () => {
  await ada.goto(`${stack.url}/staff/catalogue`)
  const held = await ada.getByRole('region', { name: 'Coin price' }).locator('.big').innerText()
  const next = `${Number.parseFloat(held) - 0.0001}`.slice(0, 6)
  await ada.getByRole('button', { name: 'Propose another coin price' }).click()
  const sheet = ada.getByRole('dialog', { name: 'Another coin price' })
  await sheet.getByLabel('New value, USD').fill(next)
  const start = new Date(Date.now() + 86_400_000)
  await sheet.getByLabel('In force from, UTC').fill(start.toISOString().slice(0, 16))
  await sheet.getByRole('button', { name: 'See what it does' }).click()
  await expect(sheet.getByText('100 USD buy')).toBeVisible()
  await sheet.getByLabel('Reason').fill('The next step of the plan')
  await sheet.getByRole('button', { name: 'Propose' }).click()
  await expect(ada.getByText('Another person has to approve this.')).toBeVisible()
  await otto.goto(ada.url())
  await otto.getByRole('button', { name: /^Approve for / }).click()
  await expect(otto.getByText(/^Planned for/)).toBeVisible()
  await otto.goto(`${stack.url}/staff/catalogue`)
  await expect(otto.getByText(/planned, from/)).toBeVisible()
  await expect(otto.getByRole('region', { name: 'Coin price' }).locator('.big')).toContainText(String(Number.parseFloat(held)))
  stack.setClock('+25h')
  await enter(otto, 'checker')
  await otto.goto(`${stack.url}/staff/catalogue`)
  await expect(otto.getByRole('region', { name: 'Coin price' }).locator('.big')).toContainText(next)
})

test('[RW-10] fills the pool with the operator’s money by two, and shows the runs', async () => {
  await enter(ada, 'admin')
  await ada.goto(`${stack.url}/staff/rewards`)
  await ada.getByLabel('Amount').fill('2000')
  await ada.getByLabel('Where it comes from').selectOption('operator')
  await expect(ada.getByText('Cover after it')).toBeVisible()
  await ada.getByLabel('Reason to fund').fill('The year')
  await ada.getByRole('button', { name: 'Propose to fund' }).click()
  await expect(ada.getByText('Proposed; another person has to approve it')).toBeVisible()
  await otto.goto(`${stack.url}/staff/changes`)
  await otto.getByRole('option', { name: /2,000 coin into the pool, from outside/ }).click()
  await otto.getByRole('button', { name: /^Approve, in force at once/ }).click()
  await expect(otto.getByText('The change is in force')).toBeVisible()
})

for (const theme of ['light', 'dark'] as const)
  test(`shows catalogue, changes and rewards without a fault of access, ${theme}`, async () => {
    await ada.evaluate((value) => localStorage.setItem('color-theme', value), theme)
    for (const [view, title] of [
      ['catalogue', 'Catalogue'],
      ['rewards', 'Rewards and pool'],
      ['changes?for=all', 'Changes'],
    ] as const) {
      await ada.goto(`${stack.url}/staff/${view}`)
      await expect(
        ada
          .getByRole('heading', { name: title })
          .or(ada.getByRole('listbox', { name: title }))
          .first(),
      ).toBeVisible()
      expect.soft([view, await accessibilityFaults(ada)]).toEqual([view, []])
    }
  })
