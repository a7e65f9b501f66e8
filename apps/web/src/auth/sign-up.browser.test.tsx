import { register } from '@tizara/contract/auth'
import { profile } from '@tizara/contract/members'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { memberApi, testMember } from '../test/member-api.ts'
import { messageBox, notices, openApp, press, type, watchCaptcha } from '../test/open-app.tsx'

let api: FakeApi
let captcha: ReturnType<typeof watchCaptcha>

beforeEach(() => {
  api = memberApi().reply(profile, { ...testMember, isVerified: false })
  captcha = watchCaptcha()
})

async function open(path = '/auth/signup'): Promise<void> {
  await openApp(path)
  await expect.poll(() => captcha.code.length).toBe(5)
  await expect.poll(() => page.getByLabelText('Country').element().childElementCount).toBeGreaterThan(200)
}

/** Fills the form with valid values, except those passed. */
async function fill(fields: { name?: string; email?: string; phone?: string; password?: string; referral?: string; code?: string } = {}) {
  await type('Name', fields.name ?? 'Amara Obi')
  await type('Email', fields.email ?? 'amara@gmail.com')
  await type('Phone', fields.phone ?? '(201) 555-0123')
  await type('Password', fields.password ?? 'sunny meadow 42')
  if (fields.referral !== undefined) await type('Referral Code', fields.referral)
  await type('Captcha', fields.code ?? captcha.code)
  await press('Create account')
}

const field = (name: string) => page.getByLabelText(name, { exact: true })

it('[UI-SIGNUP-03] [UI-SIGNUP-04] [UI-SIGNUP-07] [CO-08] shows empty fields, the phone of the US', async () => {
  await open()
  await expect.element(field('Name')).toHaveAttribute('placeholder', 'Enter your full name')
  await expect.element(field('Email')).toHaveValue('')
  await expect.element(field('Country')).toHaveValue('US')
  await expect.element(field('Phone')).toHaveValue('')
  await expect.element(field('Referral Code')).toHaveValue('')
})

