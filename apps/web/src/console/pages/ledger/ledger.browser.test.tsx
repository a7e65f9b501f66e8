import { staffMe, staffAudit } from '@tizara/contract/staff'
import { checkAuditChain, staffAuditChain, startExport } from '@tizara/contract/staff-audit'
import { staffJob } from '@tizara/contract/staff-jobs'
import {
  staffLedgerAccount,
  staffLedgerAccounts,
  reverseTransfer,
  staffLedgerEntries,
  staffLedgerTransfer,
  staffTransferReceipts,
} from '@tizara/contract/staff-ledger'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { axeViolations } from '../../../test/list-check.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { pressAllOffline } from '../../../test/press-offline.ts'
import { staffApi, testStaff } from '../../../test/staff-api.ts'

const at = new Date(Date.now() - 3_600_000).toISOString()
const pool = { number: '-9200', name: 'SYS-REWARD', hint: 'reward pool, never below zero', asset: 'coin' as const, balance: 18_240_411.2 }
const kemi = { id: 'm1', name: 'Kemi \u202eAde', email: 'kemi@gmail.com' }
const entry = {
  id: '4812331',
  at,
  kind: 'levelReward',
  text: 'Level reward',
  amount: -1250,
  balanceAfter: 18_244_722.27,
  other: { number: '1122', name: 'Native Wallet', member: kemi },
}
const transfer = {
  id: '4812331',
  at,
  kind: 'levelReward',
  text: 'Level reward',
  asset: 'coin' as const,
  amount: 1250,
  pending: false,
  legs: [
    { number: '-9200', name: 'SYS-REWARD', amount: -1250, before: 18_245_972.27, after: 18_244_722.27 },
    { number: '1122', name: 'Native Wallet', member: kemi, amount: 1250, before: 402_118, after: 403_368 },
  ],
  cause: [
    { type: 'reward_instant', id: '77', text: 'Reward, level', detail: '41,666.67, 3 %, programme 4, level 2', at, transferId: '4812331' },
    { type: 'deposit', id: 'dp_77AM', text: 'Deposit', href: '/staff/deposits/dp_77AM', at, transferId: '4812000' },
  ],
  sameCause: [],
  reversal: { can: false, text: 'cancel the reward on hold under the member, or reverse its purchase' },
}
const row = {
  id: '9',
  createdAt: at,
  actor: 'ruth@example.com',
  name: 'Ruth Adeyemi',
  role: 'FINANCE',
  outcome: 'STAFF_ONLY',
  ip: '10.20.4.18',
  requestId: 'r-5511',
  hash: '71fe0a96'.repeat(8),
  previousHash: 'b8a07e13'.repeat(8),
  action: 'staff.request.approve',
  text: 'Approved the payout',
  subject: 'withdrawals wd_8K2M',
  reason: 'Called the number on file',
  details: { detail: { before: 'PENDING', after: 'PENDING' } },
}
const rights = ['staffLedgerAccounts', 'staffAudit', 'startExport', 'checkAuditChain']

let api: FakeApi
beforeEach(() => {
  api = staffApi([])
    .reply(staffMe, { ...testStaff, rights })
    .reply(staffLedgerAccounts, [pool])
    .reply(staffLedgerAccount, {
      ...pool,
      shards: [{ number: '-9200', balance: 18_240_411.2 }],
      kinds: [{ kind: 'levelReward', text: 'Level reward' }],
    })
    .reply(staffLedgerEntries, { data: [entry] })
    .reply(staffLedgerTransfer, transfer)
    .reply(staffAudit, { data: [row], meta: { total: 1, page: 1, limit: 50 } })
    .reply(staffAuditChain, { rows: 214_806, ok: true, checkedAt: at, tookMs: 3100, head: { row: '9', hash: row.hash, at } })
})
const text = (what: string | RegExp, options = {}) => page.getByText(what, options)

