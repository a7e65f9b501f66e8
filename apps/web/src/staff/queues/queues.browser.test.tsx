import '../console.css'
import { staffMe } from '@tizara/contract/staff'
import { errorCatalogue } from '@tizara/contract/errors'
import { answerChain } from '@tizara/contract/staff-house'
import { approveRequest, rejectRequest, staffQueueItem, stopSending, takeBackApproval } from '@tizara/contract/staff-queues'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { FakeApi } from '../../test/fake-api.ts'
import { tidyUp } from '../../test/mount.tsx'
import { press, signedIn } from '../../test/open-app.tsx'
import { staffApi, testItem, testStaff } from '../../test/staff-api.ts'
import { Console } from '../console.tsx'

const simple = testItem('p1-daniel', 'Daniel Osei')
const other = testItem('p2-lukas', 'Lukas Weber', { amount: 75, platformFee: 3.75, networkFee: 1.5, received: 69.75 })
const flagged = testItem('p3-ifeoma', 'Ifeoma Balogun', {
  amount: 5000,
  platformFee: 250,
  networkFee: 100,
  received: 4650,
  approvalsNeeded: 2,
  addressUsed: 0,
  signs: [{ code: 'NEW_ADDRESS', text: 'First payout to this address' }],
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
    .reply(takeBackApproval, null)
})
afterEach(() => {
  vi.useRealTimers()
  tidyUp()
  api.restore()
})

async function open(path = '/staff/payouts') {
  tidyUp()
  for (const [key, value] of Object.entries(signedIn)) localStorage.setItem(key, value)
  history.replaceState(null, '', path)
  await render(<Console go={() => undefined} />)
}
const reason = () => page.getByRole('textbox', { name: 'Reason' })
const key = (keys: string) => userEvent.keyboard(keys)
const shown = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()

it('[GN-04] shows on one page what is paid, to whom in full, and who approved', async () => {
  await open(`/staff/payouts/${flagged.id}`)
  await shown('Waits for the second approval')
  await expect.poll(() => document.querySelector('.addr')?.textContent).toBe(flagged.address)
  await shown('“Called the number on file”')
  await shown('You may. This approval pays at once.')
  await shown('First payout to this address')
  await shown('Member is active')
  await expect.element(page.getByRole('button', { name: /^Approve and pay 4,650.00/ })).toBeVisible()
  await expect.element(page.getByRole('link', { name: /^Payouts 3 for you/ })).toHaveAttribute('aria-current', 'page')
})

