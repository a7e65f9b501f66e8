import { type Browser, expect, type Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { acknowledge, complaints, readCaptcha, signIn, watchCaptcha } from './browser-helpers.ts'
import { test } from './fixtures.ts'
import { PASSWORD, registerMember, signedIn } from './session.ts'
import type { Stack } from './stack.ts'

const OWN = 'lantern-otter-1984'
const NEW = 'copper-violin-2077'

let stack: Stack
const found: string[] = []
test.beforeAll(({ stack: shared }) => {
  stack = shared
})

async function newPage(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await watchCaptcha(page)
  const messages = complaints(page)
  page.on('close', () => found.push(...messages))
  return page
}

const CONFIRM = /: confirm your registration$/
const RESET = /: choose a new password$/

/** Returns the product link in an email. */
function linkIn(mail: string): string {
  const link = /https?:\/\/\S+token=\S+/.exec(mail)?.[0]
  if (link === undefined) throw new Error(`no link in: ${mail}`)
  return link
}

interface SignUp {
  email: string
  phone?: string
  password?: string
  code?: string
}

async function fillSignUp(page: Page, { email, phone = '2025550143', password = OWN, code }: SignUp): Promise<void> {
  await page.getByLabel('Name').fill('Newcomer Nils')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Phone').fill(phone)
  await page.getByLabel('Password', { exact: true }).fill(password)
  if (code !== undefined) await page.getByLabel('Referral Code').fill(code)
  await page.getByLabel('Captcha', { exact: true }).fill(await readCaptcha(page))
  await page.getByRole('button', { name: 'Create account' }).click()
}

test('[UI-SIGNUP-02] [UI-SIGNUP-15] [ER-15] [ER-14] [UI-VERIFY-05] signs up under a sponsor, shows each rejection, and confirms with the mailed link', async ({
  browser,
}) => {
  const page = await newPage(browser)
  const email = `nils.${Date.now()}@gmail.com`
  const again = async (values: SignUp, title: string): Promise<void> => {
    await page.goto(`${stack.url}/auth/signup`)
    await fillSignUp(page, values)
    await acknowledge(page, title)
    await expect(page).toHaveURL(/\/auth\/signup/)
  }
  await again({ email: `nils.${Date.now()}@nowhere.example` }, 'Invalid Email')
  await again({ email, phone: '123' }, 'Invalid Phone')
  await again({ email, password: 'password1' }, 'This password is too easy to guess, please choose another')
  await again({ email, code: 'NOBODY-HAS-THIS' }, 'Invalid referral code')

  const sponsor = await signedIn(browser, stack.url, await registerMember(stack))
  const profile = await sponsor.newPage()
  await profile.goto(`${stack.url}/dashboard`)
  await expect(profile.getByLabel(/referral link/i).first()).not.toHaveValue('')
  const link = await profile
    .getByLabel(/referral link/i)
    .first()
    .inputValue()
  await sponsor.close()
  await page.goto(link)
  await expect(page.getByLabel('Referral Code')).not.toHaveValue('')
  await fillSignUp(page, { email })
  await acknowledge(page, 'Please Check Your Mail & Confirm Your Registration')
  await expect(page).toHaveURL(/\/verify-token$/)

  const confirm = linkIn(await stack.mailed(email, CONFIRM))
  await page.goto(confirm)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText('Register successfull')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('region', { name: 'Deposit Wallet', exact: true })).toBeVisible()

  await page.goto(`${stack.url}/auth/verify?token=never-given`)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText('Your verification link has been expired, please submit again')).toBeVisible()
  await expect(page).toHaveURL(/\/auth\/signup$/)
  await page.close()
})

