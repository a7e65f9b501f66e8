import { staffMe } from '@tizara/contract/staff'
import { errorCatalogue } from '@tizara/contract/errors'
import { answerChain } from '@tizara/contract/staff-platform'
import {
  approveRequest,
  rejectRequest,
  revealRequestAddress,
  staffQueue,
  staffQueueItem,
  stopSending,
  revokeApproval,
} from '@tizara/contract/staff-queues'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { refetch } from '../../../lib/http/query.ts'
import type { FakeApi } from '../../../test/fake-api.ts'
import { axeViolations } from '../../../test/list-check.tsx'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { pressAllOffline } from '../../../test/press-offline.ts'
import { staffApi, testItem, testStaff } from '../../../test/staff-api.ts'

const FULL = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const simple = testItem('p1-daniel', 'Daniel Osei')
const other = testItem('p2-lukas', 'Lukas Weber', { amount: 75, platformFee: 3.75, networkFee: 1.5, received: 69.75 })
const flagged = testItem('p3-ifeoma', 'Ifeoma Balogun', {
  amount: 5000,
  platformFee: 250,
  networkFee: 100,
  received: 4650,
  approvalsNeeded: 2,
  addressUsed: 0,
  signs: [
    { code: 'NEW_ADDRESS', text: 'First payout to this address', href: '/staff/members/m1/ledger' },
    {
      code: 'RESET',
      text: 'The password was reset in the last three days',
      detail: 'yesterday',
      since: '2031-11-19T08:12:00Z',
      until: '2031-11-22T08:12:00Z',
      href: '/staff/members/m1/sessions',
    },
  ],
  approvals: [
    {
      by: { id: 's2', name: 'Ruth Adeyemi', email: 'ruth@example.com' },
      at: new Date().toISOString(),
      reason: 'Called the number on file',
    },
  ],
})

let api: FakeApi
beforeEach(() => {
  api = staffApi([simple, other, flagged])
    .reply(approveRequest, { status: 'APPROVED' })
    .reply(rejectRequest, null)
    .reply(revokeApproval, null)
})

const open = (path = '/staff/payouts') => openConsole(path)
const reason = () => page.getByRole('textbox', { name: 'Reason' })
const key = (keys: string) => userEvent.keyboard(keys)
const shown = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()

it('shows amount, address on request and approvers on one page', async () => {
  api.reply(revealRequestAddress, { address: FULL })
  await open(`/staff/payouts/${flagged.id}`)
  await shown('Awaiting second approval')
  await expect.poll(() => document.querySelector('[data-address]')?.textContent).toBe(flagged.address)
  await press('Show the payout address')
  await expect.poll(() => document.querySelector('[data-address]')?.textContent).toBe(FULL)
  expect(api.calls(revealRequestAddress)).toHaveLength(1)
  await shown('“Called the number on file”')
  await shown('You can approve. This approval pays immediately.')
  await shown('First payout to this address')
  await expect.element(page.getByRole('link', { name: 'Compare' })).toHaveAttribute('href', '/staff/members/m1/ledger')
  await expect.element(page.getByRole('link', { name: 'Sign-ins' })).toHaveAttribute('href', '/staff/members/m1/sessions')
  await shown('Yesterday, since 19 Nov 2031 08:12 UTC, until 22 Nov 2031 08:12 UTC.')
  await shown('Member is active')
  await expect.element(page.getByRole('button', { name: /^Approve and pay 4,650.00/ })).toBeVisible()
  await expect.element(page.getByRole('link', { name: /^Payouts 3 for you/ })).toHaveAttribute('aria-current', 'page')
})

