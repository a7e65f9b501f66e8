import '../console.css'
import { errorCatalogue } from '@tizara/contract/errors'
import { answerTicket, closeTicketAsStaff, staffTicketDetail, staffTickets } from '@tizara/contract/staff-tickets'
import { staffMe } from '@tizara/contract/staff'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { FakeApi } from '../../test/fake-api.ts'
import { tidyUp } from '../../test/mount.tsx'
import { press, signedIn } from '../../test/open-app.tsx'
import { staffApi, testStaff } from '../../test/staff-api.ts'
import { Console } from '../console.tsx'

const at = new Date(Date.now() - 3_600_000).toISOString()
const member = { id: 'm1', name: 'Grace Okafor', email: 'grace@gmail.com' }
const said = { id: '7', message: 'Where is my payout?', role: 'USER', createdAt: at }
const row = {
  id: 't1',
  title: 'Payout',
  description: 'It is late',
  status: 'OPEN',
  createdAt: at,
  member,
  number: 2207,
  awaitsStaff: true,
  waitingSince: at,
  lastMessageAt: at,
  lastFrom: 'member' as const,
  tags: ['Deposit'],
  updates: [],
}
const none = { depositWallet: 0, nativeWallet: 0, icoWallet: 0, newIcoWallet: 0, stakeWallet: 0, nftWallet: 0, rcmWallet: 0 }
const ticket = {
  ...row,
  updates: [said],
  seen: '7',
  notes: [],
  money: [],
  flags: [],
  pane: {
    since: at,
    status: true,
    teamSize: 0,
    balances: { ...none, depositWallet: 22.15 },
    deposited: 0,
    paidOut: 0,
    bought: 0,
    held: { usd: 0, coin: 0 },
    earlier: [],
    lately: [],
    ticketsBefore: 2,
  },
}
const rights = [...testStaff.rights, 'staffTickets', 'answerTicket', 'closeTicketAsStaff']

let api: FakeApi
beforeEach(() => {
  api = staffApi([])
    .reply(staffMe, { ...testStaff, rights })
    .reply(staffTickets, { data: [row], meta: { total: 1, page: 1, limit: 100 } })
    .reply(staffTicketDetail, ticket)
    .reply(answerTicket, null)
    .reply(closeTicketAsStaff, null)
})
afterEach(() => {
  tidyUp()
  sessionStorage.clear()
  api.restore()
})

async function open(path: string) {
  tidyUp()
  for (const [key, value] of Object.entries(signedIn)) localStorage.setItem(key, value)
  history.replaceState(null, '', path)
  await render(<Console go={() => undefined} />)
}
const shown = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()

it('[RO-13] answers a ticket with what was read, keeps the draft when there is a newer message, and closes it', async () => {
  api.refuse(answerTicket, 400, errorCatalogue.TICKET_MOVED_ON.message)
  await open('/staff/tickets/t1')
  await shown('Where is my payout?')
  await userEvent.fill(page.getByRole('textbox', { name: 'Reply' }), 'It left today.')
  await press('Send to Grace ⌘ ↵')
  await shown(errorCatalogue.TICKET_MOVED_ON.message)
  await expect.element(page.getByRole('textbox', { name: 'Reply' })).toHaveValue('It left today.')
  api.reply(answerTicket, null)
  await press('Send to Grace ⌘ ↵')
  await expect.poll(() => api.calls(answerTicket).at(-1)?.body).toEqual({ message: 'It left today.', seen: '7' })
  await expect.element(page.getByRole('textbox', { name: 'Reply' })).toHaveValue('')
  await press('Close the ticket')
  await expect.poll(() => api.calls(closeTicketAsStaff)).toHaveLength(1)
})
