import { inbox, lockedNotices, optionalNotices, readAllNotices, readNotice } from '@tizara/contract/notices'
import { unreadNotices } from '@tizara/contract/notices-unread'
import { profile } from '@tizara/contract/members'
import { getReceipt } from '@tizara/contract/wallets'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Bell } from '../app/frame/bell.tsx'
import type { WireReplyOf } from '@tizara/contract'
import type { FakeApi } from '../test/fake-api.ts'
import { axeViolations } from '../test/list-check.tsx'
import { memberApi, testMember } from '../test/member-api.ts'
import { mount } from '../test/mount.tsx'
import { queryClient } from '../lib/http/query.ts'
import InboxScreen from './inbox.screen.tsx'

type Row = WireReplyOf<typeof inbox>['rows'][number]

let api: FakeApi
beforeEach(() => {
  api = memberApi()
    .reply(profile, { ...testMember, secondFactor: false })
    .reply(unreadNotices, { count: 0 })
    .reply(readNotice, null)
    .reply(readAllNotices, null)
})

const common = { createdAt: '2026-03-05T12:00:00.000Z', read: false }
const money = { amount: 12.5, asset: 'usd' as const }
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
/** A row of each kind, with its title, a part of its sentence and where it leads; `null` for a receipt. */
const KINDS: { [Event in Row['event']]: [row: Row, title: string, text: string, href: string | null] } = {
  deposit: [{ ...common, id: '11', event: 'deposit', ...money, facts: { deposit: 'd1' } }, 'A deposit was credited', '12.50 USD', null],
  received: [
    { ...common, id: '10', event: 'received', ...money, facts: { transfer: '7', sender: 'Lena H.' } },
    'A transfer was received',
    'Lena H. sent you 12.50 USD.',
    null,
  ],
  reward: [
    { ...common, id: '9', event: 'reward', amount: 0.00000001, asset: 'coin', facts: { reward: 'nftRewards' } },
    'A reward was paid',
    '0.00000001 TIZARA was paid: rewards of your NFTs and your team.',
    '/activity?group=reward&from=2026-03-05&to=2026-03-05',
  ],
  'stake-ended': [
    { ...common, id: '8', event: 'stake-ended', amount: 1000.12345678, asset: 'coin', facts: { stake: 's1', list: 'stake' } },
    'A stake has ended',
    'A stake of 1,000.12 TIZARA',
    null,
  ],
  'sell-request': [
    { ...common, id: '13', event: 'sell-request', amount: 250, asset: 'coin', facts: { step: 'expired', request: 'r1' } },
    'Your sell request has expired',
    '250.00 TIZARA of it was not sold.',
    '/dashboard',
  ],
  'support-answer': [
    { ...common, id: '7', event: 'support-answer', facts: { ticket: 't1', opened: '2026-03-01T12:00:00.000Z' } },
    'Support answered',
    '01 Mar 2026',
    '/ticket/show/t1',
  ],
  message: [
    { ...common, id: '15', event: 'message', facts: { title: 'a new plan', text: 'It starts on Monday.\nTake a look.' } },
    'A new plan',
    'It starts on Monday.',
    '/inbox',
  ],
  payout: [
    {
      ...common,
      id: '6',
      event: 'payout',
      ...money,
      facts: { outflow: 'withdrawal', step: 'returned', address: ADDRESS, request: 'w1' },
    },
    'A withdrawal was rejected',
    'A withdrawal of 12.50 USD to 0x5290…9EE7 was rejected',
    null,
  ],
  'payout-address': [
    { ...common, id: '5', event: 'payout-address', facts: { address: ADDRESS } },
    'A new payout address',
    ADDRESS,
    '/profile',
  ],
  recovery: [
    { ...common, id: '14', event: 'recovery', facts: { step: 'started', replaces: 'mailbox', until: '2026-03-12T12:00:00.000Z' } },
    'Your email address will be replaced',
    'because your mailbox was reported as lost',
    '/profile',
  ],
  'sign-in': [
    { ...common, id: '4', event: 'sign-in', facts: { device: 'Firefox on Linux', ip: '192.0.2.1' } },
    'Sign-in from a new device',
    'Firefox on Linux, IP address 192.0.2.1',
    '/profile',
  ],
  password: [
    { ...common, id: '3', event: 'password', facts: { how: 'reset' } },
    'Your password was changed',
    'All devices were signed out.',
    '/profile',
  ],
  'second-factor': [
    { ...common, id: '2', event: 'second-factor', facts: { what: 'passkey-added', passkey: 'Phone $& {at}' } },
    'A passkey was added',
    'the passkey "Phone $& {at}" was added',
    '/profile',
  ],
  contact: [
    { ...common, id: '12', event: 'contact', facts: { what: 'phone' } },
    'Your phone number was changed',
    'was changed.',
    '/profile',
  ],
  staff: [
    {
      ...common,
      id: '1',
      event: 'staff',
      ...money,
      facts: { what: 'reversal', transfer: '9', kind: 'deposit', made: '2026-03-01T12:00:00.000Z', way: 'out' },
    },
    'A transfer was reversed',
    '12.50 USD was taken from your wallet.',
    null,
  ],
}
const rowOf = (event: Row['event']) => KINDS[event][0]