it('[UI-SIGNUP-06] [UI-SIGNUP-08] [UI-SIGNUP-09] shows the password on demand, the captcha and the button', async () => {
  await open()
  await expect.element(field('Password')).toHaveAttribute('type', 'password')
  await press('Show password')
  await expect.element(field('Password')).toHaveAttribute('type', 'text')
  await expect.element(page.getByRole('img', { name: 'Image with five letters and digits' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Create account', exact: true })).toHaveAttribute('type', 'submit')
})

it('[UI-SIGNUP-01] [UI-SIGNUP-11] [UI-SIGNUP-12] [UI-SIGNUP-13] shows its title, and links to the home page and the sign-in', async () => {
  await open()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Sign Up to Tizara', exact: true })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Tizara home' })).toHaveAttribute('href', '/')
  await expect.element(page.getByText('Already have an account?', { exact: false })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Sign In', exact: true })).toHaveAttribute('href', '/auth/signin')
})

it('[UI-SIGNUP-02] reads the referral code from the address', async () => {
  await open('/auth/signup?referralCode=AMARA7')
  await expect.element(field('Referral Code')).toHaveValue('AMARA7')
})

it('[VA-01] [VA-10] [VA-11] [VA-16] [VA-18] requires name, email, phone and password, but no referral code', async () => {
  await open()
  await press('Create account')
  await expect.poll(() => page.getByText('This field is required').elements().length).toBe(4)
  for (const name of ['Name', 'Email', 'Phone', 'Password'])
    await expect.element(field(name)).toHaveAccessibleDescription(/^This field is required/)
  await expect.element(field('Referral Code')).not.toHaveAttribute('aria-invalid')
  expect(api.calls(register)).toHaveLength(0)
})

it('[VA-10] rejects a name of blanks', async () => {
  await open()
  await fill({ name: '   ' })
  await expect.element(field('Name')).toHaveAccessibleDescription('This field is required')
  expect(api.calls(register)).toHaveLength(0)
})

for (const email of ['amara', 'amara@gmail', '@gmail.com', 'amara @gmail.com']) {
  it(`[VA-12] [VA-13] rejects the email ${email}`, async () => {
    await open()
    await fill({ email })
    await expect.element(field('Email')).toHaveAccessibleDescription(/^Entered value does not match email format/)
    expect(api.calls(register)).toHaveLength(0)
  })
}

it('[VA-18] [VA-19] [VA-20] requires six characters of a password and of a referral code', async () => {
  await open()
  await fill({ password: '12345', referral: 'ABCDE' })
  await expect.element(field('Password')).toHaveAccessibleDescription(/^Minimum length is 6/)
  await expect.element(field('Referral Code')).toHaveAccessibleDescription(/Minimum length is 6/)
  expect(api.calls(register)).toHaveLength(0)
})

it('[VA-17] [VA-23] [ER-14] reports an invalid phone first and alone', async () => {
  await open()
  await fill({ phone: '123', email: 'amara@example.org', code: '?????' })
  await expect.element(messageBox().getByRole('heading', { name: 'Invalid Phone', exact: true })).toBeVisible()
  await expect.element(page.getByText('Captcha verification failed. Please try again.')).not.toBeInTheDocument()
  expect(api.calls(register)).toHaveLength(0)
})

it('[VA-22] [VA-23] [ER-16] reports a wrong captcha second and alone', async () => {
  await open()
  await fill({ email: 'amara@example.org', code: '?????' })
  await expect.element(page.getByText('Captcha verification failed. Please try again.')).toBeVisible()
  await expect.element(field('Captcha')).toHaveValue('')
  await expect.element(messageBox()).not.toBeInTheDocument()
  expect(api.calls(register)).toHaveLength(0)
})

it('[VA-14] [VA-23] [ER-15] reports a mail domain that is not allowed last', async () => {
  await open()
  await fill({ email: 'amara@example.org' })
  await expect.element(messageBox().getByRole('heading', { name: 'Invalid Email', exact: true })).toBeVisible()
  expect(api.calls(register)).toHaveLength(0)
})

it('shows the rules of the fields before the first submit', async () => {
  await open()
  await expect.element(field('Email')).toHaveAccessibleDescription(/Accepted: gmail\.com, .*outlook\.com\./)
  await expect.element(field('Password')).toHaveAccessibleDescription('At least 6 characters.')
  await expect.element(field('Referral Code')).toHaveAccessibleDescription(/^Optional\. At least 6 characters/)
})

it('shows all fieldErrors of filled fields at their fields when the focus leaves them', async () => {
  await open()
  await type('Email', 'amara@example.org')
  await type('Phone', '123')
  await type('Password', '12345')
  await type('Name', 'Amara Obi')
  await expect.element(field('Email')).toHaveAccessibleDescription(/^Addresses of this domain are not accepted\./)
  await expect.element(field('Phone')).toHaveAccessibleDescription('Not a phone number of the selected country.')
  await expect.element(field('Password')).toHaveAccessibleDescription(/^Minimum length is 6/)
  await type('Email', 'amara@gmail.com')
  await expect.element(field('Email')).toHaveAccessibleDescription(/^Accepted/)
})

it('keeps a right captcha when the mail domain is not accepted', async () => {
  api.reply(register, { token: 'fresh' })
  await open()
  await fill({ email: 'amara@example.org' })
  await messageBox().getByRole('button', { name: 'OK' }).click()
  await expect.element(field('Captcha')).toHaveValue(captcha.code)
  await type('Email', 'amara@gmail.com')
  await press('Create account')
  await expect.poll(() => api.calls(register).length).toBe(1)
})

for (const domain of ['gmail.com', 'Yahoo.com', 'hotmail.com', 'hotmail.co.uk', 'HOTMAIL.fr', 'outlook.com']) {
  it(`[VA-15] accepts ${domain}`, async () => {
    api.refuse(register, 400, 'Enough')
    await open()
    await fill({ email: `amara@${domain}` })
    await expect.element(messageBox().getByText('Enough')).toBeVisible()
    expect(api.calls(register)).toHaveLength(1)
  })
}

it('[UI-SIGNUP-10] [UI-SIGNUP-14] [ST-24] sends the typed values without an empty referral code, and shows a spinner instead of the button', async () => {
  const answer = api.hold(register, { token: 'fresh' })
  await open()
  await fill()
  await expect.element(page.getByRole('status').filter({ hasText: 'Sending' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Create account' })).not.toBeInTheDocument()
  await expect
    .poll(() => api.calls(register).map(({ body }) => body))
    .toEqual([{ name: 'Amara Obi', email: 'amara@gmail.com', phone: '+12015550123', password: 'sunny meadow 42' }])
  answer()
  await expect.element(messageBox()).toBeVisible()
})

it('[UI-SIGNUP-05] [UI-SIGNUP-14] sends the number of the chosen country and the referral code', async () => {
  api.refuse(register, 400, 'Enough')
  await open('/auth/signup?referralCode=AMARA7')
  await userEvent.selectOptions(field('Country'), 'GB')
  await fill({ phone: '07400 123456' })
  await expect.poll(() => api.calls(register).length).toBe(1)
  expect(api.calls(register)[0]?.body).toMatchObject({ phone: '+447400123456', referralCode: 'AMARA7' })
})

it('[UI-SIGNUP-15] [ST-25] [ST-26] [ST-27] [ST-28] stores the token under both keys, thanks the member, and opens the code page', async () => {
  api.reply(register, { token: 'fresh' })
  await open()
  await fill()
  await expect.element(messageBox().getByRole('heading', { name: 'Thank you', exact: true })).toBeVisible()
  await expect.element(messageBox().getByText('Please Check Your Mail & Confirm Your Registration', { exact: true })).toBeVisible()
  expect({ ...localStorage }).toEqual({ tizaraUserToken: 'fresh', accessToken: 'fresh', userStatus: 'false' })
  await messageBox().getByRole('button', { name: 'OK' }).click()
  await expect.poll(() => location.pathname).toBe('/verify-token')
})

it('[ER-08] [ER-13] [VA-21] [API-16] shows a rejection in an Error dialog', async () => {
  api.refuse(register, 400, 'Invalid referral code')
  await open()
  await fill({ referral: 'NOBODY' })
  await expect.element(messageBox().getByRole('heading', { name: 'Error', exact: true })).toBeVisible()
  await expect.element(messageBox().getByText('Invalid referral code')).toBeVisible()
  expect(localStorage.getItem('tizaraUserToken')).toBeNull()
})

it('[ER-08] [API-16] shows success false with status 200 in an Error dialog too', async () => {
  api.on(register, () => Response.json({ success: false, statusCode: 200, message: 'Email is taken' }))
  await open()
  await fill()
  await expect.element(messageBox().getByRole('heading', { name: 'Error', exact: true })).toBeVisible()
  await expect.element(messageBox().getByText('Email is taken')).toBeVisible()
})

it('[ER-09] shows an error when an answer has no token', async () => {
  api.on(register, () => Response.json({ success: true, statusCode: 200, message: '', data: { welcome: 'yes' } }))
  await open()
  await fill()
  await expect.element(notices().getByText('Something wrong', { exact: true })).toBeVisible()
})

it('[ER-10] shows the rejection after too many requests, and stops the spinner', async () => {
  api.refuse(register, 429, 'Slow down')
  await open()
  await fill()
  await expect.element(notices().getByText('Too many requests, please try again later')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Create account' })).toBeVisible()
})

for (const [name, refuse] of [
  ['500', (): unknown => api.refuse(register, 500, 'Broken')],
  ['no answer', (): unknown => api.drop(register)],
] as const) {
  it(`[ER-11] [ER-12] [ER-13] only logs ${name} and stops the spinner`, async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    refuse()
    await open()
    await fill()
    await expect.poll(() => log.mock.calls.length).toBe(1)
    await expect.element(page.getByRole('button', { name: 'Create account' })).toBeVisible()
    await expect.element(messageBox()).not.toBeInTheDocument()
    expect(
      notices()
        .elements()
        .map((element) => element.textContent),
    ).toEqual([''])
  })
}
