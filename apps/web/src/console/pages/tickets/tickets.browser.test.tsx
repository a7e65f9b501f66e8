import { errorCatalogue } from '@tizara/contract/errors'
import {
  answerTicket,
  assignTicket,
  changeReply,
  closeTicketAsStaff,
  noteOnTicket,
  openTicketImage,
  savedReplies,
  staffTicketDetail,
  staffTicketFigures,
  staffTickets,
  tagTicket,
} from '@tizara/contract/staff-tickets'
import { announcePresence } from '@tizara/contract/staff-platform'
import { staffMe } from '@tizara/contract/staff'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeApi } from '../../../test/fake-api.ts'
import { press } from '../../../test/open-app.tsx'
import { openConsole } from '../../../test/open-console.tsx'
import { pressAllOffline } from '../../../test/press-offline.ts'
import { staffApi, testStaff } from '../../../test/staff-api.ts'
import { testTicket as ticket, testTicketRow as row } from '../../../test/test-ticket.ts'
import { MOD } from '../../kit/mod-key.ts'

const desk = [
  'staffTickets',
  'answerTicket',
  'closeTicketAsStaff',
  'noteOnTicket',
  'assignTicket',
  'openTicketImage',
  'saveReply',
  'tagTicket',
]
const rights = [...testStaff.rights, ...desk]

let api: FakeApi
beforeEach(() => {
  api = staffApi([])
    .reply(staffMe, { ...testStaff, rights })
    .reply(staffTickets, { data: [row], meta: { total: 1, page: 1, limit: 100 } })
    .reply(staffTicketDetail, ticket)
    .reply(staffTicketFigures, { days: 30, targetHours: 4, inTime: 24, of: 25 })
    .reply(answerTicket, null)
    .reply(closeTicketAsStaff, null)
    .reply(noteOnTicket, null)
    .reply(assignTicket, null)
    .reply(tagTicket, null)
    .reply(savedReplies, [{ id: 's1', name: 'Refund', text: 'Hello {firstName}, {amount} came back.', tags: [], uses: 3 }])
})

const shown = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()

it('[RO-13] answers a ticket, keeps the draft when a newer message exists, and closes the ticket', async () => {
  api.refuse(answerTicket, 400, errorCatalogue.TICKET_MOVED_ON.message)
  await openConsole('/staff/tickets/t1')
  await shown(/^my payout\?$/)
  await shown('First answer within 4 h: 96 % in 30 days')
  await userEvent.fill(page.getByRole('textbox', { name: 'Reply' }), 'It left today.')
  await press(`Send to Grace ${MOD} ↵`)
  await shown(errorCatalogue.TICKET_MOVED_ON.message)
  await expect.element(page.getByRole('textbox', { name: 'Reply' })).toHaveValue('It left today.')
  api.reply(answerTicket, null)
  await press(`Send to Grace ${MOD} ↵`)
  await expect.poll(() => api.calls(answerTicket).at(-1)?.body).toEqual({ message: 'It left today.', seen: '7' })
  await expect.element(page.getByRole('textbox', { name: 'Reply' })).toHaveValue('')
  await press('Close E')
  await expect.poll(() => api.calls(closeTicketAsStaff)).toHaveLength(1)
})

it('[RO-13] separates answer and note: fields, drafts and buttons', async () => {
  await openConsole('/staff/tickets/t1')
  await userEvent.fill(page.getByRole('textbox', { name: 'Reply' }), 'For Grace')
  await press('Internal note N')
  const note = page.getByRole('textbox', { name: 'Internal note' })
  await expect.element(note).toHaveValue('')
  await userEvent.fill(note, 'For us only')
  await press('Reply to Grace')
  await expect.element(page.getByRole('textbox', { name: 'Reply' })).toHaveValue('For Grace')
  await press('Internal note N')
  await expect.element(note).toHaveValue('For us only')
  await press(`Save note ${MOD} ↵`)
  await expect.poll(() => api.calls(noteOnTicket).map((call) => call.body)).toEqual([{ text: 'For us only' }])
  expect(api.calls(answerTicket)).toEqual([])
  await press('Reply to Grace')
  await expect.element(page.getByRole('textbox', { name: 'Reply' })).toHaveValue('For Grace')
})

