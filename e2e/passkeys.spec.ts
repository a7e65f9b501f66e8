import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { TOTP } from 'otpauth'
import { claimPort } from '../test/ports.ts'
import { acknowledge, complaints, signIn, watchCaptcha } from './browser-helpers.ts'
import { accessibilityViolations, PASSWORD, sidewaysScroll, signedIn } from './session.ts'
import { type Stack, startStack } from './stack.ts'

/** Platform authenticator, as on a laptop with a fingerprint reader. */
const BUILT_IN = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

let stack: Stack
let seconds = 0
test.beforeAll(async () => {
  const port = await claimPort()
  // Passkeys need a domain name; an IP address is not allowed.
  stack = await startStack('embedded', 'seeded', { PORT: String(port), PUBLIC_URL: `http://localhost:${port}` })
  stack.url = `http://localhost:${port}`
})
test.afterAll(({ browser }) => stack.stop(browser))

/** Enables passkeys on a page. @returns a function that sets the user verification result */
async function withAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options: BUILT_IN })
  return (isUserVerified: boolean) => devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}

/** Generates authenticator codes, each for a new time step, because a code is valid once. */
function codesOf(secret: string): () => Promise<string> {
  const app = new TOTP({ secret })
  return async () => {
    seconds += 30
    await stack.setClock(seconds)
    return app.generate({ timestamp: Date.now() + seconds * 1000 })
  }
}

async function setUpApp(page: Page): Promise<() => Promise<string>> {
  await page.goto(`${stack.url}/profile`)
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const code = codesOf(await dialog.getByLabel('Secret for your authenticator app').inputValue())
  await dialog.getByLabel('Authenticator code').fill(await code())
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await expect(dialog).toBeHidden()
  return code
}

/** Adds a passkey in the profile. */
async function addPasskey(page: Page, code: () => Promise<string>, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Authenticator code').fill(await code())
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
  await expect(page.getByText('The passkey is added.')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('not used yet')
}

async function withoutSession(context: BrowserContext, page: Page): Promise<void> {
  await page.goto(`${stack.url}/auth/forgot-password`)
  await page.evaluate(() => localStorage.clear())
  await context.clearCookies()
}

test('adds a passkey, confirms a payout and signs in with it, renames and removes it', { tag: '@extended' }, async ({ browser }) => {
  const context = await signedIn(browser, stack.url, 'amara')
  const page = await context.newPage()
  const messages = complaints(page)
  await page.goto(`${stack.url}/profile`)
  await expect(page.getByText('Set up the authenticator app first. A passkey then replaces its code.')).toBeVisible()
  await withAuthenticator(page)
  const code = await setUpApp(page)
  await addPasskey(page, code, 'Laptop')

  await page.goto(`${stack.url}/dashboard`)
  await page.getByRole('button', { name: 'Withdraw', exact: true }).first().click()
  const payout = page.getByRole('dialog', { name: 'Withdraw' })
  await payout.getByLabel('Amount').fill('12')
  await payout.getByLabel('Wallet Address (Bep 20)').fill('0xde709f2102306220921060314715629080e2fb77')
  await payout.getByRole('button', { name: 'Use a passkey instead' }).click()
  await expect(payout).toBeHidden()
  await expect(page.getByText('One step left')).toHaveCount(0)

  await withoutSession(context, page)
  await watchCaptcha(page)
  await signIn(page, stack.url, 'amara@example.com', PASSWORD)
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await acknowledge(page, 'Login successfull')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto(`${stack.url}/profile`)
  const row = page.getByRole('listitem').filter({ hasText: 'Laptop' })
  await expect(row).toContainText('last used')
  await page.getByRole('button', { name: 'Rename Laptop' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Old laptop')
  await dialog.getByLabel('Authenticator code').fill(await code())
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(dialog).toBeHidden()
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((value) => localStorage.setItem('color-theme', value), theme)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.reload()
      await page.getByRole('button', { name: 'Remove Old laptop' }).click()
      await expect(dialog).toBeVisible()
      expect.soft([theme, width, await accessibilityViolations(page)]).toEqual([theme, width, []])
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      expect.soft([theme, width, await accessibilityViolations(page)]).toEqual([theme, width, []])
      expect.soft([theme, width, await sidewaysScroll(page)]).toEqual([theme, width, 0])
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Old laptop' })
        .screenshot({ path: test.info().outputPath(`passkeys-${theme}-${width}.png`) })
    }
  }
  await page.getByRole('button', { name: 'Remove Old laptop' }).click()
  await dialog.getByLabel('Authenticator code').fill(await code())
  await dialog.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(page.getByText('Old laptop', { exact: true })).toHaveCount(0)

  await withoutSession(context, page)
  await signIn(page, stack.url, 'amara@example.com', PASSWORD)
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await acknowledge(page, 'This account has no passkey')
  expect(messages.filter((line) => !/status of 4\d\d/.test(line))).toEqual([])
  await context.close()
})

test('signs staff in with a passkey only when the browser verified the user', { tag: '@extended' }, async ({ browser }) => {
  const context = await signedIn(browser, stack.url, 'admin')
  const page = await context.newPage()
  const prove = await withAuthenticator(page)
  const code = await setUpApp(page)
  await addPasskey(page, code, 'Key of the house')
  await withoutSession(context, page)
  await page.goto(`${stack.url}/auth-admin`)
  await page.getByLabel('Email').fill('admin@example.com')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  const button = page.getByRole('button', { name: 'Use a passkey instead' })
  await prove(false)
  await button.click()
  await expect(page.getByText('No passkey was used.')).toBeVisible()
  for (const theme of ['light', 'dark'] as const)
    for (const width of [1440, 390]) {
      // A reload would restart the sign-in.
      await page.evaluate((isDark) => document.body.classList.toggle('dark', isDark), theme === 'dark')
      await page.setViewportSize({ width, height: 844 })
      expect.soft([theme, width, await accessibilityViolations(page), await sidewaysScroll(page)]).toEqual([theme, width, [], 0])
    }
  await prove(true)
  await button.click()
  await page.waitForURL(/\/staff/)
  await expect(page.getByRole('heading', { name: 'Overview' }).first()).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${stack.url}/staff/roles`)
  await page.getByRole('link', { name: 'Passkeys and app' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Key of the house' })).toContainText('last used')
  await context.close()
})
