import { staffMe } from '@tizara/contract/staff'
import { sendImportMails, staffImportReport, staffImports } from '@tizara/contract/staff-imports'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { axeViolations } from '../../../test/list-check.tsx'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { staffApi, testStaff } from '../../../test/staff-api.ts'

const AT = '2026-03-01T09:00:00.000Z'
const HASH = 'a'.repeat(64)
const ROW = {
  hash: HASH,
  status: 'APPROVED' as const,
  stagedAt: AT,
  approvedAt: AT,
  endedAt: null,
  members: 3,
  usd: 13.5,
  coin: 100,
  refusal: null,
  withoutAddress: 0,
  totals: [
    { key: 'members', expected: '3', imported: null },
    { key: 'balances.depositWallet', expected: '13.5', imported: null },
    { key: 'promisedCoin.2026-03', expected: '22', imported: null },
  ],
  raised: null,
  hasReport: false,
  mails: null,
}
const PROGRESS = { stage: 'balances' as const, done: 3_000, total: 5_000, isRunning: true, attempts: 2, error: 'no space left' }
const DONE = {
  ...ROW,
  status: 'DONE' as const,
  endedAt: AT,
  totals: ROW.totals.map((total) => ({ ...total, imported: total.expected })),
  raised: { coin: 41, usd: 0 },
  hasReport: true,
  mails: { waiting: 7_200, sent: 0, perHour: null },
}

function open(imports: object[], free = 0) {
  const api = staffApi([])
  const rights = ['staffImports', 'staffImportReport', 'sendImportMails']
  api.reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...rights] }).reply(staffImports, { free, imports } as never)
  return api
}

it('shows the way to a first import only while there is none', async () => {
  open([])
  await openConsole('/staff/imports')
  const steps = page.getByRole('region', { name: 'How to import members' })
  await expect.element(steps.getByText('tizara import propose FOLDER')).toBeVisible()
  await expect.element(steps.getByRole('link', { name: 'Proposals' })).toHaveAttribute('href', '/staff/changes')
  expect(await axeViolations()).toEqual([])
  open([{ ...ROW, progress: PROGRESS }])
  await openConsole('/staff/imports')
  await expect.element(page.getByText('Approved', { exact: true })).toBeVisible()
  expect(steps.elements()).toEqual([])
})

it('shows the progress of an approved import and the error of its last attempt', async () => {
  open([{ ...ROW, progress: PROGRESS }])
  await openConsole('/staff/imports')
  await expect.element(page.getByText('Adding balances, 3,000 of 5,000 rows, attempt 2')).toBeVisible()
  await expect.element(page.getByText(/added nothing: no space left/)).toBeVisible()
  await expect.element(page.getByText('not yet').first()).toBeVisible()
  expect(await axeViolations()).toEqual([])
})

it('shows totals beside those of the old platform, what is not covered, and sends mails with a ceiling', async () => {
  const api = open([DONE], -13.5)
  api.reply(sendImportMails, null, 'At most 600 mails go out per hour').reply(staffImportReport, { report: 'Report of an import\n' })
  await openConsole('/staff/imports')
  await expect.element(page.getByText('Not everything is covered')).toBeVisible()
  await expect.element(page.getByText('Equal').first()).toBeVisible()
  await expect.element(page.getByText('0 mails sent, 7,200 to send; sending is stopped')).toBeVisible()
  expect(await axeViolations()).toEqual([])
  const saved = vi.spyOn(URL, 'createObjectURL')
  await press('Download the signed report')
  await expect.poll(() => saved.mock.calls.length).toBe(1)
  await press('Send mails')
  const dialog = page.getByRole('dialog')
  await userEvent.fill(dialog.getByLabelText('Maximum mails per hour'), '600')
  await expect.element(dialog.getByText('All are sent in about 12 h.')).toBeVisible()
  await userEvent.fill(dialog.getByLabelText('Reason'), 'announced')
  await press('Save')
  await expect.poll(() => api.calls(sendImportMails).map(({ body }) => body)).toEqual([{ perHour: 600, reason: 'announced' }])
})