it('fills a saved reply from the ticket, and sends none with an open placeholder', async () => {
  await openConsole('/staff/tickets/t1')
  await userEvent.fill(page.getByRole('textbox', { name: 'Reply' }), '/')
  await userEvent.click(page.getByRole('button', { name: /^Refund/ }))
  await expect.element(page.getByRole('textbox', { name: 'Reply' })).toHaveValue('Hello Grace, {amount} came back.')
  await press(`Send to Grace ${MOD} ↵`)
  await shown('Please fill {amount} first')
  expect(api.calls(answerTicket)).toEqual([])
  await userEvent.fill(page.getByRole('textbox', { name: 'Reply' }), 'Hello Grace, 320.00 came back.')
  await press('Send and close')
  await expect
    .poll(() => api.calls(answerTicket).at(-1)?.body)
    .toEqual({ message: 'Hello Grace, 320.00 came back.', seen: '7', close: 'true', saved: 's1' })
})

it('changes a saved reply for all staff', async () => {
  api.reply(staffMe, { ...testStaff, rights: [...rights, 'saveReply', 'changeReply'] }).reply(changeReply, null)
  await openConsole('/staff/tickets/t1')
  await userEvent.fill(page.getByRole('textbox', { name: 'Reply' }), '/')
  await press('Change Refund')
  await expect.element(page.getByLabelText('Text')).toHaveValue('Hello {firstName}, {amount} came back.')
  await userEvent.fill(page.getByLabelText('Text'), 'Dear {firstName}, {amount} came back.')
  await press('Save')
  await expect
    .poll(() => api.calls(changeReply).map(({ body }) => body))
    .toEqual([{ name: 'Refund', text: 'Dear {firstName}, {amount} came back.' }])
  await expect.element(page.getByRole('textbox', { name: 'Find a reply' })).toHaveFocus()
})

