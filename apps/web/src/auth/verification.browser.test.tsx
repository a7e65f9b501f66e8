import { refreshToken, resendOtp, userLogin, verifyLink, verifyToken } from '@tizara/contract/auth'
import { profile } from '@tizara/contract/members'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { memberApi, testMember } from '../test/member-api.ts'
import { messageBox, notices, openApp, press, type } from '../test/open-app.tsx'

let api: FakeApi
const unverified = { tizaraUserToken: 'stored', accessToken: 'stored', userStatus: 'false' }

beforeEach(() => {
  api = memberApi().reply(profile, { ...testMember, isVerified: false })
})

async function openLink(): Promise<void> {
  await openApp('/auth/verify?token=link-token', unverified)
  await expect.element(page.getByRole('button', { name: 'Verify', exact: true })).toBeVisible()
}

it('[UI-VERIFY-01] [ST-36] shows one action, also to an unverified member who is signed in', async () => {
  await openLink()
  await expect.poll(() => api.calls(profile).length).toBeGreaterThan(0)
  await expect
    .poll(() =>
      page
        .getByRole('button')
        .elements()
        .map((button) => button.textContent),
    )
    .toEqual(['Verify'])
  await expect.poll(() => location.pathname).toBe('/auth/verify')
})

it('[UI-VERIFY-02] [UI-VERIFY-03] [UI-VERIFY-04] [ST-74] [BR-06] sends the token of the link, keeps the session, and opens the dashboard', async () => {
  await openLink()
  api.on(verifyLink, () => {
    api.reply(profile, testMember)
    return Response.json({ success: true, statusCode: 200, message: '', data: { token: 'fresh' } })
  })
  await press('Verify')
  await expect.element(notices().getByText('Register successfull', { exact: true })).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/dashboard')
  expect(api.calls(verifyLink).map(({ headers, body }) => [headers.get('Authorization'), body])).toEqual([['link-token', undefined]])
  expect(localStorage.getItem('tizaraUserToken')).toBe('fresh')
  expect(localStorage.getItem('accessToken')).toBe('fresh')
  expect(localStorage.getItem('userStatus')).toBe('true')
})

for (const status of [400, 401, 403]) {
  it(`[UI-VERIFY-05] [ST-75] [ST-18] [ER-52] [ER-54] opens sign-up after a ${status}, and keeps the session`, async () => {
    api.refuse(verifyLink, status, 'No')
    await openLink()
    await press('Verify')
    await expect.element(notices().getByText('Your verification link has been expired, please submit again', { exact: true })).toBeVisible()
    await expect.poll(() => location.pathname).toBe('/auth/signup')
    expect(localStorage.getItem('tizaraUserToken')).toBe('stored')
    expect(api.calls(refreshToken)).toHaveLength(0)
  })
}

for (const [name, refuse] of [
  ['a broken network', (): unknown => api.drop(verifyLink)],
  ['a broken server', (): unknown => api.refuse(verifyLink, 500, 'No')],
] as const) {
  it(`[ER-53] [ER-54] shows only the message after ${name}`, async () => {
    refuse()
    await openLink()
    await press('Verify')
    await expect.element(notices().getByText('An error occurred. Please try again.', { exact: true })).toBeVisible()
    await expect.poll(() => location.pathname).toBe('/auth/verify')
  })
}

async function openCode(stored: Record<string, string> = {}): Promise<void> {
  await openApp('/verify-token', { ...unverified, ...stored })
  await expect.element(page.getByLabelText('One-time code')).toBeVisible()
}

it('[UI-OTP-01] [UI-OTP-03] [UI-OTP-07] [ER-49] [BR-11] verifies the code with the stored token', async () => {
  await openCode({ otpResendExpiry: String(Date.now() + 60_000) })
  api.on(verifyToken, () => {
    api.reply(profile, testMember)
    return Response.json({ success: true, statusCode: 200, message: '', data: { token: 'fresh' } })
  })
  await type('One-time code', '123456')
  await press('Verify')
  await expect.element(notices().getByText('User Verified', { exact: true })).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/dashboard')
  const [seen] = api.calls(verifyToken)
  expect(seen?.headers.get('Authorization')).toBe('stored')
  expect(seen?.body).toEqual({ token: '123456' })
  expect(localStorage.getItem('tizaraUserToken')).toBe('fresh')
  expect(localStorage.getItem('accessToken')).toBe('fresh')
  expect(localStorage.getItem('otpResendExpiry')).toBeNull()
})

