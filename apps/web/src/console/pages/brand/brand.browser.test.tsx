import { staffLogo, uploadLogo } from '@tizara/contract/staff-brand'
import { previewChange, proposeChange, staffCatalogue } from '@tizara/contract/staff-changes'
import { staffMe } from '@tizara/contract/staff'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testStaff } from '../../../test/staff-api.ts'
import { testCatalogue } from '../../../test/test-catalogue.ts'

const HASH = 'ab'.repeat(32)
const IMAGE = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
const seen = {
  title: 'Brand: Tizara → Coral',
  before: {},
  current: {},
  basedOn: 'now',
  hash: 'h',
  at: '2026-03-02T09:00:00Z',
  blocks: [],
  overlaps: [],
}
const rows = [{ label: 'Links, light theme', before: '#ffd400', after: '#826b00 (nearest with enough contrast)' }]
let api: FakeApi
beforeEach(() => {
  api = staffApi([]).reply(staffCatalogue, { ...testCatalogue, decisions: {} })
})
const as = (...rights: string[]) => api.reply(staffMe, { ...testStaff, rights: ['staffCatalogue', ...rights] })

it('shows the brand in force, and no draft to a role that may not propose one', async () => {
  as()
  await openConsole('/staff/brand')
  await expect.element(page.getByRole('region', { name: 'As members see it' }).getByText('Mail from Tizara').first()).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Draft a new brand' })).toHaveAttribute('aria-disabled', 'true')
})

it('previews a draft in both themes, uploads its logo, says which colours are used and proposes it', async () => {
  as('change.brand', 'proposeChange', 'previewChange', 'uploadLogo')
    .reply(uploadLogo, { hash: HASH })
    .reply(staffLogo, { image: IMAGE })
    .reply(previewChange, { ...seen, rows })
    .reply(proposeChange, { id: 'c9' })
  await openConsole('/staff/brand')
  await press('Draft a new brand')
  await userEvent.fill(page.getByLabelText('Name', { exact: true }), 'Coral')
  await userEvent.fill(page.getByLabelText('Accent colour', { exact: true }), '#ffd40')
  await userEvent.fill(page.getByLabelText('Terms'), 'javascript:alert(1)')
  await press('See what it does')
  await expect.element(page.getByText('Accent colour: Must be a colour such as #1a73e8')).toBeVisible()
  await userEvent.fill(page.getByLabelText('Accent colour', { exact: true }), '#ffd400')
  await press('See what it does')
  await expect.element(page.getByText('Terms: Must be an address that starts with https://')).toBeVisible()
  await userEvent.fill(page.getByLabelText('Terms'), 'https://example.com/terms')
  await userEvent.upload(page.getByLabelText('Logo', { exact: true }), new File(['<svg/>'], 'coral.svg', { type: 'image/svg+xml' }))
  await expect.element(page.getByText('coral.svg')).toBeVisible()
  const logo = page.getByRole('region', { name: 'As members see it' }).nth(1).getByRole('presentation').first()
  await expect.element(logo).toHaveAttribute('src', IMAGE)
  expect(api.calls(staffLogo)[0]?.params).toEqual({ id: HASH })
  await press('See what it does')
  await expect.element(page.getByText('#826b00 (nearest with enough contrast)')).toBeVisible()
  await userEvent.fill(page.getByLabelText('Reason'), 'our name')
  await press('Propose this brand')
  const none = { senderName: null, logoDark: null, privacy: null, imprint: null, support: null }
  const value = { ...none, name: 'Coral', accent: '#ffd400', logo: HASH, terms: 'https://example.com/terms' }
  await expect.poll(() => api.calls(proposeChange).map((call) => call.body)).toEqual([{ subject: 'brand', value, reason: 'our name' }])
})

it('shows why a logo is refused', async () => {
  as('change.brand', 'uploadLogo').refuse(uploadLogo, 400, 'The logo cannot be used: it contains a script')
  await openConsole('/staff/brand')
  await press('Draft a new brand')
  await userEvent.upload(page.getByLabelText('Logo', { exact: true }), new File(['<svg/>'], 'coral.svg', { type: 'image/svg+xml' }))
  await expect.element(page.getByText('The logo cannot be used: it contains a script')).toBeVisible()
})
