import { userLogin } from '@tizara/contract/auth'
import { inputErrors } from '@tizara/contract/errors'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { FakeApi } from '../../test/fake-api.ts'
import { axeViolations } from '../../test/list-check.tsx'
import { memberApi } from '../../test/member-api.ts'
import { openApp, signedIn } from '../../test/open-app.tsx'
import { readToken } from '../../lib/http/session.ts'
import { SandboxSheet } from './sandbox-sheet.tsx'

const sheet = {
  now: '2026-11-26T09:00:00.000Z',
  mails: true,
  apiDocs: true,
  password: 'Play-money-2026',
  accounts: [
    { name: 'Nova Lindqvist', email: 'nova@example.com', part: 'fresh member, nothing done yet', isStaff: false },
    { name: 'Ada Admin', email: 'admin@example.com', part: 'staff: admin', isStaff: true },
  ],
}

let api: FakeApi
const presses: string[] = []
beforeEach(() => {
  api = memberApi()
  presses.length = 0
  const calls = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const path = input instanceof Request ? input.url : String(input)
    if (path.endsWith('/sandbox/sheet')) return Promise.resolve(Response.json(sheet))
    if (!path.endsWith('/sandbox/later')) return calls(input, init)
    presses.push(new Headers(init?.headers).get('x-sandbox') ?? '')
    return Promise.resolve(Response.json({ now: '2026-11-27T09:00:00.000Z' }))
  })
})
afterEach(() => {
  document.querySelector('meta[name=sandbox]')?.remove()
})

const dialog = () => page.getByRole('dialog', { name: 'Sandbox' })

it('shows a badge on member pages in the sandbox, whose sheet passes axe', async () => {
  document.head.insertAdjacentHTML('beforeend', '<meta name="sandbox" content="on">')
  await openApp('/support', signedIn)
  await page.getByRole('button', { name: /^Sandbox/ }).click()
  await expect.element(dialog().getByRole('link', { name: 'Mails' })).toHaveAttribute('href', '/sandbox/outbox')
  await expect.element(dialog().getByRole('link', { name: 'Staff console' })).toHaveAttribute('href', '/auth-admin')
  expect(await axeViolations(dialog().element())).toEqual([])
})

it('signs in as the demo account and opens its first page', async () => {
  api.reply(userLogin, { token: 'staff-token', user: { isVerified: true } })
  const go = vi.fn<(href: string) => void>()
  await render(<SandboxSheet onClose={() => undefined} go={go} />)
  await dialog().getByRole('button', { name: 'Sign in as Ada Admin' }).click()
  await expect.poll(() => go.mock.calls).toEqual([['/staff']])
  expect(api.calls(userLogin)[0]?.body).toEqual({ email: 'admin@example.com', password: 'Play-money-2026' })
  expect(readToken()).toBe('staff-token')
})

it('shows why a demo account cannot sign in', async () => {
  api.refuse(userLogin, 400, inputErrors.SECOND_FACTOR_REQUIRED.message)
  const go = vi.fn<(href: string) => void>()
  await render(<SandboxSheet onClose={() => undefined} go={go} />)
  await dialog().getByRole('button', { name: 'Sign in as Ada Admin' }).click()
  await expect.element(dialog().getByText(inputErrors.SECOND_FACTOR_REQUIRED.message)).toBeVisible()
  expect(go).not.toHaveBeenCalled()
})

it('moves the clock by a day, shows the new time, and reloads the page when the sheet closes', async () => {
  const go = vi.fn<(href: string) => void>()
  await render(<SandboxSheet onClose={() => undefined} go={go} />)
  await expect.element(dialog().getByText('26 Nov 2026, 09:00')).toBeVisible()
  await dialog().getByRole('button', { name: 'A day later' }).click()
  await expect.element(dialog().getByText('27 Nov 2026, 09:00')).toBeVisible()
  expect(presses).toEqual(['later'])
  await dialog().getByRole('button', { name: 'Close' }).click()
  expect(go.mock.calls).toEqual([[location.href]])
})