it.each([...optionalNotices, ...lockedNotices])('composes a row of the kind %s and opens what it is about', async (event) => {
  const [row, title, text, href] = KINDS[event]
  api.reply(inbox, { rows: [row] }).refuse(getReceipt, 404)
  await mount(<InboxScreen />, '/inbox')
  const entry = page.getByRole('listitem').getByRole(href === null ? 'button' : 'link')
  await expect.poll(() => entry.element().textContent).toContain(`Unread: ${title}`)
  await expect.poll(() => entry.element().textContent).toContain(text)
  if (href !== null) expect(entry.element().getAttribute('href')).toBe(href)
  await entry.click()
  await expect.poll(() => api.calls(readNotice).map(({ params }) => params)).toEqual([{ id: row.id }])
  if (href === null) await expect.element(page.getByRole('dialog', { name: 'Receipt' })).toBeVisible()
  else expect(location.pathname + location.search).toBe(href)
})

it('is accessible, fits a phone and opens a row by keyboard', async () => {
  api.reply(inbox, { rows: Object.values(KINDS).map(([row]) => row) }).refuse(getReceipt, 404)
  const { innerWidth: width, innerHeight: height } = window
  await page.viewport(360, 800)
  await mount(<InboxScreen />, '/inbox')
  await expect.element(page.getByRole('button', { name: /A deposit was credited/ })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  expect(await axeViolations()).toEqual([])
  page
    .getByRole('button', { name: /A deposit was credited/ })
    .element()
    .focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('dialog', { name: 'Receipt' })).toBeVisible()
  await page.viewport(width, height)
})

it('shows one kind, keeps it in the URL, and says when there is none of it', async () => {
  api.answer(inbox, ({ query }) =>
    query.get('kind') === 'payout' ? { rows: [], next: '3' } : { rows: query.get('kind') === 'staff' ? [] : [rowOf('deposit')] },
  )
  await mount(<InboxScreen />, '/inbox?kind=nothing')
  await expect.element(page.getByRole('button', { name: /A deposit was credited/ })).toBeVisible()
  const kind = page.getByRole('combobox', { name: 'Kind' })
  await kind.selectOptions('Reversals by staff')
  await expect.element(page.getByText('None of this kind in the last 90 days. Choose another kind to see more.')).toBeVisible()
  await expect.poll(() => location.search).toBe('?kind=staff')
  await kind.selectOptions('Withdrawals, bridges, transfers sent')
  await expect.element(page.getByText('None of this kind among the newest notifications. Older ones may match.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Show older notifications' })).toBeVisible()
  await expect.poll(() => api.calls(inbox).map(({ query }) => query.get('kind'))).toEqual([null, 'staff', 'payout'])
})

it('marks all notifications as read that were written when the inbox was read', async () => {
  api.reply(inbox, { rows: [rowOf('deposit'), rowOf('received')], through: '77' })
  await mount(<InboxScreen />, '/inbox')
  api.reply(inbox, { rows: [{ ...rowOf('deposit'), read: true }] })
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect.element(page.getByText('Unread:')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Mark all as read' })).toHaveAttribute('aria-disabled', 'true')
  expect(api.calls(readAllNotices).map(({ body }) => body)).toEqual([{ through: '77' }])
})

it('loads older rows with the cursor, and explains an empty inbox and one that did not load', async () => {
  api.answer(inbox, ({ query }) => (query.get('before') === '11' ? { rows: [rowOf('staff')] } : { rows: [rowOf('deposit')], next: '11' }))
  const first = await mount(<InboxScreen />, '/inbox')
  await page.getByRole('button', { name: 'Show older notifications' }).click()
  await expect.element(page.getByRole('button', { name: /A transfer was reversed/ })).toBeVisible()
  await expect.element(page.getByRole('button', { name: /A deposit was credited/ })).toBeVisible()
  await first.unmount()
  queryClient.clear()
  api.reply(inbox, { rows: [] })
  const empty = await mount(<InboxScreen />, '/inbox')
  await expect.element(page.getByText('No notifications yet')).toBeVisible()
  await empty.unmount()
  queryClient.clear()
  api.refuse(inbox, 400)
  await mount(<InboxScreen />, '/inbox')
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

it('the bell counts unread rows up to 99, and follows the change stream', async () => {
  api.reply(unreadNotices, { count: 0 })
  await mount(<Bell />)
  await expect.element(page.getByRole('link', { name: 'Inbox', exact: true })).toHaveAttribute('href', '/inbox')
  api.reply(unreadNotices, { count: 3 })
  await queryClient.invalidateQueries({ queryKey: [unreadNotices.name] })
  await expect.element(page.getByRole('link', { name: 'Inbox, 3 unread' })).toBeVisible()
  await expect.poll(() => page.getByRole('link').element().textContent).toBe('3')
  expect(await axeViolations()).toEqual([])
  api.reply(unreadNotices, { count: 100 })
  await queryClient.invalidateQueries({ queryKey: [unreadNotices.name] })
  await expect.element(page.getByRole('link', { name: 'Inbox, 99+ unread' })).toBeVisible()
})

it('the bell is missing where the server has no inbox', async () => {
  api.reply(profile, testMember)
  await mount(<Bell />)
  await expect.poll(() => api.calls(profile)).toHaveLength(1)
  await expect.element(page.getByRole('link')).not.toBeInTheDocument()
  expect(api.calls(unreadNotices)).toEqual([])
})