it('[UI-OTP-01] shows the code’s address, accepts a code pasted in two halves, and restores the focus after a rejection', async () => {
  api.reply(profile, { ...testMember, isVerified: false, email: 'amara@gmail.com' })
  api.refuse(verifyToken, 400, 'Invalid or expired OTP')
  await openCode()
  await expect.element(page.getByText('mailed to amara@gmail.com', { exact: false })).toBeVisible()
  await type('One-time code', ' 123 456 ')
  await press('Verify')
  await messageBox().getByRole('button', { name: 'OK' }).click()
  expect(api.calls(verifyToken)[0]?.body).toEqual({ token: '123456' })
  await expect.element(page.getByRole('button', { name: 'Verify', exact: true })).toHaveFocus()
})

it('[UI-OTP-01] shows each character of a pasted code in its own box', async () => {
  await openCode()
  const boxes = () => [...page.getByRole('main').element().querySelectorAll('[data-box]')].map((box) => box.textContent)
  expect(boxes()).toEqual(['', '', '', '', '', ''])
  await page.getByLabelText('One-time code').click()
  document.execCommand('insertText', false, '123-456')
  await expect.poll(boxes).toEqual(['1', '2', '3', '4', '5', '6'])
  await expect.element(page.getByLabelText('One-time code')).toHaveValue('123456')
})

it('[UI-OTP-02] verifies with the code after a new one was sent', async () => {
  api.reply(resendOtp, null)
  await openCode()
  await press('Resend OTP')
  await expect.element(page.getByLabelText('One-time code')).toHaveFocus()
})

it('[RT-15] shows the next step to visitors and to members who used the link of the mail', async () => {
  const visitor = await openApp('/verify-token')
  await expect.element(page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true })).toHaveAttribute('href', '/')
  await visitor.unmount()
  api.reply(profile, testMember)
  await openCode()
  await expect.element(page.getByRole('link', { name: 'Go to the dashboard' })).toHaveAttribute('href', '/dashboard')
})

it('[VA-78] requires six characters of a code', async () => {
  await openCode()
  await press('Verify')
  await expect.element(page.getByLabelText('One-time code')).toHaveAccessibleDescription('This field is required')
  await type('One-time code', '12345')
  await expect.element(page.getByLabelText('One-time code')).toHaveAccessibleDescription('Minimum length is 6')
  expect(api.calls(verifyToken)).toHaveLength(0)
})

it('[ER-51] shows a rejected code, and a rejected resend, in an Error dialog', async () => {
  api.refuse(verifyToken, 400, 'Invalid or expired OTP').refuse(resendOtp, 400, 'Not now')
  await openCode()
  await type('One-time code', '123456')
  await press('Verify')
  await expect.element(messageBox().getByRole('heading', { name: 'Error', exact: true })).toBeVisible()
  await expect.element(messageBox().getByText('Invalid or expired OTP')).toBeVisible()
  await messageBox().getByRole('button', { name: 'OK' }).click()
  await press('Resend OTP')
  await expect.element(messageBox().getByText('Not now')).toBeVisible()
})

it('[ER-46] shows the rejection after too many codes and too many resends', async () => {
  api.refuse(verifyToken, 429, 'No').refuse(resendOtp, 429, 'No')
  await openCode()
  await type('One-time code', '123456')
  await press('Verify')
  const notice = notices().getByText('Too many requests, please try again later')
  await expect.poll(() => notice.elements().length).toBe(1)
  await press('Resend OTP')
  await expect.poll(() => notice.elements().length).toBe(2)
})

const left = () =>
  Number(/can be sent in (\d+) s/.exec(page.getByText('A new code can be sent in', { exact: false }).element().textContent)?.[1])

