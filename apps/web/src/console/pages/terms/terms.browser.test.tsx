import { previewChange, proposeChange, staffCatalogue } from '@tizara/contract/staff-changes'
import { staffMe } from '@tizara/contract/staff'
import { staffTermsOfUse } from '@tizara/contract/staff-terms-of-use'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testStaff } from '../../../test/staff-api.ts'
import { testCatalogue } from '../../../test/test-catalogue.ts'

const hash = 'ab'.repeat(32)
const seen = { title: 'New text of the terms of use', before: {}, current: {}, basedOn: 'now', hash: 'h', at: '2026-03-02T09:00:00Z' }
const rows = [{ label: 'All members', after: 'have to accept it before they move money' }]
let api: FakeApi
beforeEach(() => {
  api = staffApi([])
    .reply(staffCatalogue, { ...testCatalogue, decisions: {} })
    .reply(staffTermsOfUse, { current: null, versions: [] })
})
const as = (...rights: string[]) => api.reply(staffMe, { ...testStaff, rights: ['staffCatalogue', 'staffTermsOfUse', ...rights] })

it('shows the terms in force and their versions, and no draft to a role that may not propose one', async () => {
  as().reply(staffTermsOfUse, {
    current: { text: 'Be fair.', link: null },
    versions: [
      { version: 4, hash, link: 'https://example.com/v4', startsAt: '2026-04-02T09:00:00Z', state: 'planned' },
      { version: 3, hash, link: null, startsAt: '2026-03-02T09:00:00Z', state: 'in force' },
    ],
  })
  await openConsole('/staff/terms')
  await expect.element(page.getByText('Be fair.')).toBeVisible()
  await expect.element(page.getByRole('row', { name: /^4 planned/ })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Draft a new version' })).toHaveAttribute('aria-disabled', 'true')
})

it('proposes a text, and refuses a link that is no https address before it is sent', async () => {
  as('change.terms-of-use', 'proposeChange', 'previewChange')
    .reply(previewChange, { ...seen, rows, blocks: [], overlaps: [] })
    .reply(proposeChange, { id: 'c9' })
  await openConsole('/staff/terms')
  await expect.element(page.getByText('No terms of use yet. Members are not asked for any.')).toBeVisible()
  await press('Draft a new version')
  await userEvent.click(page.getByRole('radio', { name: 'Link to a page' }))
  await userEvent.fill(page.getByLabelText('Link', { exact: false }).last(), 'javascript:alert(1)')
  await press('See what it does')
  await expect.element(page.getByText('Must be an address that starts with https://')).toBeVisible()
  await userEvent.click(page.getByRole('radio', { name: 'Text' }))
  await userEvent.fill(page.getByRole('textbox', { name: /^Text/ }), 'Be fair.')
  await press('See what it does')
  await expect.element(page.getByText('have to accept it before they move money')).toBeVisible()
  await userEvent.fill(page.getByLabelText('Reason'), 'our lawyer')
  await press('Propose this version')
  const change = { subject: 'terms-of-use', value: { text: 'Be fair.', link: null }, reason: 'our lawyer' }
  await expect.poll(() => api.calls(proposeChange).map((call) => call.body)).toEqual([change])
})