it('[GN-04] counts on each filter what it would leave of the rows that are there', async () => {
  await open()
  await expect.element(page.getByRole('button', { name: 'Flagged 1' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Above limit 1' })).toBeVisible()
})

it('names everybody who decided about a deposit before a later payment of it', async () => {
  const who = (id: string, name: string, said?: string) => ({
    by: { id, name, email: `${id}@example.com` },
    at: new Date().toISOString(),
    ...(said === undefined ? {} : { reason: said }),
  })
  const paidAgain = testItem('d1-mina', 'Mina Sato', {
    kind: 'deposits',
    earlierDecisions: [
      { outcome: 'APPROVED', by: [who('s2', 'Ruth Adeyemi'), who('s3', 'Jonas Falk', 'Seen at the provider')] },
      { outcome: 'REJECTED', by: [who('s4', 'Ana Silva', 'Refunded')] },
    ],
  })
  api.restore()
  api = staffApi([simple, paidAgain])
  await open(`/staff/deposits/${paidAgain.id}`)
  const before = page.getByRole('region', { name: 'Decided before' })
  const when = String.raw`\([^()]*\d\d:\d\d`
  await expect
    .element(before.getByText(new RegExp(`^Approved by Ruth Adeyemi ${when}\\) and Jonas Falk ${when}, “Seen at the provider”\\)$`)))
    .toBeVisible()
  await expect.element(before.getByText(new RegExp(`^Refused by Ana Silva ${when}, “Refunded”\\)$`))).toBeVisible()
  await open(`/staff/payouts/${simple.id}`)
  await shown('Member is active')
  expect(document.querySelector('[aria-label="Decided before"]')).toBeNull()
})

it('moves by keys, arms with a letter, and lets none of them move money', async () => {
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

it('waits five seconds before it sends what is simple, and sends nothing after an undo', async () => {
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

it('asks for a reason where it is the second of two or flagged, and sends it with what was seen', async () => {
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

it('says that an item has changed, reads it again and keeps the reason', async () => {
  api.refuse(rejectRequest, 400, errorCatalogue.ITEM_CHANGED.message)
  await open(`/staff/payouts/${simple.id}`)
  await shown('Member is active')
  await userEvent.fill(reason(), 'Not theirs')
  const before = api.calls(staffQueueItem).length
  await press('Reject, give back R')
  await expect.element(page.getByRole('alert').filter({ hasText: errorCatalogue.ITEM_CHANGED.message })).toBeVisible()
  await expect.poll(() => api.calls(staffQueueItem).length).toBeGreaterThan(before)
  await expect.element(reason()).toHaveValue('Not theirs')
})

it('shows one notice where there is nothing to decide: decided elsewhere, the own first approval, another role', async () => {
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
  api.restore()
  api = staffApi([decided, mine, { ...other, canDecide: false, whyNot: 'ROLE' }]).reply(takeBackApproval, null)
  await open(`/staff/payouts/${decided.id}`)
  await shown(/rejected this/)
  await expect.poll(() => page.getByRole('button', { name: /Approve and/ }).elements()).toHaveLength(0)
  await press('Next payout J')
  await shown('Another person has to approve this')
  await press('Take my approval back')
  await expect.poll(() => api.calls(takeBackApproval).map((call) => call.params)).toEqual([{ kind: 'withdrawals', id: mine.id }])
  await key('j')
  await shown('Your role does not decide this')
})

it('approves several one after another, each with its own key, and leaves the flagged out', async () => {
  await open()
  await shown('Daniel Osei')
  await key('jxjxjx')
  await shown('3 selected')
  await press('Approve together')
  await shown(/1 of the 3 selected stay out/)
  await press('Approve 2')
  await shown('2 approved, 0 left')
  const calls = api.calls(approveRequest)
  expect(calls.map((call) => call.params['id'])).toEqual([simple.id, other.id])
  expect(new Set(calls.map((call) => call.headers.get('Idempotency-Key'))).size).toBe(2)
})

it('shows names that turn text round as what they are', async () => {
  api.restore()
  api = staffApi([testItem('p9', 'Ada \u202Eevil')])
  await open()
  await shown('Ada ⟨U+202E⟩evil')
})

it('shows how far an approved payout is on the chain, and takes it back only with a reason', async () => {
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
      problem: 'gas is dearer than what is allowed',
      transactions: [{ hash, url: `https://explorer.example/tx/${hash}`, purpose: 'PAYMENT' }],
    },
  })
  api.restore()
  api = staffApi([sent])
    .reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'stopSending'] })
    .reply(stopSending, { status: 'ASKED' })
  await open(`/staff/payouts/${sent.id}?for=decided`)
  await shown('Signed and sent, in no block yet')
  await shown('gas is dearer than what is allowed')
  await expect.element(page.getByRole('link', { name: hash })).toHaveAttribute('href', `https://explorer.example/tx/${hash}`)
  await press('Take it back')
  await shown('It is signed: it may still arrive.')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Take it back' }).click()
  await shown('It needs a reason')
  await dialog.getByRole('textbox').fill('The member wrote: wrong address')
  await dialog.getByRole('button', { name: 'Take it back' }).click()
  await expect.poll(() => api.calls(stopSending).map(({ body }) => body)).toEqual([{ reason: 'The member wrote: wrong address' }])
})

it('lets an admin propose what became of a payout that the chain leaves open, only as it allows', async () => {
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
  api.restore()
  api = staffApi([sent]).reply(answerChain, { changeId: 'c1' })
  await open(`/staff/payouts/${sent.id}?for=decided`)
  await shown('the transaction succeeded without the transfer')
  expect(page.getByRole('button', { name: 'Propose that it has arrived' }).elements()).toEqual([])
  api.reply(staffMe, { ...testStaff, rights: [...testStaff.rights, 'answerChain'] })
  await open(`/staff/payouts/${sent.id}?for=decided`)
  await press('Propose to give it back')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('The token paid nothing')
  await dialog.getByRole('button', { name: 'Propose' }).click()
  const told = { about: 'payout', id: sent.id, answer: 'GIVE_BACK', reason: 'The token paid nothing' }
  await expect.poll(() => api.calls(answerChain).map(({ body }) => body)).toEqual([told])
})