it('[UI-OTP-02] [UI-OTP-06] [UI-OTP-07] [ST-55] [BR-10] sends a new code, then counts 90 seconds down', async () => {
  api.reply(resendOtp, null)
  await openCode()
  const resend = page.getByRole('button', { name: 'Resend OTP', exact: true })
  await expect.element(resend).toBeVisible()
  const at = Date.now()
  await resend.click()
  await expect.element(notices().getByText('Otp Send', { exact: true })).toBeVisible()
  await expect.element(resend).not.toBeInTheDocument()
  expect(api.calls(resendOtp)[0]?.headers.get('Authorization')).toBe('stored')
  expect(left()).toBeGreaterThan(84)
  expect(left()).toBeLessThanOrEqual(90)
  const expiry = Number(localStorage.getItem('otpResendExpiry'))
  expect(expiry).toBeGreaterThanOrEqual(at + 90_000)
  expect(expiry).toBeLessThanOrEqual(Date.now() + 90_000)
})

it('[UI-OTP-05] [ST-55] [ST-56] [ST-57] [BR-11] continues the countdown after a reload, and shows the button at zero', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  await openCode({ otpResendExpiry: String(Date.now() + 60_000) })
  const resend = page.getByRole('button', { name: 'Resend OTP', exact: true })
  await expect.element(resend).not.toBeInTheDocument()
  expect(left()).toBeLessThanOrEqual(60)
  await vi.advanceTimersByTimeAsync(60_000)
  await expect.element(resend).toBeVisible()
  expect(localStorage.getItem('otpResendExpiry')).toBeNull()
})

for (const expiry of [Date.now() - 1000, Date.now() + 3_600_000, 'soon']) {
  it(`[ST-57] starts no countdown on opening: ${typeof expiry === 'string' ? expiry : expiry < Date.now() ? 'past' : 'too far'}`, async () => {
    await openCode({ otpResendExpiry: String(expiry) })
    await expect.element(page.getByRole('button', { name: 'Resend OTP', exact: true })).toBeVisible()
  })
}

async function adminSignIn(): Promise<void> {
  await openApp('/auth-admin')
  await type('Email', 'staff@gmail.com')
  await type('Password', 'correct horse')
  await press('Sign In')
}

it('[UI-ADMIN-01] [UI-ADMIN-02] [UI-ADMIN-03] [UI-CAPTCHA-11] [ST-11] signs in with email and password only, without the announcement', async () => {
  const answer = api.reply(profile, testMember).hold(userLogin, { token: 'fresh', user: { isVerified: true } })
  await openApp('/auth-admin')
  await expect.element(page.getByLabelText('Email')).toBeVisible()
  expect(document.querySelectorAll('main input')).toHaveLength(2)
  expect(document.querySelector('canvas')).toBeNull()
  await type('Email', 'amara@gmail.com')
  await type('Password', 'correct horse')
  await press('Sign In')
  await expect.element(page.getByRole('status').filter({ hasText: 'Sending' })).toBeVisible()
  expect(api.calls(userLogin)[0]?.body).toEqual({ email: 'amara@gmail.com', password: 'correct horse' })
  answer()
  await expect.poll(() => location.pathname).toBe('/dashboard')
  expect(localStorage.getItem('tizaraUserToken')).toBe('fresh')
  expect(localStorage.getItem('accessToken')).toBe('fresh')
  expect(localStorage.getItem('popupShown')).toBeNull()
})

it('[UI-ADMIN-03] [ER-01] [ER-02] [ER-03] [ST-18] shows rejections like the sign-in page', async () => {
  api.refuse(userLogin, 400, 'Email or password is wrong')
  await adminSignIn()
  await expect.element(messageBox().getByRole('heading', { name: 'Error', exact: true })).toBeVisible()
  await expect.element(messageBox().getByText('Email or password is wrong')).toBeVisible()
  await messageBox().getByRole('button', { name: 'OK' }).click()
  api.refuse(userLogin, 429, 'Slow down')
  await press('Sign In')
  await expect.element(notices().getByText('Too many requests, please try again later')).toBeVisible()
  api.refuse(userLogin, 403, 'No')
  await press('Sign In')
  await expect.poll(() => api.calls(userLogin).length).toBe(3)
  await expect.element(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  await expect.element(messageBox()).not.toBeInTheDocument()
  expect(api.calls(refreshToken)).toHaveLength(0)
})
