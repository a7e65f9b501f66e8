import { startExport } from '@tizara/contract/staff-audit'
import { staffJob } from '@tizara/contract/staff-jobs'
import { cancelAccountRecovery, proposeAccountRecovery, revealMember, viewAsMember } from '@tizara/contract/staff-member-acts'
import { staffMemberLedger, staffMemberNotes, staffTimeline } from '@tizara/contract/staff-member-pages'
import { saveSegment, staffSegments } from '@tizara/contract/staff-saved-segments'
import { creditRcm, setMemberStatus, staffMemberDetail, staffMembers } from '@tizara/contract/staff-members'
import { proposeChange } from '@tizara/contract/staff-changes'
import { closeCase, openCase } from '@tizara/contract/staff-cases'
import { reviewLinkedAccount, staffLinkedAccounts } from '@tizara/contract/staff-linked-accounts'
import { staffMe } from '@tizara/contract/staff'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { axeViolations } from '../../../test/list-check.tsx'
import { press, signedIn } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { pressAllOffline } from '../../../test/press-offline.ts'
import { staffApi, testStaff } from '../../../test/staff-api.ts'

const at = new Date(Date.now() - 3_600_000).toISOString()
const row = {
  id: 'm1',
  name: 'Ifeoma Balogun',
  email: 'ifeoma@gmail.com',
  phone: '+234 803 ••• ••18',
  status: true,
  isVerified: true,
  isActive: true,
  isSpecialRcm: true,
  rank: 'silver',
  myReferralCode: 'IFEB7Q',
  sponsor: null,
  referralCount: 38,
  createdAt: at,
}
const balances = {
  depositWallet: 218.4,
  nativeWallet: 84_120.55,
  icoWallet: 0,
  newIcoWallet: 0,
  stakeWallet: 0,
  nftWallet: 0,
  rcmWallet: 7,
}
const detail = {
  member: { ...row, secondFactor: false, isStaff: false, timeZone: 'Africa/Lagos' },
  balances,
  sessions: 1,
  held: { usd: 5000, coin: 0 },
  worthUsd: 6427.29,
  coinPrice: 0.008,
  flags: [{ code: 'RESET', text: 'The password was reset in the last three days', until: at }],
  counts: { purchases: 11, team: 38, sessions: 1, tickets: 3, notes: 1 },
  openItems: [{ kind: 'payout' as const, id: 'p1', text: 'A payout of 5000 USD awaits approval', since: at, href: '/staff/payouts/p1' }],
}
const trace = {
  id: '7',
  member: { id: 'm1', name: 'Grace Wanjiru', email: 'g@gmail.com' },
  upline: { id: 'm2', name: 'Peter Njoroge', email: 'p@gmail.com' },
  level: 1,
  sameAddress: true,
  sameDevice: true,
  samePayoutAddress: false,
  times: 9,
  firstSeenAt: at,
  lastSeenAt: at,
  earned: { coin: 6000, usd: 0 },
}
const desk = [
  'staffMembers',
  'staffLinkedAccounts',
  'endMemberSessions',
  'revealMember',
  'viewAsMember',
  'reviewLinkedAccount',
  'creditRcm',
]
const whoCan = { setMemberStatus: ['ADMIN' as const] }

let api: FakeApi
beforeEach(() => {
  api = staffApi([])
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...desk], whoCan })
    .reply(staffMembers, { data: [row], meta: { total: 1, page: 1, limit: 50 } })
    .reply(staffMemberDetail, detail)
    .reply(staffTimeline, {
      rows: [
        { id: 'm9', at, kind: 'money', text: 'Payout requested, on hold', amount: -5000, asset: 'usd', href: '/staff/ledger/1/9' },
        {
          id: 'a4',
          at,
          kind: 'staff',
          text: 'gave the first approval',
          detail: '“Called \u202Eback”',
          by: { id: 'r', name: 'Ruth', email: '' },
        },
      ],
    })
})

