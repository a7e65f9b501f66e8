import { chooseLanguage } from '@tizara/contract/languages'
import { profile } from '@tizara/contract/members'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { switchLanguage } from '../lib/language.ts'
import { memberApi, testMember } from '../test/member-api.ts'
import { openApp, signedIn } from '../test/open-app.tsx'

// A reload would end the test.
vi.mock(import('../lib/language.ts'), { spy: true })

const SPANISH = { language: 'es', name: 'Español', direction: 'ltr', reviewed: false, address: '/languages/es.1.json' }

let head: HTMLMetaElement
beforeEach(() => {
  vi.mocked(switchLanguage).mockReset().mockReturnValue()
  head = Object.assign(document.createElement('meta'), { name: 'languages', content: JSON.stringify([SPANISH]) })
  document.head.append(head)
})
afterEach(() => head.remove())

it('stores the language in the profile and shows the page in it', async () => {
  const api = memberApi()
    .reply(profile, { ...testMember, secondFactor: false, language: null })
    .reply(chooseLanguage, { language: 'es' })
  await openApp('/profile', signedIn)
  await page.getByRole('main').getByLabelText('Language', { exact: true }).selectOptions('Español')
  await expect.poll(() => vi.mocked(switchLanguage).mock.calls).toEqual([['es']])
  expect(api.names()).toContain('chooseLanguage')
})

it('offers the languages on pages without a session', async () => {
  memberApi()
  await openApp('/auth/forgot-password')
  await page.getByLabelText('Language', { exact: true }).selectOptions('Español')
  await expect.poll(() => vi.mocked(switchLanguage).mock.calls).toEqual([['es']])
})

it('offers no choice when the server has only English', async () => {
  head.remove()
  memberApi().reply(profile, { ...testMember, secondFactor: false })
  await openApp('/profile', signedIn)
  await expect.element(page.getByRole('heading', { name: 'Password', exact: true })).toBeVisible()
  await expect.element(page.getByLabelText('Language', { exact: true })).not.toBeInTheDocument()
})
