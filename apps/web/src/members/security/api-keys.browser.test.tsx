import { createApiKey, endApiKey, listApiKeys } from '@tizara/contract/api-keys'
import { profile } from '@tizara/contract/members'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../../test/fake-api.ts'
import { memberApi, testMember } from '../../test/member-api.ts'
import { openApp, press, signedIn } from '../../test/open-app.tsx'

const rights = [
  { name: 'userWallet', group: 'Wallets', summary: 'Returns the balances.' },
  { name: 'movements', group: 'Wallets', summary: 'Lists movements.' },
  { name: 'myStakes', group: 'Staking', summary: 'Lists stakes.' },
]
const KEY = {
  id: 'k1',
  name: 'Tax program',
  rights: ['userWallet', 'movements'],
  networks: ['192.0.2.0/24'],
  createdAt: '2026-03-01T09:00:00.000Z',
  expiresAt: '2026-05-30T09:00:00.000Z',
  lastUsedAt: null,
  lastUsedIp: null,
}
let api: FakeApi
beforeEach(() => {
  api = memberApi()
    .reply(profile, { ...testMember, secondFactor: false })
    .reply(listApiKeys, { keys: [], rights })
})

it('creates a key for the chosen data after a proof, and shows it once', async () => {
  api.reply(createApiKey, { id: 'k1', key: 'tzk_secret' })
  await openApp('/profile', signedIn)
  await expect.element(page.getByText('No API keys yet.')).toBeVisible()
  await press('Create a key')
  const dialog = page.getByRole('dialog', { name: 'Create an API key' })
  await press('Create key')
  await expect.element(dialog.getByText('Choose at least one')).toBeVisible()
  await dialog.getByLabelText('Name').fill('Tax program')
  await dialog.getByRole('checkbox', { name: 'Wallets' }).click()
  await dialog.getByLabelText('Only from these networks').fill('192.0.2.0/24\n2001:db8::/32')
  await dialog.getByLabelText('Password', { exact: true }).fill('correct horse')
  api.reply(listApiKeys, { keys: [KEY], rights })
  await press('Create key')
  await expect.element(dialog.getByLabelText('API key', { exact: true })).toHaveValue('tzk_secret')
  await press('Done')
  await expect.element(page.getByText('Reads Wallets from 192.0.2.0/24')).toBeVisible()
  await expect.element(page.getByText('tzk_secret')).not.toBeInTheDocument()
  expect(api.calls(createApiKey)[0]?.body).toEqual({
    name: 'Tax program',
    rights: ['userWallet', 'movements'],
    networks: ['192.0.2.0/24', '2001:db8::/32'],
    days: 90,
    password: 'correct horse',
  })
})

it('revokes a key after a question', async () => {
  api.reply(listApiKeys, { keys: [KEY], rights }).reply(endApiKey, null)
  await openApp('/profile', signedIn)
  await press('Revoke Tax program')
  api.reply(listApiKeys, { keys: [], rights })
  await press('Revoke key')
  await expect.element(page.getByText('No API keys yet.')).toBeVisible()
  expect(api.calls(endApiKey)).toHaveLength(1)
})