it.each([
  [{ of: 'member', left: 40 }, /^“Small” would exceed its daily ceiling for one member: 40.00.USD were left\. It is free/],
  [{ of: 'rule' }, /^“Small” .* ceiling for all members: its number of payouts was used up\. It is free/],
] as const)('shows which ceiling stopped a payout, in the list and beside the decision: %o', async (ceiling, text) => {
  const rule = { name: 'Small', version: 3, outcome: 'CEILING' as const, ceiling: { ...ceiling, freeAt: '2031-11-20T00:00:00Z' } }
  staffApi([testItem('p4-amara', 'Amara Nwosu', { rule })])
  await open('/staff/payouts/p4-amara')
  await shown('Ceiling of “Small”')
  await expect.element(page.getByText(text)).toBeVisible()
  await expect.element(page.getByText(/It is free again on 20 Nov.* 00:00 UTC\. Staff decide this payout\./)).toBeVisible()
  expect(await axeViolations()).toEqual([])
})

it('shows on each filter the number of its rows', async () => {
  await open()
  await expect.element(page.getByRole('button', { name: 'Flagged 1' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Above limit 1' })).toBeVisible()
})

it('names every person who decided about earlier payments of a deposit', async () => {
  const who = (id: string, name: string, comment?: string) => ({
    by: { id, name, email: `${id}@example.com` },
    at: new Date().toISOString(),
    ...(comment === undefined ? {} : { reason: comment }),
  })
  const paidAgain = testItem('d1-mina', 'Mina Sato', {
    kind: 'deposits',
    earlierDecisions: [
      { outcome: 'APPROVED', by: [who('s2', 'Ruth Adeyemi'), who('s3', 'Jonas Falk', 'Seen at the provider')] },
      { outcome: 'REJECTED', by: [who('s4', 'Ana Silva', 'Refunded')] },
    ],
  })
  api = staffApi([simple, paidAgain])
  await open(`/staff/deposits/${paidAgain.id}`)
  await shown('What can be done')
  await shown(/^The Deposit Wallet holds/)
  const before = page.getByRole('region', { name: 'Decided before' })
  const when = String.raw`\([^()]*\d\d:\d\d`
  await expect
    .element(before.getByText(new RegExp(`^Approved by Ruth Adeyemi ${when}\\) and Jonas Falk ${when}, “Seen at the provider”\\)$`)))
    .toBeVisible()
  await expect.element(before.getByText(new RegExp(`^Rejected by Ana Silva ${when}, “Refunded”\\)$`))).toBeVisible()
  await open(`/staff/payouts/${simple.id}`)
  await shown('Member is active')
  expect(document.querySelector('[aria-label="Decided before"]')).toBeNull()
})

it('selects rows and arms an action by key, and moves no money by a single key', async () => {
  await open()
  await shown('Daniel Osei')
  await key('j')
  await expect.poll(() => location.pathname).toBe(`/staff/payouts/${simple.id}`)
  await shown('Member is active')
  await key('{Control>}{Enter}{/Control}')
  await key('a')
  await expect.element(reason()).toHaveFocus()
  await key('2{Escape}')
  await key('{Control>}{Enter}{/Control}')
  expect(api.calls(approveRequest)).toHaveLength(0)
  await expect.element(reason()).toHaveValue('2')
  document.querySelector<HTMLElement>('[role=listbox]')?.focus()
  await key('k1')
  await expect.element(reason()).toHaveValue('Confirmed with the member')
})

it('copies the full address and opens the member by key', async () => {
  api.reply(revealRequestAddress, { address: FULL })
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await open(`/staff/payouts/${simple.id}`)
  await shown('Member is active')
  await key('c')
  await shown('Address copied')
  expect(copied.mock.calls).toEqual([[FULL]])
  copied.mockRestore()
  await key('/')
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Kind')
  document.querySelector<HTMLElement>('[role=listbox]')?.focus()
  await key('o')
  await expect.poll(() => location.pathname).toBe(`/staff/members/${simple.member.id}/timeline`)
})

it('sends a simple approval after five seconds, and nothing when it is undone', async () => {
  await open(`/staff/payouts/${simple.id}`)
  await shown('Member is active')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await press('Approve and pay 93.00 A')
  await shown(/closing the page sends nothing/)
  await expect.poll(() => location.pathname).toBe(`/staff/payouts/${other.id}`)
  await key('z')
  await expect.poll(() => page.getByText(/closing the page sends nothing/).elements()).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(5300)
  expect(api.calls(approveRequest)).toHaveLength(0)
  await shown('Member is active')
  await press('Approve and pay 69.75 A')
  expect(api.calls(approveRequest)).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(5000)
  await expect.poll(() => api.calls(approveRequest)).toHaveLength(1)
  expect(api.calls(approveRequest)[0]).toMatchObject({ params: { id: other.id }, body: { amount: 69.75, seen: other.seen } })
})

it('sends a delayed approval after another page is opened, and allows undo there', async () => {
  const approve = async (item: typeof simple) => {
    vi.useRealTimers()
    await open(`/staff/payouts/${item.id}`)
    await shown('Member is active')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await userEvent.click(page.getByRole('button', { name: /^Approve and pay/ }))
    await userEvent.click(page.getByRole('link', { name: /^Deposits to match/ }))
    await expect.poll(() => location.pathname).toBe('/staff/deposits')
  }
  await approve(simple)
  await press('Undo')
  await vi.advanceTimersByTimeAsync(5300)
  expect(api.calls(approveRequest)).toHaveLength(0)
  await approve(other)
  await shown(/^Approving 69.75 USD, Lukas Weber: it is sent in a moment/)
  await vi.advanceTimersByTimeAsync(5300)
  await expect.poll(() => api.calls(approveRequest).map((call) => call.params['id'])).toEqual([other.id])
})

it('keeps the reason after undo and rejection, and deletes it after it was sent', async () => {
  const kept = () => sessionStorage.getItem('staff-drafts') ?? ''
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await open(`/staff/payouts/${simple.id}`)
  await shown('Member is active')
  await userEvent.fill(reason(), 'Known address')
  await press('Approve and pay 93.00 A')
  await userEvent.click(page.getByRole('button', { name: /^Undo/ }))
  expect(kept()).toContain('Known address')
  await key('k')
  await expect.element(reason()).toHaveValue('Known address')
  api.refuse(approveRequest, 400, errorCatalogue.ALREADY_DECIDED.message)
  await press('Approve and pay 93.00 A')
  await vi.advanceTimersByTimeAsync(5300)
  await shown(/^Not approved: /)
  expect(kept()).toContain('Known address')
  await key('k')
  api.drop(approveRequest)
  await press('Approve and pay 93.00 A')
  await vi.advanceTimersByTimeAsync(9000)
  await shown(/^93.00 USD, Daniel Osei: no response, so the decision may have been saved/)
  expect(kept()).toContain('Known address')
  await key('k')
  api.reply(approveRequest, { status: 'APPROVED', transferId: '4812402' })
  await press('Approve and pay 93.00 A')
  await vi.advanceTimersByTimeAsync(5300)
  await shown(/^Paid 93.00 USD/)
  await press('Transfer 4812402')
  await expect.poll(() => location.pathname).toBe('/staff/ledger/-/4812402')
  expect(kept()).not.toContain('Known address')
})

it('moves the focus to the heading of the next item after a decision', async () => {
  await open(`/staff/payouts/${simple.id}`)
  await shown('Member is active')
  await userEvent.fill(reason(), 'Not theirs')
  await press('Reject and refund R')
  await expect.poll(() => location.pathname).toBe(`/staff/payouts/${other.id}`)
  await expect.element(page.getByRole('heading', { name: 'USD payout', level: 2 })).toHaveFocus()
})

it('sends no approval that was armed without its effect or for an older version', async () => {
  const { effect, ...unknown } = simple
  expect(effect).toBe('pays')
  api = staffApi([unknown, other, flagged]).reply(approveRequest, { status: 'APPROVED' })
  await open(`/staff/payouts/${simple.id}`)
  await shown('Member is active')
  await key('a{Control>}{Enter}{/Control}')
  await expect.element(page.getByRole('button', { name: /^Approve and pay/ })).toHaveAttribute('aria-disabled', 'true')
  await open(`/staff/payouts/${flagged.id}`)
  await shown('Member is active')
  await key('a')
  await userEvent.fill(reason(), 'Selfie confirmed')
  await shown(/is ready to send$/)
  api.answer(staffQueueItem, () => ({ ...flagged, seen: 'fedcba9876543210' }))
  await refetch(staffQueueItem)
  await key('{Control>}{Enter}{/Control}')
  await expect.poll(() => page.getByText(/is ready to send$/).elements()).toEqual([])
  expect(api.calls(approveRequest)).toEqual([])
  await expect.element(reason()).toHaveValue('Selfie confirmed')
})

it('arms an approval when its effect has loaded after the key A, and sends nothing before', async () => {
  const { effect: _effect, ...unknown } = simple
  api = staffApi([unknown, other, flagged]).reply(approveRequest, { status: 'APPROVED' })
  await open(`/staff/payouts/${simple.id}`)
  await shown('Member is active')
  const load = api.hold(staffQueueItem, simple)
  void refetch(staffQueueItem)
  await key('a')
  await shown(/^Loading what the approval does/)
  await key('{Control>}{Enter}{/Control}')
  load()
  await shown(/^Approve and pay 93\.00 is ready to send$/)
  expect(page.getByText(/^Loading what the approval does/).elements()).toEqual([])
  await key('{Escape}')
  expect(page.getByText(/is ready to send$/).elements()).toEqual([])
  expect(api.calls(approveRequest)).toEqual([])
})

it('arms nothing when another payout or another version is shown before the effect has loaded', async () => {
  const { effect: _effect, ...unknown } = simple
  for (const change of ['payout', 'version', 'escape'] as const) {
    api = staffApi([unknown, other, flagged]).reply(approveRequest, { status: 'APPROVED' })
    await open(`/staff/payouts/${simple.id}`)
    await shown('Member is active')
    await key('a')
    await shown(/^Loading what the approval does/)
    await userEvent.click(page.getByRole('heading', { name: 'USD payout', level: 2 }))
    if (change === 'payout') await key('j')
    if (change === 'escape') await key('{Escape}')
    api.answer(staffQueueItem, ({ params }) =>
      params['id'] === other.id ? other : { ...simple, ...(change === 'version' ? { seen: 'fedcba9876543210' } : {}) },
    )
    await refetch(staffQueueItem)
    await expect.element(page.getByRole('button', { name: /^Approve and pay/ })).not.toHaveAttribute('aria-disabled', 'true')
    const texts = () => page.getByText(/(is ready to send$|^Loading what|closing the page sends nothing)/).elements()
    expect([change, texts()]).toEqual([change, []])
    await key('{Control>}{Enter}{/Control}')
    expect([change, texts(), api.calls(approveRequest)]).toEqual([change, [], []])
  }
})

it('sends no decision while offline, and shows the age of the data', async () => {
  await open(`/staff/payouts/${simple.id}`)
  await shown('Member is active')
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  dispatchEvent(new Event('offline'))
  await shown(/^There is no connection\. Last update \d\d:\d\d UTC\. Your text is saved\.$/)
  await userEvent.fill(reason(), 'Not theirs')
  await key('{Control>}{Enter}{/Control}')
  for (const name of [/^Approve and pay/, /^Reject and refund/])
    await expect.element(page.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true')
  expect([...api.calls(approveRequest), ...api.calls(rejectRequest)]).toEqual([])
  online.mockRestore()
  dispatchEvent(new Event('online'))
  await press('Reject and refund R')
  await expect.poll(() => api.calls(rejectRequest).map((call) => call.body)).toEqual([{ reason: 'Not theirs', seen: simple.seen }])
})

it('requires a reason for a second approval and a flagged item, and sends it with the version shown', async () => {
  await open(`/staff/payouts/${flagged.id}`)
  await shown('Member is active')
  await press('Approve and pay 4,650.00 A')
  await shown(/This approval needs a reason/)
  expect(api.calls(approveRequest)).toHaveLength(0)
  await userEvent.fill(reason(), 'Selfie confirmed')
  await key('{Control>}{Enter}{/Control}')
  await expect.poll(() => api.calls(approveRequest)).toHaveLength(1)
  const [call] = api.calls(approveRequest)
  expect(call?.body).toEqual({ amount: 4650, seen: flagged.seen, reason: 'Selfie confirmed' })
  expect(call?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f]{32}$/)
})

it('shows that an item has changed, loads it again and keeps the reason', async () => {
  api.refuse(rejectRequest, 400, errorCatalogue.ITEM_CHANGED.message)
  await open(`/staff/payouts/${simple.id}`)
  await shown('Member is active')
  await userEvent.fill(reason(), 'Not theirs')
  const before = api.calls(staffQueueItem).length
  await press('Reject and refund R')
  await expect.element(page.getByRole('alert').filter({ hasText: errorCatalogue.ITEM_CHANGED.message })).toBeVisible()
  await expect.poll(() => api.calls(staffQueueItem).length).toBeGreaterThan(before)
  await expect.element(reason()).toHaveValue('Not theirs')
})

it('replaces the buttons with a colleague’s decision, and offers the typed reason to copy', async () => {
  api.refuse(approveRequest, 400, errorCatalogue.ALREADY_DECIDED.message)
  await open(`/staff/payouts/${flagged.id}`)
  await shown('Member is active')
  await userEvent.fill(reason(), 'Selfie confirmed')
  api.answer(staffQueueItem, () => ({
    ...flagged,
    status: 'REJECTED',
    canDecide: false,
    whyNot: 'DECIDED' as const,
    reason: 'Not theirs',
    decidedBy: 'otto@example.com',
    decidedAt: new Date().toISOString(),
    approvals: [{ by: { id: 's3', name: 'Otto Falk', email: 'otto@example.com' }, at: new Date().toISOString(), reason: 'Not theirs' }],
  }))
  await userEvent.click(page.getByRole('button', { name: /^Approve and pay/ }))
  await shown('Otto Falk rejected this')
  await shown(/“Not theirs” 5,000.00 went back to the member\./)
  await shown('Your reason: Selfie confirmed')
  await shown('Nothing was sent from here.')
  expect(page.getByRole('button', { name: /^(Approve|Reject)/ }).elements()).toEqual([])
  expect(page.getByRole('dialog').elements()).toEqual([])
})

it('keeps removed rows in place until the pointer leaves the list', async () => {
  await open()
  await shown('Daniel Osei')
  const row = (name: string) => page.getByRole('option', { name: new RegExp(name) })
  await userEvent.hover(row('Lukas Weber'))
  const index = row('Lukas Weber').element().getBoundingClientRect().top
  const rest = { data: [other, flagged, testItem('p7-new', 'Nina New')], meta: { total: 3, page: 1, limit: 100 } }
  api.answer(staffQueue, () => rest)
  await refetch(staffQueue)
  await expect.element(row('Nina New')).toBeVisible()
  await expect.poll(() => getComputedStyle(row('Daniel Osei').element()).opacity).toBe('0.45')
  expect(row('Lukas Weber').element().getBoundingClientRect().top).toBe(index)
  await userEvent.hover(row('Ifeoma Balogun'))
  await expect.poll(() => row('Daniel Osei').elements()).toEqual([])
  // A pointer outside the list does not keep removed rows.
  await userEvent.hover(page.getByRole('list', { name: 'Platform status' }))
  api.answer(staffQueue, () => ({ ...rest, data: [flagged] }))
  await refetch(staffQueue)
  await expect.poll(() => row('Lukas Weber').elements()).toEqual([])
})

it('shows one notice when the reader cannot decide: decided, first approval by the reader, wrong role', async () => {
  const decided = {
    ...simple,
    status: 'REJECTED',
    canDecide: false,
    whyNot: 'DECIDED' as const,
    reason: 'Not theirs',
    decidedBy: 'ruth@example.com',
    decidedAt: new Date().toISOString(),
  }
  const mine = { ...flagged, canDecide: false, whyNot: 'FIRST_WAS_YOU' as const }
  api = staffApi([decided, mine, { ...other, canDecide: false, whyNot: 'ROLE' }])
    .reply(staffMe, { ...testStaff, whoCan: { approveRequest: ['FINANCE', 'ADMIN'] } })
    .reply(revokeApproval, null)
  await open(`/staff/payouts/${decided.id}`)
  await shown(/rejected this/)
  await expect.poll(() => page.getByRole('button', { name: /Approve and/ }).elements()).toHaveLength(0)
  await press('Next payout J')
  await shown('Another person has to approve this')
  await key('u')
  await expect.poll(() => api.calls(revokeApproval).map((call) => call.params)).toEqual([{ kind: 'withdrawals', id: mine.id }])
  await key('j')
  await shown('Your role does not decide this')
  await shown('FINANCE or ADMIN can.')
})

it('disables approvals while payouts are paused, and allows rejections', async () => {
  const held = testItem('w8-held', 'Held Item', { whyNot: 'STOPPED' })
  api = staffApi([held, testItem('w9-held', 'Held Too', { whyNot: 'STOPPED' })]).reply(rejectRequest, null)
  await open(`/staff/payouts/${held.id}`)
  await expect.element(page.getByRole('button', { name: /Paused/ })).toHaveAttribute('aria-disabled', 'true')
  await userEvent.fill(reason(), 'The member asked for it')
  await key('{Control>}{Enter}{/Control}')
  await userEvent.click(page.getByRole('button', { name: /^Reject and refund/ }))
  await expect.poll(() => api.calls(rejectRequest).length).toBe(1)
})

it('approves several items one by one, each with a separate key, without the flagged ones', async () => {
  await open()
  await shown('Daniel Osei')
  await key('jxjxjx')
  await shown('3 selected')
  await press('Approve selected')
  await shown('1 of the 3 selected stay out: 1 flagged.')
  await press('Approve 2')
  await shown('2 approved, 0 left')
  const calls = api.calls(approveRequest)
  expect(calls.map((call) => call.params['id'])).toEqual([simple.id, other.id])
  expect(new Set(calls.map((call) => call.headers.get('Idempotency-Key'))).size).toBe(2)
})

it('stops after three consecutive failures, and keeps the remaining items', async () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((name) => testItem(`w-${name}`, `Member ${name}`))
  api = staffApi(items).refuse(approveRequest, 400, errorCatalogue.ALREADY_DECIDED.message)
  await open()
  await shown('Member a')
  await key('jxjxjxjxjx')
  await press('Approve selected')
  await press('Approve 5')
  await shown('0 approved, 5 left')
  expect(api.calls(approveRequest).map((call) => call.params['id'])).toEqual(['w-a', 'w-b', 'w-c'])
  expect(page.getByText('unchanged').elements()).toHaveLength(2)
})

it('shows bidirectional characters in names as codes', async () => {
  api = staffApi([testItem('p9', 'Ada \u202Eevil')])
  await open()
  await shown('Ada ⟨U+202E⟩evil')
})

it('shows the chain state of an approved payout, and cancels it only with a reason', async () => {
  const hash = `0x${'ab'.repeat(32)}`
  const sent = testItem('p4-amara', 'Amara Nwosu', {
    status: 'APPROVED',
    canDecide: false,
    sending: {
      state: 'SIGNED',
      queuedAt: new Date().toISOString(),
      signedAt: new Date().toISOString(),
      nonce: 41,
      wallet: `0x${'cd'.repeat(20)}`,
      problem: 'the gas price is above the maximum',
      transactions: [{ hash, url: `https://explorer.example/tx/${hash}`, purpose: 'PAYMENT' }],
    },
  })
  api = staffApi([sent])
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'stopSending'] })
    .reply(stopSending, { status: 'CANCEL_REQUESTED' })
  await open(`/staff/payouts/${sent.id}?for=decided`)
  await shown('Sent, not in a block yet')
  await shown('the gas price is above the maximum')
  await expect.element(page.getByRole('link', { name: hash })).toHaveAttribute('href', `https://explorer.example/tx/${hash}`)
  await press('Cancel payout')
  await shown('It is signed: it may still arrive.')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel payout' }).click()
  await shown('Enter a reason')
  await dialog.getByRole('textbox').fill('The member wrote: wrong address')
  await dialog.getByRole('button', { name: 'Cancel payout' }).click()
  await expect.poll(() => api.calls(stopSending).map(({ body }) => body)).toEqual([{ reason: 'The member wrote: wrong address' }])
})