it('moves the keyboard focus into the saved replies and back to the text', async () => {
  await openConsole('/staff/tickets/t1')
  const reply = page.getByRole('textbox', { name: 'Reply' })
  const find = page.getByRole('textbox', { name: 'Find a reply' })
  await userEvent.fill(reply, '/')
  await expect.element(find).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(reply).toHaveFocus()
  await userEvent.keyboard('/')
  await expect.element(find).toHaveFocus()
  ;((await page.getByRole('button', { name: /^Refund/ }).findElement()) as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(reply).toHaveFocus()
  await expect.element(reply).toHaveValue('Hello Grace, {amount} came back.')
})

it('asks before it reassigns a ticket, and names the current assignee', async () => {
  api.reply(staffTicketDetail, { ...ticket, assignee: { id: 'p9', name: 'Tomas Vidal', email: 'tomas@example.com' } })
  await openConsole('/staff/tickets/t1')
  await press('Assign to me I')
  await shown('Tomas Vidal is assigned to this ticket. It moves to you.')
  expect(api.calls(assignTicket)).toEqual([])
  await press('Reassign to me')
  await expect.poll(() => api.calls(assignTicket).map((call) => call.body)).toEqual([{ to: testStaff.person.id, from: 'p9' }])
})

it('inserts receipts of the member’s payments into the answer', async () => {
  const line = {
    transferId: '4812007',
    at: row.createdAt,
    kind: 'withdrawalRejected',
    text: 'Payout rejected, refunded',
    wallet: 'depositWallet' as const,
  }
  api.reply(staffTicketDetail, {
    ...ticket,
    money: [{ ...line, asset: 'usd' as const, amount: 320, balanceAfter: 342.15, pending: false }],
  })
  await openConsole('/staff/tickets/t1')
  await userEvent.click(page.getByRole('button', { name: 'Add the receipt of Payout rejected, refunded' }))
  await userEvent.fill(page.getByRole('textbox', { name: 'Reply' }), 'Here it is')
  await press(`Send to Grace ${MOD} ↵`)
  await expect.poll(() => api.calls(answerTicket).at(-1)?.body).toMatchObject({ receipts: 'transfer.4812007' })
})

it('loads an image only on click, and renders it as an image', async () => {
  const base64 = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='
  api.reply(staffTicketDetail, { ...ticket, image: '/ticket-images/i1' }).reply(openTicketImage, { type: 'image/webp', base64 })
  await openConsole('/staff/tickets/t1')
  await shown('Viewing is recorded in the audit log.')
  expect(api.calls(openTicketImage)).toEqual([])
  await press('Show the image')
  await expect.element(page.getByRole('img', { name: 'Image of Grace Okafor' })).toHaveAttribute('src', `data:image/webp;base64,${base64}`)
})

it('renders a member’s message as text, and is read-only without the right to answer', async () => {
  const odd = '<img src=x onerror=alert(1)>\u202Eevil'
  api
    .reply(staffMe, {
      ...testStaff,
      rights: [...testStaff.rights, 'staffTickets'],
      whoCan: { answerTicket: ['SUPPORT', 'FINANCE', 'ADMIN'] },
    })
    .reply(staffTicketDetail, {
      ...ticket,
      title: odd,
      member: { ...row.member, name: `Grace ${odd}` },
      updates: ticket.updates.map((one) => ({ ...one, message: odd })),
    })
  await openConsole('/staff/tickets/t1')
  await shown('<img src=x onerror=alert(1)>⟨U+202E⟩evil')
  expect(document.querySelector('img[src=x]')).toBeNull()
  expect(document.body.textContent).not.toContain('\u202E')
  await shown('Your role cannot answer tickets. SUPPORT, FINANCE or ADMIN can.')
  expect(page.getByRole('textbox', { name: 'Reply' }).elements()).toEqual([])
})

it('[RO-13] shows colleagues that an answer or a note is being written', async () => {
  await openConsole('/staff/tickets/t1')
  const activity = () => api.calls(announcePresence).map(({ body }) => (body as { activity: string }).activity)
  await expect.poll(activity).toContain('viewing')
  await userEvent.type(page.getByRole('textbox', { name: 'Reply' }), 'Hello')
  await expect.poll(() => activity().at(-1)).toBe('writing')
  await shown(/^Draft saved/)
  await userEvent.click(page.getByRole('button', { name: /^Internal note/ }))
  await userEvent.type(page.getByRole('textbox', { name: 'Internal note' }), 'Hm')
  await expect.poll(() => activity().at(-1)).toBe('noting')
  await press(`Save note ${MOD} ↵`)
  await expect.poll(() => activity().at(-1)).toBe('viewing')
})

it('tags a ticket, and lists all tickets with a tag', async () => {
  await openConsole('/staff/tickets/t1')
  await press('Tag')
  await userEvent.type(page.getByRole('combobox', { name: 'New tag' }), 'Payout{Enter}')
  await expect.poll(() => api.calls(tagTicket).map(({ body }) => body)).toEqual([{ tags: ['Deposit', 'Payout'] }])
  await press('Remove Deposit')
  await expect.poll(() => api.calls(tagTicket).at(-1)?.body).toEqual({ tags: [] })
  await userEvent.click(page.getByRole('link', { name: 'Deposit', exact: true }))
  await expect.poll(() => location.search).toBe('?tag=Deposit')
  await expect.element(page.getByRole('link', { name: 'No longer only Deposit' })).toBeVisible()
})

it('sends nothing about a ticket while offline', async () => {
  await openConsole('/staff/tickets/t1')
  await shown(/^my payout\?$/)
  const { sent, pressed } = await pressAllOffline()
  expect(sent).toEqual([])
  expect(pressed).toEqual(expect.arrayContaining([`Save note${MOD} ↵`, 'Assign to meI', 'CloseE', 'Remove Deposit']))
})