const shown = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()

it('[EN-12] finds members by the typed text, with the rank in capitals, and opens one', async () => {
  await openConsole('/staff/members')
  await userEvent.fill(page.getByLabelText('Find members'), ' ifeoma ')
  await press('Find')
  await expect.poll(() => api.calls(staffMembers).at(-1)?.query.get('q')).toBe('ifeoma')
  await expect.element(page.getByText('SILVER', { exact: true })).toBeVisible()
  expect(await axeViolations()).toEqual([])
  await userEvent.click(page.getByRole('link', { name: /Ifeoma Balogun/ }))
  await expect.element(page.getByRole('heading', { level: 2, name: 'Ifeoma Balogun' })).toBeVisible()
  await expect.element(page.getByText('SILVER', { exact: true }).first()).toBeVisible()
  expect(page.getByText('silver', { exact: true }).elements()).toHaveLength(0)
})

it('opens a case about a member, and closes it with an outcome', async () => {
  api
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...desk, 'openCase', 'takeCase', 'closeCase'] })
    .reply(openCase, { caseId: 'c1' })
    .reply(closeCase, null)
  await openConsole('/staff/members/m1/timeline')
  await press('Open a case')
  const dialog = page.getByRole('dialog')
  await userEvent.fill(dialog.getByLabelText('Reason'), 'three accounts')
  await userEvent.click(dialog.getByRole('button', { name: 'Open', exact: true }))
  await expect.element(dialog.getByText('Enter a title')).toBeVisible()
  await userEvent.fill(dialog.getByLabelText('Title'), 'Shared device')
  expect(await axeViolations()).toEqual([])
  const owner = { id: 's1', name: 'Sara Lund', email: 's@tizara.com' }
  const texts = { title: 'Shared device', reason: 'three accounts', outcome: null, outcomeReason: null, closedBy: null, closedAt: null }
  const opened = { id: 'c1', member: owner, owner, openedAt: at, dueAt: at, ...texts }
  api.reply(staffMemberDetail, { ...detail, case: opened })
  await userEvent.click(dialog.getByRole('button', { name: 'Open', exact: true }))
  await expect
    .poll(() => api.calls(openCase).map(({ body }) => body))
    .toEqual([{ title: 'Shared device', dueDays: 7, reason: 'three accounts' }])
  await expect.element(page.getByText('overdue')).toBeVisible()
  await press('Close it')
  await userEvent.click(page.getByRole('button', { name: 'Measures taken' }))
  await userEvent.fill(page.getByRole('dialog').getByLabelText('Reason'), 'blocked')
  await press('Close the case')
  await expect.poll(() => api.calls(closeCase).map(({ body }) => body)).toEqual([{ outcome: 'acted', reason: 'blocked' }])
})

it('proposes a message to a segment, and says which text is missing', async () => {
  api
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...desk, 'change.message'] })
    .reply(staffMembers, { data: [row], meta: { total: 1, page: 1, limit: 50 } })
    .reply(proposeChange, { id: 'c1' })
  await openConsole('/staff/members?usdFrom=1000')
  await press('Message')
  const dialog = page.getByRole('dialog', { name: 'Message to a segment' })
  await userEvent.fill(dialog.getByLabelText('Title'), 'A new plan')
  await userEvent.fill(dialog.getByLabelText('Reason'), 'launch')
  await userEvent.click(dialog.getByRole('button', { name: 'Propose' }))
  await expect.element(dialog.getByText('Text: This field is required')).toBeVisible()
  await userEvent.fill(dialog.getByRole('textbox', { name: /^Text/ }), 'It starts on Monday.')
  expect(await axeViolations()).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Propose' }))
  const value = { title: 'A new plan', text: 'It starts on Monday.', segment: { usdFrom: '1000' } }
  await expect.poll(() => api.calls(proposeChange).map(({ body }) => body)).toEqual([{ subject: 'message', value, reason: 'launch' }])
})

