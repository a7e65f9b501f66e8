import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../test/fake-api.ts'
import { profile } from '@tizara/contract/members'
import { memberApi, testMember } from '../test/member-api.ts'
import { openApp, signedIn } from '../test/open-app.tsx'

let api: FakeApi

beforeEach(() => {
  api = memberApi()
})

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const main = () => page.getByRole('main')

for (const path of ['/pay/success', '/pay/cancel']) {
  it(`[UI-PAY-01] [UI-PAY-02] ${path} says Payment Success and links to the dashboard`, async () => {
    await openApp(path)
    await expect.element(heading('Payment Success')).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'HOME', exact: true })).toHaveAttribute('href', '/')
    const text = path === '/pay/cancel' ? /Nothing was paid, and nothing was credited/ : /credited once the network has confirmed it/
    await expect.element(page.getByText(text)).toBeVisible()
    await expect.element(page.getByRole('link', { name: /state of your deposits/ })).toHaveAttribute('href', '/deposit-wallet-history')
    await expect.poll(() => document.title).toBe('Payment Success')
  })
}

for (const [row, path, title] of [
  ['UI-PLACEHOLDER-01', '/history/deposit-wallet', 'Deposit Wallet'],
  ['UI-PLACEHOLDER-02', '/history/Ico-wallet', 'ICO Wallet'],
  ['UI-PLACEHOLDER-03', '/history/native-wallet', 'Native Wallet'],
] as const) {
  it(`[${row}] [UI-PLACEHOLDER-04] ${path} shows three sample rows and calls nothing`, async () => {
    await openApp(path, signedIn)
    await expect.element(heading(title)).toBeVisible()
    await expect.element(main().getByText('Sample data')).toBeVisible()
    const headers = main().getByRole('columnheader')
    await expect.poll(() => headers.elements().map((cell) => cell.textContent?.trim())).toEqual(['SL NO', 'Date', 'Amount', 'Details'])
    await expect.poll(() => main().element().querySelectorAll('tbody tr').length).toBe(3)
    expect(api.names().filter((name) => name !== 'profile' && name !== 'appConfig')).toEqual([])
  })
}

it('[UI-PROFILE-02] [UI-PROFILE-03] [UI-PROFILE-04] [UI-PROFILE-05] [UI-PROFILE-06] shows the member’s data read-only', async () => {
  const image = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
  api.reply(profile, { ...testMember, email: 'amara@gmail.com', phone: '+12015550123', profileImage: image })
  await openApp('/profile', signedIn)
  for (const text of ['ACTIVE', 'GOLD', 'Special Member', 'Amara Obi', 'amara@gmail.com', '+12015550123', 'AMARA7', '1,284']) {
    await expect.element(main().getByText(text, { exact: true }).first()).toBeVisible()
  }
  expect(main().element().querySelector('img')?.src).toBe(image)
  const values = [...main().element().querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value)
  for (const text of ['Amara Obi', 'amara@gmail.com', '+12015550123']) expect(values).not.toContain(text)
  expect(main().element().querySelectorAll('dl input, dl select, dl textarea')).toHaveLength(0)
})

it('[UI-PROFILE-02] [UI-PROFILE-03] [UI-PROFILE-05] [UI-PROFILE-06] [EN-11] omits keys that the server does not send', async () => {
  api.reply(profile, { ...testMember, isActive: false, isSpecialRcm: false, rank: null })
  await openApp('/profile', signedIn)
  await expect.element(main().getByText('INACTIVE', { exact: true })).toBeVisible()
  await expect.element(main().getByText('Special Member')).not.toBeInTheDocument()
  await expect.element(main().getByText('Email', { exact: true })).not.toBeInTheDocument()
  expect(main().element().querySelector('img')).toBeNull()
  await expect.element(main().getByText('AO', { exact: true })).toBeVisible()
})

it('shows a not-found page at an unknown address', async () => {
  await openApp('/history/ico-wallet')
  await expect.element(heading('Page not found')).toBeVisible()
  await expect.poll(() => document.title).toBe('Not Found')
})

it('[GN-30] changes the title on every navigation', async () => {
  await openApp('/profile', signedIn)
  await expect.poll(() => document.title).toBe('Profile')
  await page.getByRole('link', { name: 'Support', exact: true }).click()
  await expect.poll(() => document.title).toBe('Support')
  history.back()
  await expect.poll(() => document.title).toBe('Profile')
})
