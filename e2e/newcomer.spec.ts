import { expect, type Locator, type Page, test } from '@playwright/test'
import { TOTP } from 'otpauth'
import { asStaff, PASSWORD } from './session.ts'
import { type Stack, startStack } from './stack.ts'

const extended = { tag: '@extended' }

let stack: Stack | undefined
test.afterEach(async ({ browser }) => {
  await stack?.stop(browser)
  stack = undefined
})

/** Counts the presses and page openings of a person. */
function newcomer(page: Page) {
  let actions = 0
  return {
    open: async (url: string) => {
      actions += 1
      await page.goto(url)
    },
    press: async (target: Locator) => {
      actions += 1
      await target.click()
    },
    actions: () => actions,
  }
}

test('approves a withdrawal with six actions from the printed address', async ({ page }) => {
  stack = await startStack('embedded')
  const { open, press, actions } = newcomer(page)
  await open(stack.url)
  await press(page.getByRole('button', { name: /^Sandbox/ }))
  await press(page.getByRole('button', { name: 'Sign in as Ada Admin' }))
  await press(page.getByRole('link', { name: /^Payouts/ }).first())
  await press(page.getByRole('listbox').getByRole('option').first())
  await press(page.getByRole('button', { name: /^Approve and pay/ }))
  await expect(page.getByText(/^(Paid|Approved)/).first()).toBeVisible()
  expect(actions()).toBe(6)
})

test('sets up the required second factor on the way to a page of the console', extended, async ({ page }) => {
  stack = await startStack('embedded', 'seeded', { STAFF_SECOND_FACTOR: 'required' })
  await page.goto(`${stack.url}/staff/payouts`)
  await page.getByLabel('Email').fill('admin@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('heading', { name: 'Set up an authenticator app' })).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  const app = new TOTP({ secret: await page.getByLabel('Secret for your authenticator app').inputValue() })
  await page.getByLabel('Authenticator code').fill(app.generate())
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page).toHaveURL(/\/staff\/payouts/)
  await expect(page.getByRole('heading', { level: 1, name: 'Payouts' })).toBeVisible()

  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies()
  await page.goto(`${stack.url}/auth-admin`)
  await page.getByLabel('Email').fill('admin@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  // Each code is valid once, so this is the next one.
  await page.getByLabel('Authenticator code').fill(app.generate({ timestamp: Date.now() + 30_000 }))
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/staff/)
})

test('pays the rewards of a day when the sandbox moves its clock', extended, async ({ page }) => {
  stack = await startStack('embedded')
  await page.goto(stack.url)
  await page.getByRole('button', { name: /^Sandbox/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Sandbox' })
  const before = new Date((await sheet.locator('time').getAttribute('datetime')) ?? '')
  await sheet.getByRole('button', { name: 'A day later' }).click()
  await expect(sheet.getByText('Rewards and other due work follow within a minute.')).toBeVisible()
  const after = new Date((await sheet.locator('time').getAttribute('datetime')) ?? '')
  expect(Math.round((after.getTime() - before.getTime()) / 3_600_000)).toBe(24)
  await sheet.getByRole('button', { name: 'Sign in as Amara Okafor' }).click()
  await expect(page).toHaveURL(/\/dashboard/)
  const staff = await asStaff(stack.url, 'admin')
  const hasPaid = async () => {
    const runs = (await staff('GET', '/staff/reward-runs?limit=5&page=1')) as { data: { dueUntil: string; finishedAt: string | null }[] }
    return runs.data.some((run) => run.finishedAt !== null && new Date(run.dueUntil) > before)
  }
  await expect.poll(hasPaid).toBe(true)
})
