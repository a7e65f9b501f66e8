import { login, refreshToken } from '@tizara/contract/auth'
import { errorCatalogue } from '@tizara/contract/errors'
import { profile } from '@tizara/contract/members'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { memberApi, testMember } from '../test/member-api.ts'
import { messageBox, notices, openApp, press, type, watchCaptcha } from '../test/open-app.tsx'

let api: FakeApi
let captcha: ReturnType<typeof watchCaptcha>

beforeEach(() => {
  api = memberApi()
  captcha = watchCaptcha()
})

async function open(stored?: Record<string, string>): Promise<void> {
  await openApp('/', stored)
  await expect.poll(() => captcha.code.length).toBe(5)
}

async function signIn(code = captcha.code): Promise<void> {
  await type('Email', 'amara@gmail.com')
  await type('Password', 'correct horse')
  await type('Captcha', code)
  await press('Sign In')
}

const code = () => page.getByLabelText('Captcha', { exact: true })

it('[UI-SIGNIN-01] [UI-SIGNIN-02] [UI-SIGNIN-03] [UI-SIGNIN-06] shows the form', async () => {
  await open()
  await expect.element(page.getByLabelText('Email')).toHaveAttribute('type', 'email')
  const password = page.getByLabelText('Password', { exact: true })
  await expect.element(password).toHaveAttribute('type', 'password')
  await press('Show password')
  await expect.element(password).toHaveAttribute('type', 'text')
  await press('Hide password')
  await expect.element(password).toHaveAttribute('type', 'password')
  await expect.element(page.getByRole('img', { name: 'Image with five letters and digits' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Sign In', exact: true })).toHaveAttribute('type', 'submit')
})

it('[UI-SIGNIN-04] [UI-SIGNIN-05] [UI-SIGNIN-08] shows the purpose of the page, and links to the other pages', async () => {
  await open()
  await expect.element(page.getByRole('link', { name: 'Forget password', exact: true })).toHaveAttribute('href', '/auth/forgot-password')
  await expect.element(page.getByText("Don't have any account?", { exact: false })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Sign Up', exact: true })).toHaveAttribute('href', '/auth/signup')
  await expect
    .element(page.getByText('Log in to access your personalised dashboard, track your progress and see the latest resources.'))
    .toBeVisible()
  expect(document.title).toBe('Sign In')
  await page.getByRole('link', { name: 'Forget password' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Forgot Password' })).toBeVisible()
  expect(document.title).toBe('Forgot Password')
})

it('[VA-01] [VA-02] [VA-03] requires email and password before a call', async () => {
  await open()
  await type('Captcha', captcha.code)
  await press('Sign In')
  await expect.poll(() => page.getByText('This field is required').elements().length).toBe(2)
  await expect.element(page.getByLabelText('Email')).toHaveAccessibleDescription('This field is required')
  await expect.element(page.getByLabelText('Email')).toHaveFocus()
  await type('Email', 'amara@gmail.com')
  await expect.poll(() => page.getByText('This field is required').elements().length).toBe(1)
  await expect.element(page.getByLabelText('Password', { exact: true })).toHaveAccessibleDescription('This field is required')
  await press('Sign In')
  expect(api.calls(login)).toHaveLength(0)
})

it('[UI-CAPTCHA-02] [UI-CAPTCHA-10] [VA-04] [CO-03] shows a code of five letters or digits', async () => {
  await open()
  expect(captcha.code).toMatch(/^[A-Za-z0-9]{5}$/)
  await expect.element(code()).toHaveValue('')
})

it('[UI-CAPTCHA-01] [VA-05] [CO-04] draws the code with noise on 125 × 40 pixels', async () => {
  await open()
  expect(captcha.size).toEqual([125, 40])
  expect(captcha.noise).toBeGreaterThan(0)
})

it('[UI-CAPTCHA-03] [VA-09] draws a new code and clears the text on refresh', async () => {
  await open()
  const first = captcha.code
  await type('Captcha', first)
  await press('New code')
  await expect.element(code()).toHaveValue('')
  await expect.poll(() => captcha.code).not.toBe(first)
  expect(captcha.code).toMatch(/^[A-Za-z0-9]{5}$/)
})

it('[UI-CAPTCHA-04] [UI-CAPTCHA-07] [UI-CAPTCHA-09] [VA-07] [VA-08] rejects a wrong code without a request, clears the text and keeps the image', async () => {
  await open()
  const first = captcha.code
  await signIn('?????')
  await expect.element(page.getByText('Captcha verification failed. Please try again.')).toBeVisible()
  await expect.element(code()).toHaveValue('')
  await expect.element(code()).toHaveFocus()
  expect(captcha.code).toBe(first)
  expect(api.calls(login)).toHaveLength(0)
})

it('[UI-CAPTCHA-05] [UI-CAPTCHA-06] [UI-CAPTCHA-08] [VA-06] [ST-29] checks the code on submit regardless of case, confirms it in green, and shows a new one', async () => {
  const answer = api.hold(login, { token: 'fresh', user: { isVerified: true } })
  await open()
  await expect.element(page.getByText('Captcha verified successfully!')).not.toBeInTheDocument()
  const swapped = [...captcha.code]
    .map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
    .join('')
  await signIn(swapped)
  const message = page.getByText('Captcha verified successfully!')
  await expect.element(message).toBeVisible()
  const green = document.createElement('p')
  green.style.color = 'var(--success)'
  document.body.append(green)
  expect(getComputedStyle(message.element()).color).toBe(getComputedStyle(green).color)
  green.remove()
  await expect.element(code()).toHaveValue('')
  await type('Captcha', 'x')
  await expect.element(message).not.toBeInTheDocument()
  expect(api.calls(login)).toHaveLength(1)
  answer()
  await expect.element(messageBox()).toBeVisible()
})

it('[UI-SIGNIN-07] [UI-SIGNIN-09] [ST-02] [API-05] [RO-04] sends email and password once with cookies, and shows a spinner instead of the button', async () => {
  const answer = api.hold(login, { token: 'fresh', user: { isVerified: true } })
  await open()
  await signIn()
  await expect.element(page.getByRole('status').filter({ hasText: 'Sending' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Sign In', exact: true })).not.toBeInTheDocument()
  await expect.poll(() => api.calls(login)).toHaveLength(1)
  const [seen] = api.calls(login)
  expect(seen?.body).toEqual({ email: 'amara@gmail.com', password: 'correct horse' })
  expect(seen?.credentials).toBe('include')
  expect(seen?.headers.get('Authorization')).toBeNull()
  answer()
  await expect.element(page.getByRole('button', { name: 'Sign In', exact: true })).toBeInTheDocument()
  expect(api.calls(login)).toHaveLength(1)
})

it('[ST-10] [BR-01] [BR-02] stores the token of a sign-in under its key', async () => {
  api.reply(login, { token: 'fresh', user: { isVerified: true } })
  await open()
  await signIn()
  await expect.element(messageBox()).toBeVisible()
  expect({ ...localStorage }).toEqual({ tizaraUserToken: 'fresh', accessToken: 'fresh', userStatus: 'true', popupShown: 'true' })
})

it('[UI-SIGNIN-10] [ST-05] [ST-06] signs in a verified member and opens the dashboard after 3 seconds', async () => {
  api.reply(login, { token: 'fresh', user: { isVerified: true } })
  await open()
  await signIn()
  await expect.element(messageBox().getByRole('heading', { name: 'Login successfull', exact: true })).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/')
  const from = performance.now()
  await expect.poll(() => location.pathname).toBe('/dashboard')
  expect(performance.now() - from).toBeGreaterThan(2000)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

it('[UI-SIGNIN-11] [ST-03] [ST-04] [ST-07] [ST-08] opens the code page for an unverified member when the dialog is closed', async () => {
  api.reply(login, { token: 'fresh', user: { isVerified: false } }).reply(profile, { ...testMember, isVerified: false })
  await open()
  await signIn()
  await expect.element(messageBox().getByRole('heading', { name: 'You are not verified Please varfied email', exact: true })).toBeVisible()
  await expect.element(messageBox().getByText('Success', { exact: true })).toBeInTheDocument()
  expect(messageBox().element().matches(':modal')).toBe(true)
  expect(localStorage.getItem('popupShown')).toBe('true')
  expect(localStorage.getItem('userStatus')).toBe('false')
  await messageBox().getByRole('button', { name: 'OK' }).click()
  await expect.poll(() => location.pathname).toBe('/verify-token')
})

it('[ER-01] shows a 400 as an Error dialog with the server’s message', async () => {
  api.refuse(login, 400, 'Email or password is wrong')
  await open()
  await signIn()
  await expect.element(messageBox().getByRole('heading', { name: 'Error', exact: true })).toBeVisible()
  await expect.element(messageBox().getByText('Email or password is wrong')).toBeVisible()
  expect(localStorage.getItem('tizaraUserToken')).toBeNull()
})

it('[ER-02] [CO-29] [GN-32] shows a 429 as a notice for 3 seconds', async () => {
  api.refuse(login, 429, 'Slow down')
  await open()
  await signIn()
  const notice = notices().getByText('Too many requests, please try again later')
  await expect.element(notice).toBeVisible()
  const from = performance.now()
  await expect.poll(() => notice.elements().length).toBe(0)
  expect(performance.now() - from).toBeGreaterThan(1500)
})

for (const [name, refuse] of [
  ['401', (): unknown => api.refuse(login, 401, 'No')],
  ['403', (): unknown => api.refuse(login, 403, 'No')],
  ['500', (): unknown => api.refuse(login, 500, 'No')],
  ['no answer', (): unknown => api.drop(login)],
] as const) {
  it(`[ER-03] [ST-18] shows no message for ${name}, ends the spinner and refreshes nothing`, async () => {
    refuse()
    await open()
    await signIn()
    await expect.poll(() => api.calls(login).length).toBe(1)
    await expect.element(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
    await expect.element(messageBox()).not.toBeInTheDocument()
    expect(
      notices()
        .elements()
        .map((element) => element.textContent),
    ).toEqual([''])
    expect(api.calls(refreshToken)).toHaveLength(0)
  })
}

it('shows a code field instead of a dialog when the server requires a second factor, and sends the code', async () => {
  api.refuse(login, 400, errorCatalogue.SECOND_FACTOR_REQUIRED.message)
  await open()
  await signIn()
  const field = page.getByLabelText('Authenticator code')
  await expect.element(field).toBeVisible()
  await expect.element(messageBox()).not.toBeInTheDocument()
  api.reply(login, { token: 'fresh', user: { isVerified: true } })
  await type('Authenticator code', '123456')
  await type('Captcha', captcha.code)
  await press('Sign In')
  await expect.element(messageBox().getByText('Login successfull')).toBeVisible()
  expect(api.calls(login).at(-1)?.body).toEqual({ email: 'amara@gmail.com', password: 'correct horse', otp: '123456' })
})

it('accepts a recovery code in place of the authenticator code', async () => {
  api.refuse(login, 400, errorCatalogue.SECOND_FACTOR_REQUIRED.message)
  await open()
  await signIn()
  await press('Use a recovery code')
  api.reply(login, { token: 'fresh', user: { isVerified: true } })
  await type('Recovery code', 'ABCDE-FGHJK')
  await type('Captcha', captcha.code)
  await press('Sign In')
  await expect.element(messageBox().getByText('Login successfull')).toBeVisible()
  expect(api.calls(login).at(-1)?.body).toEqual({ email: 'amara@gmail.com', password: 'correct horse', otp: 'ABCDE-FGHJK' })
})

it('explains the recovery of a lost phone beside the code field', async () => {
  api.refuse(login, 400, errorCatalogue.SECOND_FACTOR_REQUIRED.message)
  await open()
  await signIn()
  await page.getByText('I lost my phone').click()
  await expect.element(page.getByText('your second factor is removed after 7 days', { exact: false })).toBeVisible()
})

it('[UI-SIGNIN-12] [BR-05] redirects a signed-in member to the dashboard', async () => {
  await openApp('/auth/signin', { accessToken: 'token', tizaraUserToken: 'token', userStatus: 'true' })
  await expect.poll(() => location.pathname).toBe('/dashboard')
})

it('[RT-04] [UI-SIGNIN-13] stays open when another tab logs out and removes the keys one by one', async () => {
  await openApp('/dashboard', { accessToken: 'token', tizaraUserToken: 'token', userStatus: 'true' })
  await expect.element(page.getByRole('button', { name: 'Profile menu', exact: false })).toBeVisible()
  localStorage.removeItem('tizaraUserToken')
  dispatchEvent(new StorageEvent('storage', { key: 'tizaraUserToken' }))
  await expect.element(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  await expect.poll(() => location.pathname).toBe('/')
})

for (const stored of [
  { userStatus: 'true' },
  { tizaraUserToken: 'token', userStatus: 'true' },
  { accessToken: 'token' },
  // The member pages' guard would redirect back.
  { accessToken: 'token', userStatus: 'true' },
  { accessToken: 'token', userStatus: 'false' },
  { accessToken: 'token', userStatus: 'TRUE' },
]) {
  it(`[UI-SIGNIN-13] keeps the form with ${JSON.stringify(stored)}`, async () => {
    await open(stored)
    await expect.element(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
    await expect.poll(() => location.pathname).toBe('/')
  })
}