it('lets an admin propose the outcome of an unknown payout within the allowed choices', async () => {
  const sent = testItem('p5-amara', 'Amara Nwosu', {
    status: 'APPROVED',
    canDecide: false,
    sending: {
      state: 'MINED',
      queuedAt: new Date().toISOString(),
      problem: 'the transaction succeeded without the transfer',
      answers: ['GIVE_BACK', 'ARRIVED'],
      transactions: [],
    },
  })
  api = staffApi([sent]).reply(answerChain, { proposalId: 'c1' })
  await open(`/staff/payouts/${sent.id}?for=decided`)
  await shown('the transaction succeeded without the transfer')
  expect(page.getByRole('button', { name: 'Propose that it has arrived' }).elements()).toEqual([])
  api.reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'answerChain'] })
  await open(`/staff/payouts/${sent.id}?for=decided`)
  await press('Propose a refund')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('The token paid nothing')
  await dialog.getByRole('button', { name: 'Propose' }).click()
  const filed = { about: 'payout', id: sent.id, answer: 'GIVE_BACK', reason: 'The token paid nothing' }
  await expect.poll(() => api.calls(answerChain).map(({ body }) => body)).toEqual([filed])
})

it('sends nothing from a queue while offline', async () => {
  const mine = { ...flagged, canDecide: false, whyNot: 'FIRST_WAS_YOU' as const }
  api = staffApi([simple, other, mine])
  await open(`/staff/payouts/${mine.id}`)
  await shown('Another person has to approve this')
  const single = await pressAllOffline()
  expect(single.sent).toEqual([])
  expect(single.pressed).toContain('Revoke my approval U')
  await open()
  await shown('Daniel Osei')
  await key('jxjx')
  await shown('2 selected')
  await press('Approve selected')
  await expect.element(page.getByRole('button', { name: 'Approve 2' })).toBeVisible()
  const bulk = await pressAllOffline()
  expect(bulk.sent).toEqual([])
  expect(bulk.pressed).toContain('Approve 2, 162.75 USD?: Approve 2')
})

it('greys out the reader’s request in the list and labels it', async () => {
  api = staffApi([simple, testItem('p7-mei', 'Mei Tanaka', { canDecide: false, whyNot: 'OWN' })])
  await open('/staff/payouts?for=others')
  const row = (text: RegExp) => page.getByRole('option', { name: text })
  await expect.element(row(/Mei Tanaka yours/)).toBeVisible()
  const inks = (text: RegExp) => [2, 3].map((part) => getComputedStyle(row(text).element().children[part - 1] ?? document.body).color)
  expect(new Set([...inks(/Mei Tanaka yours/), ...inks(/Daniel Osei/)]).size).toBe(2)
  expect(await axeViolations()).toEqual([])
})