it('filters members by a segment, keeps it in the address, and exports it', async () => {
  api
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...desk, 'startExport', 'saveSegment'] })
    .reply(staffMembers, { data: [{ ...row, segment: { usd: 1200, staked: 50, seenAt: at } }], meta: { total: 1, page: 1, limit: 50 } })
    .reply(startExport, { jobId: 'j1' })
    .reply(staffSegments, [])
    .reply(saveSegment, { id: 's1' })
  await openConsole('/staff/members?seenWithin=never')
  expect(page.getByRole('form', { name: 'Segment' }).elements()).toEqual([])
  await press('Filter')
  const form = page.getByRole('form', { name: 'Segment' })
  await userEvent.fill(form.getByLabelText('USD from'), '1 000')
  await press('Apply')
  await expect.element(form.getByText('Must be a whole number')).toBeVisible()
  await userEvent.fill(form.getByLabelText('USD from'), '1000')
  await userEvent.selectOptions(form.getByLabelText('Not seen for'), '30 days')
  await press('Apply')
  await expect
    .poll(() => [...(api.calls(staffMembers).at(-1)?.query ?? [])].toSorted())
    .toEqual([
      ['limit', '50'],
      ['notSeenFor', '30'],
      ['usdFrom', '1000'],
    ])
  await expect.element(page.getByRole('cell', { name: '1,200.00' })).toBeVisible()
  await expect.element(form.getByLabelText('USD from')).toHaveValue('1000')
  expect(await axeViolations()).toEqual([])
  await press('Export')
  await expect
    .poll(() => api.calls(startExport).map(({ body }) => body))
    .toEqual([{ list: 'members', filter: { usdFrom: '1000', notSeenFor: '30' } }])
  const criteria = { usdFrom: '1000', notSeenFor: '30' as const }
  await userEvent.fill(page.getByLabelText('Name of the segment'), 'Sleeping')
  api.reply(staffSegments, [{ id: 's1', name: 'Sleeping', criteria }])
  await press('Save')
  await expect.poll(() => api.calls(saveSegment).map(({ body }) => body)).toEqual([{ name: 'Sleeping', criteria }])
  await expect.element(page.getByRole('button', { name: 'Delete “Sleeping”' })).toBeVisible()
  await press('Clear the filter')
  await expect.element(page.getByRole('columnheader', { name: 'Last seen' })).not.toBeInTheDocument()
})

it('shows pending items first, the timeline as text, and the role that may do a hidden action', async () => {
  await openConsole('/staff/members/m1/timeline')
  await shown('A payout of 5000 USD awaits approval.')
  await shown('“Called ⟨U+202E⟩back”')
  await expect.element(page.getByRole('button', { name: 'Block the member' })).toHaveAttribute('aria-disabled', 'true')
  await shown(/^Local time \d\d:\d\d, Lagos$/)
  expect(page.getByTitle(/ · theirs \d\d:\d\d, Lagos/).elements().length).toBeGreaterThan(1)
  await shown('ADMIN can')
  expect(page.getByRole('button', { name: 'Export' }).elements()).toEqual([])
  await userEvent.click(page.getByRole('button', { name: 'Block the member' }), { force: true })
  expect(page.getByRole('dialog').elements()).toEqual([])
  expect(await axeViolations()).toEqual([])
})

it('exports the timeline of the selected kind into a file', async () => {
  api.reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...desk, 'startExport'] }).reply(startExport, { jobId: 'j1' })
  api.reply(staffJob, { id: 'j1', state: 'DONE', done: 2, total: 2, fileHref: '/staff/jobs/j1/file', fileName: 'timeline.csv' })
  await openConsole('/staff/members/m1/timeline')
  await press('Money')
  await press('Export')
  await expect.element(page.getByRole('button', { name: 'Download timeline.csv' })).toBeVisible()
  expect(api.calls(startExport).map(({ body }) => body)).toEqual([{ list: 'timeline', filter: { member: 'm1', kind: 'money' } }])
})

