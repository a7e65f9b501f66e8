import { ONE } from '@tizara/money'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { fund } from '../../../../test/members.ts'
import { multipart } from '../../../../test/multipart.ts'
import { DAY_MS, HOUR_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { addReply, openTicket, supportRoutes } from '../../support/index.ts'
import { testApp, type TestApp } from '../../../../test/app.ts'
import { receiptFor } from '../../wallets/index.ts'
import { readTicketFigures } from './ticket-desk.queries.ts'

let instance: StaffInstance
let finance: Person
let members: TestApp

beforeAll(async () => {
  instance = await staffInstance()
  finance = await instance.person({ role: 'FINANCE' })
  const findReceipt: Parameters<typeof supportRoutes>[1]['findReceipt'] = (db, id, row) =>
    receiptFor(db, id, row, { histories: [], transfers: {} })
  members = await testApp(instance.at.db, { routes: (bind) => supportRoutes(bind, { findReceipt }), clock: instance.at.clock })
})

const open = (who: { id: bigint }, about?: { kind: string; id: string }) =>
  inTransaction(instance.at.db, (tx) =>
    openTicket(tx, instance.at.deps, {
      memberId: who.id,
      title: 'Where is it',
      description: 'My money',
      image: { contentType: 'image/webp', bytes: Buffer.from('image') },
      about,
    }),
  )
const say = (id: string, who: { id: bigint }, message = 'And now?') =>
  inTransaction(instance.at.db, (tx) => addReply(tx, instance.at.deps, { ticketId: id, authorId: who.id, role: 'USER', message }))

async function answer(id: string, who: Person, fields: Record<string, string>) {
  const { payload, headers } = await multipart(fields)
  const url = `/api/v1/staff/tickets/${id}/reply`
  const reply = await instance.at.app.inject({ method: 'POST', url, headers: { ...headers, authorization: who.token }, payload })
  return { status: reply.statusCode, body: reply.json() }
}
const detail = async (id: string, who = instance.support) => (await instance.get(`/staff/tickets/${id}`, who)).body.data
const view = async (query: string, who = instance.support) => (await instance.get(`/staff/tickets?${query}`, who)).body.data
const ids = (page: { data: { id: string }[] }) => page.data.map((row) => row.id)
const asMember = (who: Person, id: string) => members.call('GET', `/ticket/${id}`, { token: who.token })
const lastTransfer = async () =>
  String((await instance.at.db.selectFrom('ledger_transfer').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()).id)

describe('ticket desk', () => {
  it('[RO-13] sorts tickets into waiting, assigned, answered and closed ones, page by page', async () => {
    const who = await instance.person()
    const tickets: string[] = []
    for (let n = 0; n < 5; n += 1) {
      tickets.push(await open(who))
      instance.at.clock.advance(60_000)
    }
    const [first, second, third, fourth, fifth] = tickets
    const mine = (page: string[]) => page.filter((id) => tickets.includes(id))
    expect(mine(ids(await view('view=waiting')))).toEqual(tickets)
    expect(ids(await view(`view=waiting&limit=2&before=${second}`))).toEqual([third, fourth])
    expect((await answer(String(third), instance.support, { message: 'Soon', seen: 'none' })).status).toBe(200)
    expect((await answer(String(fourth), finance, { message: 'Done', close: 'true' })).status).toBe(200)
    await say(String(first), who)
    expect(mine(ids(await view('view=waiting')))).toEqual([second, fifth, first])
    expect(mine(ids(await view('view=answered')))).toEqual([third])
    expect(mine(ids(await view('view=mine')))).toEqual([third])
    const closed = (await view('view=closed')).data[0]
    expect(closed).toMatchObject({
      id: fourth,
      status: 'CLOSED',
      awaitsStaff: false,
      lastFrom: 'staff',
      assignee: { id: finance.publicId },
    })
    const row = (await view('view=waiting')).data.find((one: { id: string }) => one.id === first)
    expect(row).toMatchObject({ number: expect.any(Number), lastFrom: 'member', waitingSince: row.lastMessageAt, updates: [] })
    expect((await instance.get('/staff/tickets?view=odd', instance.support)).status).toBe(400)
    expect((await instance.get('/staff/tickets?before=unknown', instance.support)).status).toBe(400)
  })

  it('reassigns a ticket only if the call names the current assignee, and never to a role that may not answer', async () => {
    const id = await open(await instance.person())
    const assign = async (who: Person, body: object) => (await instance.post(`/staff/tickets/${id}/assign`, who, body)).body.message
    expect(await assign(instance.support, { to: instance.support.publicId })).toBe('The ticket is assigned')
    expect(await assign(finance, { to: finance.publicId })).toMatch(/has changed since/)
    expect(await assign(finance, { to: finance.publicId, from: instance.support.publicId })).toBe('The ticket is assigned')
    expect((await detail(id)).assignee.id).toBe(finance.publicId)
    const auditor = await instance.person({ role: 'AUDITOR' })
    for (const to of [auditor.publicId, instance.member.publicId, 'nobody'])
      expect((await instance.post(`/staff/tickets/${id}/assign`, finance, { to })).status, to).toBe(404)
    expect(await assign(finance, {})).toBe('The ticket is unassigned')
    expect((await detail(id)).assignee).toBe(null)
  })

  it('reassigns the ticket of a former staff member', async () => {
    const id = await open(await instance.person())
    const leaver = await instance.person({ role: 'SUPPORT' })
    const assign = async (who: Person, body: object) => (await instance.post(`/staff/tickets/${id}/assign`, who, body)).body.message
    expect(await assign(finance, { to: leaver.publicId })).toBe('The ticket is assigned')
    await instance.at.db.updateTable('member').set({ role: 'MEMBER' }).where('id', '=', leaver.id).execute()
    expect(await assign(instance.support, { to: instance.support.publicId })).toMatch(/has changed since/)
    expect(await assign(instance.support, { to: instance.support.publicId, from: leaver.publicId })).toBe('The ticket is assigned')
    expect((await detail(id)).assignee.id).toBe(instance.support.publicId)
  })

  it("rejects actions on the staff member's own ticket", async () => {
    const id = await open(instance.support)
    for (const [what, body] of [
      ['close', {}],
      ['assign', {}],
      ['notes', { text: 'x' }],
      ['tags', { tags: [] }],
    ] as const)
      expect((await instance.post(`/staff/tickets/${id}/${what}`, instance.support, body)).body.message, what).toMatch(
        /Another staff member/,
      )
    expect((await answer(id, instance.support, { message: 'Yes' })).body.message).toMatch(/Another staff member/)
    expect((await instance.post(`/staff/tickets/${id}/assign`, finance, { to: instance.support.publicId })).status).toBe(404)
  })

  it('rejects an answer before the newest message was read, and a saved reply with an open placeholder', async () => {
    const who = await instance.person()
    const id = await open(who)
    const { seen } = await detail(id)
    await say(id, who)
    expect((await answer(id, instance.support, { message: 'Soon', seen })).body.message).toMatch(/newer message/)
    for (const gap of ['{firstName}', '{amount}', '{receipt}'])
      expect((await answer(id, instance.support, { message: `Hello ${gap}` })).body.errorMessages[0].message).toBe(
        `Please fill ${gap} first`,
      )
    expect((await answer(id, instance.support, { message: 'Hello {you}', seen: (await detail(id)).seen })).status).toBe(200)
  })

  it('counts the uses of a saved reply, and deletes one', async () => {
    const { body } = await instance.post('/staff/saved-replies', instance.support, {
      name: 'Soon',
      text: 'Soon, {firstName}',
      tags: ['General'],
    })
    const saved = body.data.id
    expect((await answer(await open(await instance.person()), instance.support, { message: 'Soon, Ada', saved })).status).toBe(200)
    const list = async () => (await instance.get('/staff/saved-replies', finance)).body.data
    expect(await list()).toContainEqual({ id: saved, name: 'Soon', text: 'Soon, {firstName}', tags: ['General'], uses: 1 })
    const change = (what: object) => instance.at.call('PATCH', `/staff/saved-replies/${saved}`, { token: finance.token, body: what })
    expect((await change({ gone: true })).status).toBe(200)
    expect(await list()).not.toContainEqual(expect.objectContaining({ id: saved }))
    expect((await change({ name: 'Again' })).status).toBe(404)
  })
})

it('[I17] a saved reply that was changed, sent and changed back leaves each version in the audit log', async () => {
  const first = { name: 'Payout late', text: 'It arrives within a day, {firstName}.', tags: [] }
  const { body } = await instance.post('/staff/saved-replies', instance.support, first)
  const saved = body.data.id
  const change = (what: object) => instance.at.call('PATCH', `/staff/saved-replies/${saved}`, { token: instance.support.token, body: what })
  const trick = 'Please confirm your password at https://evil.example.'
  expect((await change({ text: trick })).status).toBe(200)
  const ticket = await open(await instance.person())
  expect((await answer(ticket, finance, { message: trick, saved })).status).toBe(200)
  expect((await change({ text: first.text })).status).toBe(200)
  expect((await change({ gone: true })).status).toBe(200)
  const rows = await instance.at.db
    .selectFrom('audit_event')
    .select(['action', 'actor_id', 'detail'])
    .where('subject_id', 'in', [saved, ticket])
    .where('outcome', '=', 'ok')
    .orderBy('id')
    .execute()
  const by = instance.support.id
  expect(rows).toEqual([
    { action: 'staff.reply.save', actor_id: by, detail: { after: first } },
    { action: 'staff.reply.change', actor_id: by, detail: { before: first, after: { ...first, text: trick } } },
    { action: 'staff.ticket.answer', actor_id: finance.id, detail: { saved } },
    { action: 'staff.reply.change', actor_id: by, detail: { before: { ...first, text: trick }, after: first } },
    { action: 'staff.reply.delete', actor_id: by, detail: { before: first } },
  ])
})

describe('ticket about money', () => {
  it('shows staff the row, its transfer and nearby transfers, and accepts only receipts of that member', async () => {
    const [who, other] = [await instance.person(), await instance.person()]
    await fund(instance.at.db, other.id, 'depositWallet', 7n * ONE)
    const foreign = await lastTransfer()
    await fund(instance.at.db, who.id, 'depositWallet', 320n * ONE)
    const own = await lastTransfer()
    await fund(instance.at.db, who.id, 'depositWallet', 5n * ONE)
    const id = await open(who, { kind: 'transfer', id: own })
    const desk = await detail(id)
    expect(desk.attached).toMatchObject({ kind: 'transfer', id: own, amount: 320, asset: 'usd', transferId: own })
    expect(desk.money.map((line: { amount: number; balanceAfter: number }) => [line.amount, line.balanceAfter])).toEqual([
      [5, 325],
      [320, 320],
    ])
    expect(desk.pane).toMatchObject({ ticketsBefore: 0, balances: { depositWallet: 325 } })
    expect((await answer(id, instance.support, { message: 'Here', receipts: `transfer.${foreign}` })).status).toBe(404)
    expect((await asMember(who, id)).body.data.updates).toEqual([])
    expect((await answer(id, instance.support, { message: 'Here', receipts: `transfer.${own}` })).status).toBe(200)
    const [message] = (await asMember(who, id)).body.data.updates
    expect(message.receipts).toEqual([{ kind: 'transfer', id: own, title: 'Transfer' }])
    expect(message.by).toBeUndefined()
    expect((await detail(id)).updates[0].by.id).toBe(instance.support.publicId)
  })
})

describe('staff notes and images', () => {
  it('notes appear in no call of the member and not in the audit log', async () => {
    const who = await instance.person()
    const id = await open(who)
    const secret = 'SECRET-NOTE-77'
    const before = (await asMember(who, id)).body.data
    expect((await instance.post(`/staff/tickets/${id}/notes`, instance.support, { text: secret })).status).toBe(200)
    expect((await instance.post(`/staff/members/${who.publicId}/notes`, instance.support, { text: secret })).status).toBe(200)
    expect((await detail(id)).notes).toMatchObject([{ text: secret, by: { id: instance.support.publicId } }])
    expect((await asMember(who, id)).body.data).toEqual(before)
    const replies = [
      await members.call('GET', '/ticket', { token: who.token }),
      await instance.get('/profile/staff-actions', who),
      await instance.get('/profile', who),
    ]
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200])
    expect(JSON.stringify(replies)).not.toContain(secret)
    expect((await instance.get('/profile/staff-actions', who)).body.data.rows).toEqual([])
    const elsewhere = await instance.at.db.selectFrom('audit_event').selectAll().execute()
    expect(JSON.stringify(elsewhere, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(secret)
    expect(await instance.at.db.selectFrom('mail_outbox').select('public_id').execute()).toEqual([])
    expect((await instance.get(`/staff/members/${who.publicId}/notes`, finance)).body.data.rows).toMatchObject([{ text: secret }])
  })

  it('[I17] a view of an image is recorded before it is shown, and the member can see it', async () => {
    const [who, other] = [await instance.person(), await instance.person()]
    const [id, foreign] = [await open(who), await open(other)]
    const { image: url } = await detail(id)
    const image = String(url).split('/').at(-1)
    const viewImages = (ticket: string) => instance.post(`/staff/tickets/${ticket}/images`, instance.support, { image })
    const recorded = () =>
      instance.at.db
        .selectFrom('audit_event')
        .select(['actor_id', 'subject_id', 'outcome', 'detail'])
        .where('action', '=', 'staff.member.image')
        .where('subject_id', 'in', [who.publicId, other.publicId])
        .execute()
    expect((await viewImages(foreign)).status).toBe(404)
    expect(await recorded()).toEqual([])
    expect((await viewImages(id)).body.data).toEqual({ type: 'image/webp', base64: Buffer.from('image').toString('base64') })
    expect(await recorded()).toEqual([
      { actor_id: instance.support.id, subject_id: who.publicId, outcome: 'ok', detail: { ticket: id, image } },
    ])
    const { rows } = (await instance.get('/profile/staff-actions', who)).body.data
    expect(rows).toMatchObject([{ text: 'Viewed an image in one of your tickets', role: 'Support' }])
    expect((await instance.get('/profile/staff-actions', other)).body.data.rows).toEqual([])
  })
})

// Runs last, because the staff sessions expire while its hours pass.
describe('first answers', () => {
  it('[RO-13] count as in time or late only once their target time has passed', async () => {
    const { db, deps, clock } = instance.at
    const figures = () => readTicketFigures(db, clock.now())
    const reply = (ticketId: string, message: string) =>
      inTransaction(db, (tx) => addReply(tx, deps, { ticketId, authorId: instance.support.id, role: 'SUPPORT', message }))
    clock.advance(31 * DAY_MS)
    expect(await figures()).toEqual({ days: 30, targetHours: 4, inTime: 0, of: 0 })
    const who = await instance.person()
    const [soon, late, never] = [await open(who), await open(who), await open(who)]
    clock.advance(3 * HOUR_MS)
    await reply(soon, 'Soon')
    await say(never, who)
    expect(await figures()).toMatchObject({ inTime: 1, of: 1 })
    clock.advance(2 * HOUR_MS)
    await reply(late, 'Late')
    await reply(soon, 'Again, which changes nothing')
    expect(await figures()).toMatchObject({ inTime: 1, of: 3 })
    await reply(never, 'Late too')
    await open(who)
    expect(await figures()).toMatchObject({ inTime: 1, of: 3 })
  })
})
