import { staffMe } from '@tizara/contract/staff'
import { proposeChange } from '@tizara/contract/staff-changes'
import { decideScreening, staffScreeningHits, staffScreeningLists, uploadScreeningList } from '@tizara/contract/staff-screening'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { axeViolations } from '../../../test/list-check.tsx'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testStaff } from '../../../test/staff-api.ts'

const AT = '2026-03-01T09:00:00.000Z'
const HASH = 'a'.repeat(64)
const HIT = {
  id: 'h1',
  member: { id: 'm1', name: 'Jane Roe', email: 'jane@gmail.com' },
  kind: 'name' as const,
  cause: 'list' as const,
  source: 'EU',
  reference: '7',
  listedName: 'ROE, Jane',
  listedOn: '2026-01-31',
  foundAt: AT,
  verdict: null,
  decidedAt: null,
}
const meta = { total: 1, page: 1, limit: 50 }
let api: FakeApi
beforeEach(() => {
  api = staffApi([])
  const rights = ['staffScreeningHits', 'staffScreeningLists', 'uploadScreeningList', 'decideScreening', 'change.screening-list']
  api
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...rights] })
    .reply(staffScreeningLists, {})
    .reply(staffScreeningHits, { data: [], meta: { ...meta, total: 0 } })
})

it('uploads a list, shows why one is refused, and proposes the stored one', async () => {
  api.refuse(uploadScreeningList, 400, 'The list cannot be used: it is cut off: the end mark is missing')
  await openConsole('/staff/screening')
  await expect.element(page.getByText('Without a list, nobody is compared.')).toBeVisible()
  expect(await axeViolations()).toEqual([])
  const choose = () => userEvent.upload(page.getByLabelText('Screening list'), new File(['x'], 'list.csv', { type: 'text/csv' }))
  await choose()
  await expect.element(page.getByText(/the end mark is missing/)).toBeVisible()
  api.reply(uploadScreeningList, { hash: HASH, entries: 2 })
  api.reply(staffScreeningLists, { staged: { hash: HASH, entries: 2, stagedAt: AT } }).reply(proposeChange, { id: 'c1' })
  await choose()
  await press('Propose this list')
  await userEvent.fill(page.getByRole('dialog').getByLabelText('Reason'), 'weekly list')
  await press('Propose')
  const body = { subject: 'screening-list', value: { hash: HASH }, reason: 'weekly list' }
  await expect.poll(() => api.calls(proposeChange).map((sent) => sent.body)).toEqual([body])
})

it('proposes a verdict on all matches of a member', async () => {
  const address = { ...HIT, id: 'h2', kind: 'address' as const, address: '0x00ab', cause: 'payout' as const }
  api
    .reply(staffScreeningLists, { active: { hash: HASH, entries: 1_200, activatedAt: AT, isCompared: false } })
    .reply(staffScreeningHits, { data: [HIT, address], meta: { ...meta, total: 2 } })
    .reply(decideScreening, { proposalId: 'c1' })
  await openConsole('/staff/screening')
  await expect.element(page.getByText(/1,200 entries/)).toBeVisible()
  await expect.element(page.getByText('0x00ab')).toBeVisible()
  expect(await axeViolations()).toEqual([])
  await userEvent.click(page.getByRole('button', { name: 'Decide: Jane Roe, EU 7' }).first())
  const dialog = page.getByRole('dialog')
  await userEvent.click(dialog.getByRole('button', { name: 'The listed person' }))
  await expect.element(dialog.getByText(/its payouts stay held/)).toBeVisible()
  await userEvent.fill(dialog.getByLabelText('Reason'), 'same passport')
  await userEvent.click(dialog.getByRole('button', { name: 'Propose' }))
  await expect
    .poll(() => api.calls(decideScreening).map((sent) => sent.body))
    .toEqual([{ hits: ['h1', 'h2'], verdict: 'same', reason: 'same passport' }])
})
