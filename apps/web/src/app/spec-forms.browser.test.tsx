import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { messageBox, notices, openApp, press, signedIn, type, watchCaptcha } from '../test/open-app.tsx'
import { specProfile } from '../test/spec-answers.ts'
import { specPage } from '../test/spec-page.ts'

let at: ReturnType<typeof specPage>

beforeEach(() => {
  at = specPage()
})

const token = () => localStorage.getItem('tizaraUserToken')
const image = new File([Uint8Array.from(atob('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='), (c) => c.charCodeAt(0))], 'p.gif', {
  type: 'image/gif',
})

/** Opens a page with a captcha and reads it. */
async function openWithCaptcha(path: string): Promise<() => string> {
  const captcha = watchCaptcha()
  await openApp(path)
  await expect.poll(() => captcha.code.length).toBe(5)
  return () => captcha.code
}

it('[UI-SIGNIN-09] [API-18] [EN-01] [EN-02] signs in', async () => {
  const code = await openWithCaptcha('/auth/signin')
  await type('Email', 'amara@gmail.com')
  await type('Password', 'sunny meadow 42')
  await type('Captcha', code())
  await press('Sign In')
  await expect.element(messageBox().getByText('Login successfull')).toBeVisible()
  expect(at.server.bodies('POST /auth/login')).toEqual([{ email: 'amara@gmail.com', password: 'sunny meadow 42' }])
  expect(token()).toBe('fresh')
  await messageBox().getByRole('button', { name: 'OK' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await at.expectSound()
})

it('[UI-ADMIN-02] [API-19] [RT-17] signs in with the admin form, and opens the dashboard', async () => {
  await openApp('/auth-admin')
  await type('Email', 'amara@gmail.com')
  await type('Password', 'sunny meadow 42')
  await press('Sign In')
  await expect.poll(() => location.pathname).toBe('/dashboard')
  expect(at.server.bodies('POST /auth/user-login')).toEqual([{ email: 'amara@gmail.com', password: 'sunny meadow 42' }])
  expect(token()).toBe('fresh')
})

it('[UI-SIGNUP-14] [API-25] [EN-06] [EN-07] [ST-27] signs up without the key of an empty referral code', async () => {
  at.server.set('GET /profile', { success: true, data: { ...specProfile, isVerified: false } })
  const code = await openWithCaptcha('/auth/signup')
  await expect.poll(() => page.getByLabelText('Country').element().childElementCount).toBeGreaterThan(200)
  for (const [label, text] of [
    ['Name', 'Amara Obi'],
    ['Email', 'amara@gmail.com'],
    ['Phone', '(201) 555-0123'],
    ['Password', 'sunny meadow 42'],
  ] as const)
    await type(label, text)
  await type('Captcha', code())
  await press('Create account')
  await expect.element(messageBox().getByText('Please Check Your Mail & Confirm Your Registration')).toBeVisible()
  expect(at.server.bodies('POST /limit/auth/register')).toEqual([
    { name: 'Amara Obi', email: 'amara@gmail.com', phone: '+12015550123', password: 'sunny meadow 42' },
  ])
  await messageBox().getByRole('button', { name: 'OK' }).click()
  await expect.poll(() => location.pathname).toBe('/verify-token')
})

it('[UI-OTP-03] [UI-OTP-04] [API-27] [API-28] [API-29] requests a new code and verifies with a code', async () => {
  at.server.set('GET /profile', { success: true, data: { ...specProfile, isVerified: false } })
  await openApp('/verify-token', { tizaraUserToken: 'token', accessToken: 'token' })
  await press('Resend OTP')
  await expect.element(notices().getByText('Otp Send', { exact: true })).toBeVisible()
  expect(at.server.bodies('POST /limit/auth/resend-otp')).toEqual([undefined])
  at.server.set('GET /profile', { success: true, data: specProfile })
  await userEvent.fill(page.getByRole('textbox').first(), '123456')
  await press('Verify')
  await expect.element(page.getByText('User Verified', { exact: true })).toBeVisible()
  expect(at.server.bodies('POST /limit/auth/verify-token')).toEqual([{ token: '123456' }])
  await expect.poll(() => location.pathname).toBe('/dashboard')
})

it('[UI-VERIFY-03] [UI-VERIFY-04] [API-26] verifies with the mailed link', async () => {
  await openApp('/auth/verify?token=link-token')
  await press('Verify')
  await expect.element(page.getByText('Register successfull', { exact: true })).toBeVisible()
  const request = at.server.asked.find(({ call }) => call === 'POST /auth')
  expect([request?.body, request?.headers.get('authorization')]).toEqual([undefined, 'link-token'])
  expect(token()).toBe('fresh')
})

it('[UI-FORGOT-02] [API-30] [ER-41] requests a link to reset the password', async () => {
  await openApp('/auth/forgot-password')
  await type('Email', 'amara@gmail.com')
  await press('Send Reset Link')
  await expect.element(notices().getByText('Password reset email sent successfully', { exact: true })).toBeVisible()
  expect(at.server.bodies('POST /auth/forgot-password')).toEqual([{ email: 'amara@gmail.com' }])
})

it('[UI-RESET-04] [API-32] [ER-47] resets the password', async () => {
  await openApp('/auth/reset-password?token=link-token')
  await type('New Password', 'sunny meadow')
  await type('Confirm Password', 'sunny meadow')
  await press('Reset Password')
  await expect.element(notices().getByText('Account recovered', { exact: true })).toBeVisible()
  expect(at.server.bodies('POST /auth/reset-password')).toEqual([{ newPassword: 'sunny meadow', confirmPassword: 'sunny meadow' }])
})

it('[UI-NEWTICKET-05] [API-92] [ER-56] opens a ticket with title, description and image', async () => {
  await openApp('/create-ticket', signedIn)
  await userEvent.fill(page.getByRole('textbox', { name: 'Ticket Title' }), 'Not arrived')
  await userEvent.fill(page.getByRole('textbox', { name: 'Description' }), 'I sent 250 USDT')
  await userEvent.upload(page.getByLabelText(/^Image/), image)
  await press('Create Ticket')
  await expect.poll(() => location.pathname).toBe('/support')
  expect(at.server.bodies('POST /ticket/create')).toEqual([
    { title: 'Not arrived', description: 'I sent 250 USDT', image: expect.any(File) },
  ])
  await at.expectSound()
})

it('[UI-TICKET-04] [UI-TICKET-05] [API-91] [API-93] [ER-57] replies to a ticket and closes it', async () => {
  await openApp('/ticket/show/ticket-1', signedIn)
  await userEvent.fill(page.getByRole('textbox', { name: 'Message' }), 'Here is the hash')
  await press('Send')
  await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveValue('')
  expect(at.server.bodies('POST /ticket/create-replay')).toEqual([{ message: 'Here is the hash', ticketId: 'ticket-1' }])
  await press('Mark it close')
  await expect.element(page.getByText('Successfully closed', { exact: true })).toBeVisible()
  expect(at.server.bodies('PATCH /ticket/ticket-1')).toEqual([{ status: 'CLOSED' }])
  await at.expectSound()
})

it('[ST-12] [ST-14] [API-20] [EN-03] renews an expired token and repeats the call', async () => {
  at.server.set('GET /user-wallet', new Response('{"success":false,"message":"jwt expired"}', { status: 403 }))
  await openApp('/stack-coin', signedIn)
  await expect.poll(token).toBe('renewed')
  expect(at.server.bodies('POST /auth/refresh-token').length).toBeGreaterThan(0)
  const requests = at.server.asked.filter(({ call }) => call === 'GET /user-wallet').map(({ headers }) => headers.get('authorization'))
  expect(requests.slice(0, 2)).toEqual(['token', 'renewed'])
})

it('[ST-21] [ST-22] [API-23] logs out', async () => {
  await openApp('/profile', signedIn)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Amara Obi|account|profile/i })
    .click()
  await page.getByText('Log Out', { exact: true }).click()
  await expect.poll(() => location.pathname).toBe('/')
  await expect.poll(() => at.server.bodies('POST /auth/log-out').length).toBe(1)
  expect(token()).toBeNull()
})