it('links an account to its entries, transfers and causes, and the cause to its page', async () => {
  await openConsole('/staff/ledger')
  await page.getByRole('button', { name: /SYS-REWARD 18\.24 M TIZARA/ }).click()
  await expect.element(text('Balance after')).toBeVisible()
  await page.getByRole('button', { name: /Level reward, Kemi/ }).click()
  await expect.poll(() => location.pathname).toBe('/staff/ledger/-9200/4812331')
  await expect.element(text('Cause')).toBeVisible()
  // A character that reorders text appears as its code point.
  await expect.element(page.getByRole('button', { name: 'Kemi ⟨U+202E⟩Ade, Native Wallet' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'dp_77AM' })).toHaveAttribute('href', '/staff/deposits/dp_77AM')
})

it('shows the income and outflow of 30 days, and a receipt as the member sees it', async () => {
  const receipt = {
    kind: 'transfer' as const,
    id: '4812331',
    title: 'Level reward',
    asset: 'coin' as const,
    amount: 1250,
    from: { label: 'Reward pool' },
    to: { label: 'Native Wallet', wallet: 'nativeWallet' as const },
    balanceAfter: 403_368,
    createdAt: at,
    lines: [],
  }
  api
    .reply(staffLedgerAccount, { ...pool, shards: [], kinds: [], month: { from: '2026-10-25', in: 3_002_000, out: 5_046_300.12 } })
    .reply(staffTransferReceipts, [{ member: kemi, receipt }])
  await openConsole('/staff/ledger/-9200/4812331')
  await expect.element(text('In, 30 days')).toBeVisible()
  await expect.element(text('5,046,300.12')).toBeVisible()
  await page.getByRole('button', { name: 'Receipt' }).click()
  const drawer = page.getByRole('dialog', { name: 'Receipt' })
  await expect.element(drawer.getByText('As Kemi ⟨U+202E⟩Ade reads it')).toBeVisible()
  await expect.element(drawer.getByText('403,368.00')).toBeVisible()
  expect(await axeViolations()).toEqual([])
})

it('folds a run’s payments to many members into one row with their sum', async () => {
  const paid = (id: number, run?: string) => ({
    ...entry,
    id: String(id),
    kind: 'stakeRewards',
    text: 'Daily stake rewards',
    amount: -10,
    other: { ...entry.other, member: { ...kemi, name: `Member ${id}` } },
    ...(run === undefined ? {} : { run }),
  })
  const back = { ...entry, id: '4812100', kind: 'reversal', text: 'Reversal', amount: 2000, tag: 'reversal' }
  api.reply(staffLedgerEntries, { data: [paid(9, '3312'), paid(8, '3312'), paid(7, '3312'), back, paid(5, '3311'), paid(4, '3311')] })
  await openConsole('/staff/ledger/-9200')
  const fold = page.getByRole('button', { name: /^Daily stake rewards, 3 entries run 3312/ })
  await expect.element(fold).toHaveAttribute('aria-expanded', 'false')
  await expect.element(page.getByRole('row', { name: /3 entries/ }).getByText('−30.00')).toBeVisible()
  expect(page.getByRole('button', { name: /Member 8/ }).elements()).toEqual([])
  await expect.element(page.getByRole('button', { name: /Member 5/ })).toBeVisible()
  await expect.element(page.getByRole('row', { name: /^.*Reversal, Kemi/ }).getByText('reversal', { exact: true })).toBeVisible()
  await expect.element(text(/^All 6: in/)).toHaveTextContent('All 6: in 2,000.00, out −50.00')
  await fold.click()
  await page.getByRole('button', { name: /Member 8/ }).click()
  await expect.poll(() => location.pathname).toBe('/staff/ledger/-9200/8')
  expect(await axeViolations()).toEqual([])
})

it('proposes a reversal after showing its effects', async () => {
  const moved = { ...transfer, reversal: { can: true, text: 'Nothing else follows.' } }
  api
    .reply(staffMe, { ...testStaff, rights: [...rights, 'reverseTransfer'] })
    .reply(staffLedgerTransfer, moved)
    .reply(reverseTransfer, { proposalId: 'c1' })
  await openConsole('/staff/ledger/-9200/4812331')
  await page.getByRole('button', { name: 'Propose reversal' }).click()
  await expect.element(text(/goes from Native Wallet back to SYS-REWARD, if it is still there/)).toBeVisible()
  await expect.element(text('Nothing else follows.')).toBeVisible()
  await page.getByLabelText('Reason').fill('paid twice')
  await page.getByRole('button', { name: 'Propose' }).click()
  await expect.poll(() => location.pathname).toBe('/staff/changes/c1')
  expect(api.calls(reverseTransfer).at(-1)?.body).toEqual({ reason: 'paid twice' })
})

