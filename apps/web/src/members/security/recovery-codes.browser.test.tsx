import { beginTotp, confirmTotp, countRecoveryCodes, renewRecoveryCodes } from '@tizara/contract/auth'
import { profile } from '@tizara/contract/members'
import { listPasskeys } from '@tizara/contract/passkeys'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../../test/fake-api.ts'
import { memberApi, testMember } from '../../test/member-api.ts'
import { openApp, press, signedIn } from '../../test/open-app.tsx'

let api: FakeApi
beforeEach(() => {
  api = memberApi().reply(listPasskeys, [])
})

const CODES = ['ABCDE-FGHJK', 'LMNPQ-RSTUV']

it('shows the recovery codes after the first code, and reads the profile again when the dialog closes over them', async () => {
  api
    .reply(profile, { ...testMember, secondFactor: false })
    .reply(countRecoveryCodes, { unused: 10 })
    .reply(beginTotp, { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP' })
    .reply(confirmTotp, { recoveryCodes: CODES })
  await openApp('/profile', signedIn)
  await press('Set up')
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await dialog.getByLabelText('Password', { exact: true }).fill('correct horse')
  await press('Continue')
  await dialog.getByLabelText('Authenticator code').fill('123456')
  await press('Switch on')
  for (const code of CODES) await expect.element(dialog.getByText(code)).toBeVisible()
  api.reply(profile, { ...testMember, secondFactor: true })
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(page.getByText('10 unused')).toBeVisible()
})

it('renews the recovery codes with a proof, and shows how many are unused', async () => {
  api
    .reply(profile, { ...testMember, secondFactor: true })
    .reply(countRecoveryCodes, { unused: 2 })
    .reply(renewRecoveryCodes, { recoveryCodes: CODES })
  await openApp('/profile', signedIn)
  await expect.element(page.getByText('2 unused')).toBeVisible()
  await press('Renew')
  const dialog = page.getByRole('dialog', { name: 'Renew the recovery codes' })
  await press('Renew codes')
  await expect.element(dialog.getByText('This field is required')).toBeVisible()
  await dialog.getByLabelText('Authenticator code').fill('123 456')
  api.reply(countRecoveryCodes, { unused: 10 })
  await press('Renew codes')
  for (const code of CODES) await expect.element(dialog.getByText(code)).toBeVisible()
  await press('I have saved them')
  await expect.element(page.getByText('10 unused')).toBeVisible()
  expect(api.calls(renewRecoveryCodes)[0]?.body).toEqual({ otp: '123456' })
})
