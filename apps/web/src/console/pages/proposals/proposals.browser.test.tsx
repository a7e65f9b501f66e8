import { errorCatalogue } from '@tizara/contract/errors'
import { approveChange, cancelChange, rejectChange, staffChange, staffChanges } from '@tizara/contract/staff-changes'
import { staffMe } from '@tizara/contract/staff'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { axeViolations } from '../../../test/list-check.tsx'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { pressAllOffline } from '../../../test/press-offline.ts'
import { staffApi, testStaff } from '../../../test/staff-api.ts'

const at = new Date(Date.now() - 3_600_000).toISOString()
const price = {
  id: 'c1-price',
  subject: 'price' as const,
  value: { coinPrice: 0.0085 },
  before: { coinPrice: 0.008 },
  title: 'Coin 0.0080 → 0.0085 USD',
  reason: 'Next step of the plan',
  status: 'PENDING' as const,
  proposedBy: { id: 's2', name: 'Ruth Adeyemi', email: 'ruth@example.com' },
  mine: false,
  createdAt: at,
}
const own = { ...price, id: 'c2-own', mine: true, proposedBy: { id: 's1', name: 'Mei Tanaka', email: 'mei@example.com' } }
const rows = [{ label: '100 USD buy', before: '12,500', after: '11,764.70', unit: 'coin' }]
const effect = { rows, basedOn: 'the days from 2026-10-23 to 2026-11-21', hash: 'a41c09e7a41c09e7', at }
const full = {
  ...price,
  current: { coinPrice: 0.008 },
  effect,
  effectNow: effect,
  seen: '0123456789abcdef',
  blocks: [],
  overlaps: [],
  canDecide: true,
}
const rights = [...testStaff.rights, 'staffChanges', 'proposeChange', 'cancelChange', 'change.price']

let api: FakeApi
beforeEach(() => {
  api = staffApi([])
    .reply(staffMe, { ...testStaff, rights })
    .reply(staffChanges, { data: [price, own], meta: { total: 2, page: 1, limit: 100 } })
    .reply(staffChange, full)
    .reply(approveChange, null)
    .reply(rejectChange, null)
})

const shown = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()

it('shows the effect of a proposal, and applies it on approval', async () => {
  await openConsole(`/staff/changes/${price.id}`)
  await expect.element(page.getByRole('row', { name: 'Coin price 0.0080 USD 0.0085 USD' })).toBeVisible()
  await userEvent.fill(page.getByRole('textbox', { name: 'Reason' }), 'As agreed')
  await press('Approve, effective immediately A')
  await expect
    .poll(() => api.calls(approveChange).map(({ params, body }) => [params['id'], body]))
    .toEqual([[price.id, { reason: 'As agreed', seen: full.seen }]])
})

it('shows the proposed value beside the current one when that has changed', async () => {
  api.reply(staffChange, {
    ...full,
    startsAt: '2031-12-01T00:00:00Z',
    effectNow: { ...effect, hash: 'ffffffffffffffff', rows: [{ ...rows[0]!, after: '9,999' }] },
  })
  await openConsole(`/staff/changes/${price.id}`)
  await shown(/Its effect has changed since it was proposed/)
  await shown('Effect calculated at the proposal')
  await shown('9,999 coin')
  await shown('11,764.70 coin')
  await press('Approve for 1 Dec 2031 A')
  await expect.poll(() => api.calls(approveChange)).toHaveLength(1)
})

it('[RW-10] shows the coverage before and after to the approver of a credit', async () => {
  const coverage = [{ label: 'Free coverage in coin', before: '10', after: '6', unit: 'coin', good: false }]
  api.reply(staffChange, { ...full, effect: null, effectNow: null, coverage })
  await openConsole(`/staff/changes/${price.id}`)
  const region = page.getByRole('region', { name: 'Coverage before and after' })
  await expect.element(region.getByText('Free coverage in coin')).toBeVisible()
  await expect.element(region.getByText('10 →')).toBeVisible()
  await expect.element(region.getByText('6 coin')).toBeVisible()
  expect(page.getByText('What it does').elements()).toHaveLength(0)
})

it('cancels a scheduled proposal with a reason', async () => {
  api.reply(cancelChange, null)
  api.reply(staffChange, { ...full, status: 'PLANNED', startsAt: '2031-12-01T00:00:00Z', canDecide: false, whyNot: 'DECIDED' })
  await openConsole(`/staff/changes/${price.id}`)
  await press('Cancel proposal R')
  await shown('A cancellation needs a reason')
  await userEvent.fill(page.getByRole('textbox', { name: 'Reason' }), 'Not now')
  await press('Cancel proposal R')
  await expect.poll(() => api.calls(cancelChange).map((call) => call.body)).toEqual([{ reason: 'Not now' }])
})

it('prevents staff from approving their proposals, and requires a reason for a rejection', async () => {
  api.refuse(approveChange, 400, errorCatalogue.CHANGE_OUTDATED.message)
  api.reply(staffChange, { ...full, ...own, canDecide: false, whyNot: 'OWN' })
  await openConsole(`/staff/changes/${own.id}`)
  await shown('Another person has to approve this.')
  expect(page.getByRole('button', { name: /^Approve/ }).elements()).toHaveLength(0)
  await press('Cancel proposal R')
  await shown('A rejection needs a reason')
  expect(api.calls(rejectChange)).toHaveLength(0)
  api.reply(staffChange, full)
  await userEvent.click(page.getByRole('option', { name: /Ruth Adeyemi/ }).first())
  await press('Approve, effective immediately A')
  await shown(errorCatalogue.CHANGE_OUTDATED.message)
})

it('sends nothing about a proposal while offline', async () => {
  await openConsole(`/staff/changes/${price.id}`)
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toBeVisible()
  const { sent, pressed } = await pressAllOffline()
  expect(sent).toEqual([])
  expect(pressed).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Approve, effective immediately/), expect.stringMatching(/^Reject/)]),
  )
})

it('greys out proposals by the reader or about the reader’s account', async () => {
  const about = { ...price, id: 'c3-about', title: 'End the sessions of Mei Tanaka', aboutYou: true }
  api.reply(staffChanges, { data: [price, own, about], meta: { total: 3, page: 1, limit: 100 } })
  await openConsole('/staff/changes')
  const row = (text: RegExp) => page.getByRole('option', { name: text })
  await expect.element(row(/^price Coin 0\.0080 → 0\.0085 USD For others Mei Tanaka, you/)).toBeVisible()
  await expect.element(row(/End the sessions of Mei Tanaka For others Ruth Adeyemi, about you/)).toBeVisible()
  const ink = (text: RegExp) => getComputedStyle(row(text).element().querySelector('span') ?? document.body).color
  const others = ink(/Ruth Adeyemi \d/)
  for (const text of [/, you/, /, about you/]) expect(ink(text)).not.toBe(others)
  expect(await axeViolations()).toEqual([])
})
