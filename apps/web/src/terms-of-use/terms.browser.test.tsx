import { register } from '@tizara/contract/auth'
import { profile } from '@tizara/contract/members'
import { acceptTerms, acceptTermsByLink, termsOfUse } from '@tizara/contract/terms-of-use'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { memberApi, testMember } from '../test/member-api.ts'
import { openApp, press, signedIn, type, watchCaptcha } from '../test/open-app.tsx'

const hash = 'ab'.repeat(32)
const TERMS = { version: 3, text: 'Be fair.\nPay your debts.', link: null, hash, startsAt: '2026-03-02T09:00:00Z' }
const READ = { version: 3, hash }
const dialog = () => page.getByRole('dialog', { name: 'Terms of use' })

it('asks a signed-in member to accept the terms, and not again after the acceptance', async () => {
  let due = true
  const api = memberApi()
    .reply(termsOfUse, TERMS)
    .answer(profile, () => ({ ...testMember, ...(due ? { termsDue: 3 } : {}) }))
    .answer(acceptTerms, () => {
      due = false
      return null
    })
  await openApp('/profile', signedIn)
  await expect.element(dialog().getByText('Pay your debts.', { exact: false })).toBeVisible()
  await press('Accept')
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(api.calls(acceptTerms).map((call) => call.body)).toEqual([READ])
})

it('lets a member read on without accepting, and says why an acceptance failed', async () => {
  const api = memberApi()
    .reply(termsOfUse, { ...TERMS, text: null, link: 'https://example.com/terms' })
    .reply(profile, { ...testMember, termsDue: 3 })
    .refuse(acceptTerms, 400, 'The terms of use have changed, please read them again')
  await openApp('/profile', signedIn)
  await expect.element(dialog().getByRole('link', { name: 'https://example.com/terms' })).toHaveAttribute('rel', 'noopener noreferrer')
  await press('Accept')
  await expect.element(dialog().getByText('The terms of use have changed, please read them again')).toBeVisible()
  await press('Not now')
  await expect.element(dialog()).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  expect(api.calls(acceptTerms)).toHaveLength(1)
})

it('accepts the terms with a mailed link, and removes its token from the address', async () => {
  const api = memberApi().reply(termsOfUse, TERMS).reply(acceptTermsByLink, null)
  await openApp('/terms#m1.3.token')
  await expect.element(page.getByText('Version 3, in force since', { exact: false })).toBeVisible()
  await expect.poll(() => location.hash).toBe('')
  await press('Accept')
  await expect.element(page.getByText('You have accepted the terms of use.')).toBeVisible()
  expect(api.calls(acceptTermsByLink).map((call) => [call.body, call.headers.get('authorization')])).toEqual([[READ, 'm1.3.token']])
})

it('shows visitors the terms without a button, and says if there are none', async () => {
  memberApi().reply(termsOfUse, TERMS)
  await openApp('/terms')
  await expect.element(page.getByText('Be fair.', { exact: false })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Accept' })).not.toBeInTheDocument()
  memberApi().reply(termsOfUse, null)
  await openApp('/terms')
  await expect.element(page.getByText('There are no terms of use yet.')).toBeVisible()
})

it('requires the acceptance at the sign-up, and sends it after the registration', async () => {
  const captcha = watchCaptcha()
  const api = memberApi()
    .reply(profile, { ...testMember, isVerified: false })
    .reply(termsOfUse, TERMS)
    .reply(register, { token: 't' })
    .reply(acceptTerms, null)
  await openApp('/auth/signup')
  await expect.poll(() => captcha.code.length).toBe(5)
  const box = page.getByRole('checkbox', { name: 'I accept the terms of use' })
  await expect.element(box).toBeVisible()
  await type('Name', 'Amara Obi')
  await type('Email', 'amara@gmail.com')
  await expect.poll(() => page.getByLabelText('Country').element().childElementCount).toBeGreaterThan(200)
  await type('Phone', '(201) 555-0123')
  await type('Password', 'sunny meadow 42')
  await type('Captcha', captcha.code)
  await press('Create account')
  await expect.element(box).toHaveAccessibleDescription('This field is required')
  expect(api.calls(register)).toHaveLength(0)
  await userEvent.click(box)
  await press('Create account')
  await expect.poll(() => api.calls(acceptTerms).map((call) => call.body)).toEqual([READ])
  expect(api.calls(register).map((call) => Object.keys(call.body as object).toSorted())).toEqual([['email', 'name', 'password', 'phone']])
})

it('shows the checkbox of the sign-up without waiting for the terms, so that the button does not move', async () => {
  document.head.insertAdjacentHTML('beforeend', '<meta name="terms" content="on">')
  try {
    memberApi().refuse(termsOfUse, 503, 'Away')
    await openApp('/auth/signup')
    await expect.element(page.getByRole('checkbox', { name: 'I accept the terms of use' })).toBeVisible()
  } finally {
    document.querySelector('meta[name=terms]')?.remove()
  }
})