it('shows an action’s effects with current figures, and requires a reason', async () => {
  api.reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...desk, 'setMemberStatus'] }).reply(setMemberStatus, null)
  await openConsole('/staff/members/m1/timeline')
  await press('Block the member')
  await shown('1 session ends now.')
  await shown('A payout of 5000 USD awaits approval: it stays in the queue, with a flag.')
  await press('Block')
  await shown('Enter a reason')
  expect(api.calls(setMemberStatus)).toEqual([])
  await userEvent.fill(page.getByLabelText('Reason'), 'Asked for by phone')
  await press('Block')
  await expect.poll(() => api.calls(setMemberStatus).map((call) => call.body)).toEqual([{ status: false, reason: 'Asked for by phone' }])
})

it('proposes the recovery of a mailbox, and cancels a pending one', async () => {
  const text = 'The email address will be replaced'
  api
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...desk, 'proposeAccountRecovery'], whoCan })
    .reply(proposeAccountRecovery, { proposalId: 'p1' })
  await openConsole('/staff/members/m1/timeline')
  await press('Replace lost mailbox')
  await userEvent.fill(page.getByLabelText('New e-mail address'), 'new@gmail.com')
  await userEvent.fill(page.getByLabelText('Reason'), 'Seen in person')
  await press('Propose')
  const proposed = { secondFactor: false, email: 'new@gmail.com', reason: 'Seen in person' }
  await expect.poll(() => api.calls(proposeAccountRecovery).map((call) => call.body)).toEqual([proposed])
  api
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...desk, 'cancelAccountRecovery'], whoCan })
    .reply(staffMemberDetail, { ...detail, flags: [{ code: 'RECOVERY', text, until: '2031-11-28T00:00:00Z' }] })
    .reply(cancelAccountRecovery, null)
  await openConsole('/staff/members/m1/timeline')
  await shown(text)
  await expect.element(page.getByRole('button', { name: 'Reset authenticator' })).not.toBeInTheDocument()
  await press('Cancel account recovery')
  await userEvent.fill(page.getByLabelText('Reason'), 'The owner called')
  await press('Cancel the recovery')
  await expect.poll(() => api.calls(cancelAccountRecovery).map((call) => call.body)).toEqual([{ reason: 'The owner called' }])
})

it('shows that the mail address is verified, and links to reversible purchases', async () => {
  const reversible = { count: 2, until: '2031-11-28T00:00:00Z' }
  api
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...desk, 'reversePurchase'], whoCan })
    .reply(staffMemberDetail, { ...detail, reversible })
  await openConsole('/staff/members/m1/timeline')
  await expect.element(page.getByText('Verified', { exact: true })).toBeVisible()
  await shown('2 possible until 28 Nov 2031')
  await expect.element(page.getByRole('link', { name: 'Reverse a purchase' })).toHaveAttribute('href', '/staff/members/m1/purchases')
  api.reply(staffMemberDetail, detail)
  await openConsole('/staff/members/m1/timeline')
  await shown('none is possible')
})

it('lists the available actions in the header, by mouse and keyboard', async () => {
  await openConsole('/staff/members/m1/timeline')
  await press('Actions')
  await expect.element(page.getByRole('list', { name: 'Actions' })).toHaveFocus()
})

it('shows wallets by their display names, and links each entry to its transfer', async () => {
  const line = {
    transferId: '437',
    at,
    kind: 'nftRewards',
    text: 'NFT rewards',
    asset: 'usd' as const,
    amount: 5,
    balanceAfter: 9,
    pending: false,
  }
  api.reply(staffMemberLedger, {
    rows: [
      { ...line, wallet: 'nftWallet' },
      { ...line, transferId: '406', wallet: 'newIcoWallet' },
    ],
  })
  await openConsole('/staff/members/m1/ledger')
  await expect.element(page.getByRole('cell', { name: 'ICO Wallet', exact: true }).first()).toBeVisible()
  expect(page.getByText('newIcoWallet').elements()).toEqual([])
  await expect.element(page.getByRole('link', { name: '437' })).toHaveAttribute('href', '/staff/ledger/-/437')
})

