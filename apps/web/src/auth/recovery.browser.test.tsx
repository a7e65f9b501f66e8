import { forgotPassword, refreshToken, resetPassword } from '@tizara/contract/auth'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { memberApi } from '../test/member-api.ts'
import { messageBox, notices, openApp, press, signedIn, type } from '../test/open-app.tsx'

let api: FakeApi

beforeEach(() => {
  api = memberApi()
})

const field = (name: string) => page.getByLabelText(name, { exact: true })

async function forget(email = ' amara@gmail.com '): Promise<void> {
  await openApp('/auth/forgot-password')
  await type('Email', email)
  await press('Send Reset Link')
}

it('[UI-FORGOT-01] [UI-FORGOT-02] [UI-FORGOT-03] [UI-FORGOT-04] [ER-41] mails a link and stays on the page', async () => {
  const answer = api.hold(forgotPassword, null)
  await forget()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Forgot Password', exact: true })).toBeVisible()
  await expect.element(page.getByRole('status').filter({ hasText: 'Sending' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Send Reset Link' })).not.toBeInTheDocument()
  expect(page.getByRole('textbox').elements()).toHaveLength(1)
  expect(api.calls(forgotPassword).map(({ body }) => body)).toEqual([{ email: 'amara@gmail.com' }])
  answer()
  await expect.element(notices().getByText('Password reset email sent successfully', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Send Reset Link' })).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/auth/forgot-password')
})

it('rejects a malformed email address', async () => {
  await forget('amara')
  await expect.element(field('Email')).toHaveAccessibleDescription('Entered value does not match email format')
  expect(api.calls(forgotPassword)).toHaveLength(0)
})

for (const [row, text, refuse] of [
  ['ER-42', 'No such thing', (): unknown => api.refuse(forgotPassword, 500, 'No such thing')],
  ['ER-42', 'An error occurred', (): unknown => api.refuse(forgotPassword, 500)],
  ['ER-43', 'No response from the server. Please try again later.', (): unknown => api.drop(forgotPassword)],
  ['ER-44', 'Too many requests, please try again later', (): unknown => api.refuse(forgotPassword, 429, 'Slow down')],
] as const) {
  it(`[UI-FORGOT-04] [${row}] says: ${text}`, async () => {
    refuse()
    await forget()
    await expect.element(notices().getByText(text, { exact: true })).toBeVisible()
  })
}

async function openReset(path = '/auth/reset-password?token=link-token', stored: Record<string, string> = {}): Promise<void> {
  await openApp(path, stored)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Reset Password' })).toBeVisible()
}

async function reset(first: string, second: string): Promise<void> {
  await type('New Password', first)
  await type('Confirm Password', second)
  await press('Reset Password')
}

it('[UI-RESET-01] [UI-RESET-02] [UI-RESET-03] [UI-RESET-04] [UI-RESET-05] sets a password with the token of the link', async () => {
  api.reply(resetPassword, null)
  await openReset(undefined, { tizaraUserToken: 'stored' })
  await reset('sunny meadow', 'sunny meadow')
  await expect.element(notices().getByText('Account recovered', { exact: true })).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/auth/signin')
  const [seen] = api.calls(resetPassword)
  expect(seen?.headers.get('Authorization')).toBe('link-token')
  expect(seen?.body).toEqual({ newPassword: 'sunny meadow', confirmPassword: 'sunny meadow' })
})

it('[VA-74] [VA-75] [VA-20] requires both fields with six characters', async () => {
  await openReset()
  await press('Reset Password')
  for (const name of ['New Password', 'Confirm Password'])
    await expect.element(field(name)).toHaveAccessibleDescription('This field is required')
  await reset('12345', '12345')
  for (const name of ['New Password', 'Confirm Password'])
    await expect.element(field(name)).toHaveAccessibleDescription('Minimum length is 6')
  expect(api.calls(resetPassword)).toHaveLength(0)
})

it('[VA-76] [VA-77] shows a mismatch without a call', async () => {
  await openReset()
  await reset('sunny meadow', 'sunny meadows')
  await expect.element(messageBox().getByRole('heading', { name: 'Password did not match', exact: true })).toBeVisible()
  expect(api.calls(resetPassword)).toHaveLength(0)
})

it('[ER-48] [ST-18] [UI-RESET-06] shows the server’s rejection, also for a link without a token, and keeps the browser’s session', async () => {
  api.refuse(resetPassword, 401, 'The link has expired')
  await openReset('/auth/reset-password', signedIn)
  await reset('sunny meadow', 'sunny meadow')
  await expect.element(notices().getByText('The link has expired', { exact: true })).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/auth/reset-password')
  expect(localStorage.getItem('tizaraUserToken')).toBe('token')
  expect(api.calls(resetPassword)[0]?.headers.get('Authorization')).not.toBe('token')
  expect(api.calls(refreshToken)).toHaveLength(0)
})

it('[ER-45] shows the rejection after too many resets', async () => {
  api.refuse(resetPassword, 429, 'Slow down')
  await openReset()
  await reset('sunny meadow', 'sunny meadow')
  await expect.element(notices().getByText('Too many requests, please try again later')).toBeVisible()
})

it('[ER-48] links from an expired link to a new request', async () => {
  api.refuse(resetPassword, 400, 'Your reset link has expired, please request a new one')
  await openReset()
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect.poll(() => location.pathname).toBe('/auth/forgot-password')
})
