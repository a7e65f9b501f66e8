import { expect, type Page, test } from '@playwright/test'
import { accessibilityViolations, brokenWords, enteredAsStaff, PASSWORD, sidewaysScroll } from './session.ts'
import { type Stack, startStack } from './stack.ts'

/** Runs only with `npm test -- --all`. */
const extended = { tag: '@extended' }

let stack: Stack
let ada: Page
let otto: Page
test.beforeAll(async ({ browser }) => {
  test.setTimeout(240_000)
  stack = await startStack('embedded', 'seeded', { STAFF_SECOND_FACTOR: 'off' })
  ada = await enteredAsStaff(browser, stack.url, 'admin')
  otto = await enteredAsStaff(browser, stack.url, 'checker')
})
test.afterAll(({ browser }) => stack.stop(browser))
test.describe.configure({ mode: 'serial' })

async function enter(page: Page, name: string): Promise<void> {
  // The form redirects a signed-in visitor.
  await page.context().clearCookies()
  // A page that notices the end of its session at this moment navigates too, and interrupts the first attempt.
  await expect(() => page.goto(`${stack.url}/auth-admin`)).toPass()
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${stack.url}/auth-admin`)
  await page.getByLabel('Email').fill(`${name}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/staff/)
}

const row = (page: Page, name: string | RegExp) => page.getByRole('listbox').getByRole('option', { name })

test('lowers the solo limit when a second person approves', extended, async () => {
  await ada
    .getByRole('link', { name: /^Proposals/ })
    .first()
    .click()
  await ada.getByRole('button', { name: 'Propose' }).click()
  await ada.getByRole('button', { name: 'Propose: Four eyes above' }).click()
  const sheet = ada.getByRole('dialog', { name: 'Four eyes above' })
  await sheet.getByLabel('USD', { exact: true }).fill('100')
  await sheet.getByRole('button', { name: 'See what it does' }).click()
  await sheet.getByLabel('Reason').fill('More eyes while we grow')
  await sheet.getByRole('button', { name: 'Propose' }).click()
  await expect(ada.getByText('Another person has to approve this.')).toBeVisible()
  await expect(ada.getByRole('button', { name: /^Approve/ })).toBeHidden()
  await otto.goto(ada.url())
  await expect(otto.getByRole('row', { name: /Four eyes above, USD 1,000 USD 100 USD/ })).toBeVisible()
  await otto.getByRole('button', { name: /^Approve, effective immediately/ }).click()
  await expect(otto.getByText('The change is now in effect')).toBeVisible()
})

test('shows within seconds which colleague has an item open', extended, async () => {
  await ada.goto(`${stack.url}/staff/payouts`)
  await row(ada, /./).first().click()
  await expect(ada).toHaveURL(/\/payouts\/[^/]+$/)
  await otto.goto(ada.url())
  await expect(ada.getByText('Otto is here too')).toBeVisible()
  await otto.goto(`${stack.url}/staff/tickets`)
  await expect(ada.getByText('Otto is here too')).toBeHidden()
})

for (const theme of ['light', 'dark'] as const) {
  test(`passes axe on every list in the ${theme} theme, wide and on a phone`, extended, async () => {
    await ada.evaluate((value) => localStorage.setItem('color-theme', value), theme)
    for (const width of [1440, 390]) {
      await ada.setViewportSize({ width, height: width === 1440 ? 900 : 844 })
      for (const view of ['?days=30', 'payouts', 'tickets', 'changes?for=decided', 'roles', 'rewards', 'programme', 'payout-rules']) {
        await ada.goto(`${stack.url}/staff/${view}`)
        await expect(ada.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(
          ada
            .getByRole('listbox')
            .or(ada.locator('main .text-center').filter({ visible: true }))
            .or(ada.getByRole('heading', { level: 2 }))
            .first(),
        ).toBeVisible()
        expect.soft([view, width, await accessibilityViolations(ada)]).toEqual([view, width, []])
        expect.soft([view, width, await sidewaysScroll(ada)]).toEqual([view, width, 0])
        expect.soft([view, width, await brokenWords(ada)]).toEqual([view, width, []])
      }
    }
  })
}

test('[I13] changes tomorrow’s price at its time when one person proposes and another approves', extended, async () => {
  await ada.setViewportSize({ width: 1440, height: 900 })
  await ada.goto(`${stack.url}/staff/catalogue`)
  const held = await ada.getByRole('region', { name: 'Coin price' }).getByRole('group', { name: 'Price now' }).innerText()
  const next = `${Number.parseFloat(held) - 0.0001}`.slice(0, 6)
  await ada.getByRole('button', { name: 'Propose another coin price' }).click()
  const sheet = ada.getByRole('dialog', { name: 'Another coin price' })
  await sheet.getByLabel('New value, USD').fill(next)
  const start = new Date(Date.now() + 86_400_000)
  await sheet.getByLabel('Effective from, UTC').fill(start.toISOString().slice(0, 16))
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
  await expect(otto.getByRole('region', { name: 'Coin price' }).getByRole('group', { name: 'Price now' })).toContainText(
    String(Number.parseFloat(held)),
  )
  await stack.setClock(25 * 3600)
  await enter(otto, 'checker')
  await otto.goto(`${stack.url}/staff/catalogue`)
  await expect(otto.getByRole('region', { name: 'Coin price' }).getByRole('group', { name: 'Price now' })).toContainText(next)
})

for (const theme of ['light', 'dark'] as const)
  test(`passes axe on catalogue, proposals and rewards in the ${theme} theme`, extended, async () => {
    await otto.evaluate((value) => localStorage.setItem('color-theme', value), theme)
    for (const [view, title] of [
      ['catalogue', 'Catalogue'],
      ['rewards', 'Rewards and pool'],
      ['changes?for=all', 'Proposals'],
    ] as const) {
      await otto.goto(`${stack.url}/staff/${view}`)
      await expect(
        otto
          .getByRole('heading', { name: title })
          .or(otto.getByRole('listbox', { name: title }))
          .first(),
      ).toBeVisible()
      expect.soft([view, await accessibilityViolations(otto)]).toEqual([view, []])
    }
  })