test('[UI-OTP-04] [UI-OTP-05] [ER-50] [ER-51] sends a new code, rejects a wrong code, and accepts the right one', async ({ browser }) => {
  const page = await newPage(browser)
  const email = 'uma@example.com'
  await signIn(page, stack.url, email, PASSWORD)
  await acknowledge(page, 'You are not verified Please varfied email')
  await expect(page).toHaveURL(/\/verify-token$/)
  const before = (await stack.mailsTo(email, CONFIRM)).length
  await page.getByRole('button', { name: 'Resend OTP' }).click()
  await expect(page.getByText('Otp Send')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Resend OTP' })).toBeHidden()
  const code = /\b(\d{6})\b/.exec(await stack.mailed(email, CONFIRM, before))?.[1] ?? ''
  await page.getByLabel('One-time code').fill(code === '123456' ? '654321' : '123456')
  await page.getByRole('button', { name: 'Verify' }).click()
  await acknowledge(page, 'Invalid or expired OTP')
  await page.getByLabel('One-time code').fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByText('User Verified')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.close()
})

test('[UI-FORGOT-02] [UI-FORGOT-03] [UI-RESET-05] [VA-77] [ER-47] sets a new password by mail once, and answers the same for an unknown address', async ({
  browser,
}) => {
  const member = await registerMember(stack)
  const other = await signedIn(browser, stack.url, member)
  const page = await newPage(browser)
  const before = (await stack.mailsTo(member, RESET)).length
  for (const email of ['nobody.at.all@gmail.com', member]) {
    await page.goto(`${stack.url}/auth/forgot-password`)
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send Reset Link' }).click()
    await expect(page.getByText('Password reset email sent successfully')).toBeVisible()
    await expect(page).toHaveURL(/\/auth\/forgot-password$/)
  }
  const link = linkIn(await stack.mailed(member, RESET, before))
  expect(await stack.mailsTo('nobody.at.all@gmail.com', /./)).toEqual([])
  const reset = async (password: string, confirmed: string): Promise<void> => {
    await page.goto(link)
    await page.getByLabel('New Password').fill(password)
    await page.getByLabel('Confirm Password').fill(confirmed)
    await page.getByRole('button', { name: 'Reset Password' }).click()
  }
  await reset(NEW, OWN)
  await acknowledge(page, 'Password did not match')
  await reset(NEW, NEW)
  await expect(page.getByText('Account recovered')).toBeVisible()
  await expect(page).toHaveURL(/\/auth\/signin$/)
  await reset(OWN, OWN)
  await expect(page.getByText('Your reset link has expired, please request a new one')).toBeVisible()

  await signIn(page, stack.url, member, PASSWORD)
  await acknowledge(page, 'Invalid email or password')
  await signIn(page, stack.url, member, NEW)
  await acknowledge(page, 'Login successfull')
  await expect(page).toHaveURL(/\/dashboard$/)
  // The reset ended the earlier session.
  const old = await other.newPage()
  await old.goto(`${stack.url}/dashboard`)
  await expect(old).toHaveURL(`${stack.url}/`)
  await other.close()
  await page.close()
})

test('asks for the authenticator code at the next sign-in, and ends another session', async ({ browser }) => {
  const page = await newPage(browser)
  const email = await registerMember(stack)
  await signIn(page, stack.url, email, PASSWORD)
  await acknowledge(page, 'Login successfull')
  await page.goto(`${stack.url}/profile`)
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const secret = await dialog.getByLabel('Secret for your authenticator app').inputValue()
  const app = new TOTP({ secret })
  await dialog.getByLabel('Authenticator code').fill(app.generate())
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByText('The authenticator app is set up.')).toBeVisible()

  const second = await newPage(browser)
  await signIn(second, stack.url, email, PASSWORD)
  // Each code is valid once, so this uses the next 30 seconds.
  await second.getByLabel('Authenticator code').fill(app.generate({ timestamp: Date.now() + 30_000 }))
  await second.getByLabel('Captcha', { exact: true }).fill(await readCaptcha(second))
  await second.getByRole('button', { name: 'Sign In' }).click()
  await acknowledge(second, 'Login successfull')
  await expect(second).toHaveURL(/\/dashboard$/)

  await page.goto(`${stack.url}/profile`)
  await page
    .getByRole('button', { name: /^End session/ })
    .first()
    .click()
  await expect(page.getByText('The session has ended.')).toBeVisible()
  await second.goto(`${stack.url}/profile`)
  await expect(second).toHaveURL(`${stack.url}/`)
  await second.close()
  await page.close()
})

test('leaves no errors in the browser console', () => {
  // The browser logs each refused call.
  expect(found.filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
})