it('links a reversed transfer to its reversal, and offers no second one', async () => {
  api.reply(staffLedgerTransfer, { ...transfer, reversal: { can: false, text: 'it was reversed' }, reversedBy: '4812400' })
  await openConsole('/staff/ledger/-9200/4812331')
  await expect.element(page.getByRole('link', { name: '4812400' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Propose reversal' }).elements()).toEqual([])
})

it('filters by kind and day on the server, keeps the filter in the address, and shows when no entry matches', async () => {
  await openConsole('/staff/ledger/-9200')
  api.reply(staffLedgerEntries, { data: [] })
  await page.getByLabelText('Kind').selectOptions('levelReward')
  await expect.element(text('No entry matches')).toBeVisible()
  await expect.poll(() => location.search).toBe('?kind=levelReward')
  expect(api.calls(staffLedgerEntries).at(-1)?.query.get('kind')).toBe('levelReward')
})

it('[I17] shows rows with rejections and their hashes, and all fields of a row on click', async () => {
  await openConsole('/staff/audit')
  await expect.element(text('The chain is unbroken')).toBeVisible()
  await expect.element(text('refused: STAFF_ONLY')).toBeVisible()
  expect(text('staff.request.approve').elements()).toEqual([])
  await page.getByRole('button', { name: 'Approved the payout' }).click()
  await expect.element(text(/staff\.request\.approve/)).toBeVisible()
  await expect.element(text(/request r-5511/)).toBeVisible()
  await page.getByRole('button', { name: 'Refused', exact: true }).click()
  await expect.poll(() => location.search).toBe('?kind=refused')
})

it('shows how far a search came, and searches further back from there', async () => {
  const end = { data: [], meta: { total: 0, page: 1, limit: 50 } }
  api.answer(staffAudit, ({ query }) => (query.get('before') === '164806' ? end : { ...end, searchedTo: { id: '164806', at } }))
  await openConsole('/staff/audit?q=nobody')
  await expect.element(text('No row matches so far')).toBeVisible()
  await expect.element(page.getByRole('status').filter({ hasText: /^Searched back to / })).toBeVisible()
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect.element(text('No row matches', { exact: true })).toBeVisible()
  expect(text(/^Searched back to /).elements()).toEqual([])
})

it('[I17] shows the first broken row, and the progress of a check', async () => {
  api
    .reply(staffAuditChain, { rows: 6, ok: false, checkedAt: at, tookMs: 20, firstBad: { row: '4', what: 'CUT' } })
    .reply(checkAuditChain, { jobId: 'j1' })
    .reply(staffJob, { id: 'j1', state: 'RUNNING', done: 5000, total: 214_806, etaSeconds: 3 })
  await openConsole('/staff/audit')
  await expect.element(text('The chain is broken')).toBeVisible()
  await expect.element(text('Row 4 is missing: the end of the log was cut off')).toBeVisible()
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect.element(text(/Checking every row, 5,000 of 214,806, about 3 s more/)).toBeVisible()
})

it('exports the shown rows into a file, or shows why it failed', async () => {
  api
    .reply(startExport, { jobId: 'j2' })
    .reply(staffJob, { id: 'j2', state: 'DONE', done: 1, total: 1, fileHref: '/staff/jobs/j2/file', fileName: 'audit.csv' })
  await openConsole('/staff/audit?kind=refused')
  await page.getByRole('button', { name: 'Export' }).click()
  await expect.element(page.getByRole('button', { name: 'Download audit.csv' })).toBeVisible()
  expect(api.calls(startExport).at(-1)?.body).toEqual({ list: 'audit', filter: { kind: 'refused' } })
})

it.each([
  ['/staff/audit', ['Check now', 'Export']],
  ['/staff/ledger/-9200', ['Export']],
])('sends nothing from %s while offline', async (path, buttons) => {
  await openConsole(path)
  await expect.element(page.getByRole('button', { name: 'Export' }).first()).toBeVisible()
  const { sent, pressed } = await pressAllOffline()
  expect(sent).toEqual([])
  expect(pressed).toEqual(expect.arrayContaining(buttons))
})