it('proposes to credit the typed amount, and rejects an invalid amount', async () => {
  api.reply(creditRcm, null)
  await openConsole('/staff/members/m1/timeline')
  await press('Credit RCM')
  await userEvent.fill(page.getByLabelText('Amount of coin'), '1e9')
  await userEvent.fill(page.getByLabelText('Reason'), 'Prize')
  await userEvent.click(page.getByRole('button', { name: 'Propose', exact: true }))
  await shown('Invalid amount')
  expect(api.calls(creditRcm)).toEqual([])
  await userEvent.fill(page.getByLabelText('Amount of coin'), '12.5')
  await userEvent.click(page.getByRole('button', { name: 'Propose', exact: true }))
  await expect.poll(() => api.calls(creditRcm).map((call) => call.body)).toEqual([{ amount: 12.5, reason: 'Prize' }])
})

it('shows a phone number on click, and opens the view as the member in a new tab', async () => {
  const token = 'view-token'
  api.reply(revealMember, { values: ['+234 803 555 0118'] }).reply(viewAsMember, { token, endsAt: at })
  let handed: string | null = null
  vi.spyOn(window, 'open').mockImplementation(() => {
    handed = sessionStorage.getItem('view-as')
    return null
  })
  await openConsole('/staff/members/m1/timeline')
  await press('Show the phone number')
  await shown('+234 803 555 0118')
  await press('View as member')
  await userEvent.fill(page.getByLabelText('Reason'), 'Asked by the member')
  await press('View')
  await expect.poll(() => handed).toContain(token)
  expect(sessionStorage.getItem('view-as')).toBeNull()
  expect(localStorage.getItem('accessToken')).toBe(signedIn.accessToken)
})

it('reviews linked accounts with a verdict and a reason', async () => {
  api
    .reply(staffLinkedAccounts, { data: [trace], meta: { total: 1, page: 1, limit: 50 }, counts: { open: 1, harmless: 0, watch: 0 } })
    .reply(reviewLinkedAccount, null)
  await openConsole('/staff/linked-accounts')
  await shown('Grace Wanjiru')
  await expect.element(page.getByRole('cell', { name: '≈ 6,000.00 TIZARA' })).toBeVisible()
  expect(await axeViolations()).toEqual([])
  await press('Review')
  await press('Keep monitoring')
  await userEvent.fill(page.getByLabelText('Reason'), 'Same phone')
  await press('Monitor')
  await expect.poll(() => api.calls(reviewLinkedAccount).map((call) => call.body)).toEqual([{ verdict: 'watch', reason: 'Same phone' }])
})

it.each([
  ['/staff/members/m1/notes', ['Save note', 'Show the phone number', 'End all sessions: Ifeoma Balogun: End sessions']],
  ['/staff/linked-accounts', ['Cleared']],
])('sends nothing from %s while offline', async (path, buttons) => {
  api
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, ...desk, 'noteOnMember'], whoCan })
    .reply(staffMemberNotes, { rows: [] })
    .reply(staffLinkedAccounts, { data: [trace], meta: { total: 1, page: 1, limit: 50 }, counts: { open: 1, harmless: 0, watch: 0 } })
  await openConsole(path)
  await expect.element(page.getByRole('button', { name: buttons[0] ?? '' }).first()).toBeVisible()
  const { sent, pressed } = await pressAllOffline()
  expect(sent).toEqual([])
  expect(pressed).toEqual(expect.arrayContaining(buttons))
})
