import { lockedNotices, optionalNotices } from '@tizara/contract/notices'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember, fund, payIn, type TestMember } from '../../../test/members.ts'
import { encryptedMails } from '../../gateways/mailer/index.ts'
import { toMessage } from '../../gateways/mailer/message.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { decrypt } from '../../platform/crypto/encrypt.ts'
import { sendToMember } from '../transfers/index.ts'
import { markTicketRead, recordEvents, recordMessages, type NoticeEvent, noticeRoutes, noticeJobs } from './index.ts'

const { db } = await testDatabase()
const at: TestApp = await testApp(db, { routes: noticeRoutes, jobs: noticeJobs })

let member: TestMember
beforeEach(async () => {
  member = await createTestMember(db)
})

const mails = async (who = member) => {
  const rows = await db.selectFrom('mail_outbox').selectAll().where('recipient', '=', who.email).orderBy('id').execute()
  return rows.map((row): { subject: string; text: string; unsubscribe: string } =>
    JSON.parse(decrypt(at.deps.config, encryptedMails.purpose, row.encrypted ?? Buffer.of(), row.recipient) ?? ''),
  )
}
/** Events of the tests; their figures name the cause. */
const eventOf = (cause: string, event: 'deposit' | 'received' | 'sell-request' | 'support-answer'): NoticeEvent => {
  const common = { memberId: member.id, cause }
  const money = { amount: 5n * ONE, asset: 'usd' } as const
  if (event === 'support-answer') return { ...common, event, facts: { ticket: cause, opened: '2026-02-01T10:00:00.000Z' } }
  if (event === 'sell-request') return { ...common, event, ...money, facts: { step: 'part', request: cause, transfer: cause } }
  return event === 'deposit'
    ? { ...common, event, ...money, facts: { deposit: cause } }
    : { ...common, event, ...money, facts: { transfer: cause } }
}
const note = (cause: string, event: 'deposit' | 'received' | 'sell-request' | 'support-answer' = 'received', moment = at.clock.now()) =>
  inTransaction(db, (tx) => recordEvents(tx, moment, [eventOf(cause, event)]))
const token = async (who = member) => (await at.signIn(who.id)).token
const choose = async (event: string, via: string) => at.call('PUT', '/notices', { token: await token(), body: { event, via } })
const click = (url: string) =>
  at.app.inject({
    method: 'POST',
    url: url.replace(at.deps.config.publicUrl, ''),
    payload: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

describe('mails about incoming money', () => {
  it('report a deposit, and USD from another member by the short name, which the erasure of the sender removes', async () => {
    const other = await createTestMember(db, { name: 'Lena van Hart' })
    await payIn(db, at.deps, member.id, 30n * ONE)
    await at.runJobs()
    await fund(db, other.id, 'depositWallet', 5n * ONE)
    await inTransaction(db, (tx) => sendToMember(tx, at.deps, { senderId: other.id, amount: ONE / 2n, email: member.email }))
    at.clock.advance(11 * 60_000)
    await at.runJobs()
    const [deposit, sent] = await mails()
    expect(deposit?.text).toContain('A deposit of 30.00 USD was credited.')
    expect(sent?.text).toContain('Lena H. sent you 0.50 USD.')
    expect(await mails(other)).toEqual([])
    const senders = async () => {
      const { rows } = (await at.call('GET', '/notices/inbox?kind=received', { token: await token() })).body.data
      return rows.map(({ facts }: { facts: { sender?: string } }) => facts.sender)
    }
    expect(await senders()).toEqual(['Lena H.'])
    const now = at.clock.now()
    const erased = { is_active: false, closes_at: now, closed_at: now, erases_at: now, erased_at: now }
    await db.updateTable('member').set(erased).where('id', '=', other.id).execute()
    expect(await senders()).toEqual([undefined])
  })

  it('report a support answer with a link to the ticket, and can be switched off', async () => {
    await note('answered', 'support-answer')
    await at.runJobs()
    const [mail] = await mails()
    expect(mail?.subject).toContain('support answered')
    expect(mail?.text).toContain(`${at.deps.config.publicUrl}/support`)
    expect((await choose('support-answer', 'inbox')).status).toBe(200)
    await note('answered again', 'support-answer')
    at.clock.advance(11 * 60_000)
    await at.runJobs()
    expect(await mails()).toHaveLength(1)
  })

  it('mention neither money nor support when both arrived', async () => {
    await note('answered both', 'support-answer')
    await note('paid both', 'deposit')
    await at.runJobs()
    expect((await mails()).map((mail) => mail.subject)).toEqual([expect.stringContaining('2 events in your account')])
  })

  it('are sent once per cause, and not when the transaction is rolled back', async () => {
    await note('once')
    await note('once')
    await inTransaction(db, async (tx) => {
      await recordEvents(tx, at.clock.now(), [eventOf('never', 'received')])
      throw new Error('taken back')
    }).catch(() => undefined)
    await Promise.all([at.runJobs(), at.runJobs()])
    expect((await mails()).map((mail) => mail.text.match(/You received .*/g))).toEqual([['You received 5.00 USD from another member.']])
  })

  it('name a sell request in the subject, and count events of several kinds', async () => {
    await note('part', 'sell-request')
    await at.runJobs()
    await note('next part', 'sell-request')
    await note('paid', 'received')
    at.clock.advance(11 * 60_000)
    await at.runJobs()
    const [part, both] = await mails()
    expect(part?.subject).toMatch(/: your sell request changed$/)
    expect(part?.text).toMatch(/A part of your sell request was sold on .*: 5\.00 USD is in your deposit wallet\./)
    expect(both?.subject).toMatch(/: 2 events in your account$/)
  })

  it('are sent at once for the first event, and 10 minutes later as one mail for the rest', async () => {
    await note('first')
    await at.runJobs()
    for (let number = 0; number < 25; number += 1) await note(`flood-${number}`)
    await at.runJobs()
    expect(await mails()).toHaveLength(1)
    at.clock.advance(11 * 60_000)
    await at.runJobs()
    const [, flood] = await mails()
    expect(flood?.subject).toContain('money came in 25 times')
    expect(flood?.text.match(/You received/g)).toHaveLength(10)
    expect(flood?.text).toContain('And 15 more like these.')
    expect(await mails()).toHaveLength(2)
  })

  it('wait for 300 due mails if they are messages from staff, and are sent before these for other events', async () => {
    const now = at.clock.now()
    const wait = (until: Date) => sql`update mail_outbox set next_attempt_at = ${until} where recipient = 'someone@example.com'`.execute(db)
    await sql`insert into mail_outbox (public_id, recipient, template, next_attempt_at, not_after, created_at)
      select 'waiting-' || n, 'someone@example.com', 'notice', ${now}::timestamptz, ${now}::timestamptz + interval '1 day', ${now}::timestamptz
      from generate_series(1, 300) n`.execute(db)
    const receiver = await createTestMember(db)
    const message = { memberId: receiver.id, cause: 'news', facts: { title: 'A new plan', text: 'It starts on Monday.' } }
    await inTransaction(db, (tx) => recordMessages(tx, at.deps, [message]))
    await note('meanwhile')
    await at.runJobs()
    expect([(await mails()).length, (await mails(receiver)).length]).toEqual([1, 0])
    const { rows } = await sql<{ bulk: boolean }>`select bulk from mail_outbox where recipient = ${member.email}`.execute(db)
    expect(rows).toEqual([{ bulk: true }])
    // Mails that wait for another attempt hold back no message.
    await wait(new Date(at.clock.now().getTime() + 60_000))
    await at.runJobs()
    expect((await mails(receiver)).map(({ subject }) => subject)).toEqual([expect.stringMatching(/: a message for you$/)])
  })

  it('stop when switched off, waiting ones included, and resume when switched on', async () => {
    await note('mailed')
    await at.runJobs()
    await note('waits-when-it-is-switched-off')
    await at.runJobs()
    expect((await choose('received', 'inbox')).status).toBe(200)
    await note('meanwhile')
    await note('another-kind', 'deposit')
    at.clock.advance(11 * 60_000)
    await at.runJobs()
    expect((await mails()).map((mail) => mail.text.match(/You received|A deposit/g))).toEqual([['You received'], ['A deposit']])
    await choose('received', 'both')
    await note('again')
    at.clock.advance(11 * 60_000)
    await at.runJobs()
    expect(await mails()).toHaveLength(3)
  })

  it('are on by default except for rewards; security mails cannot be switched off, and members choose only for themselves', async () => {
    const choices = async (): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await at.call('GET', '/notices', { token: await token() })).body.data.map((row: { event: string; via: string }) => [
          row.event,
          row.via,
        ]),
      )
    const usual = Object.fromEntries([...optionalNotices, ...lockedNotices].map((event) => [event, event === 'reward' ? 'inbox' : 'both']))
    expect(await choices()).toEqual(usual)
    for (const event of lockedNotices) {
      expect((await choose(event, 'inbox')).status).toBe(400)
      expect((await choose(event, 'mail')).status).toBe(200)
    }
    for (const wrong of [await choose('news', 'both'), await choose('', 'both'), await choose('deposit', 'none')])
      expect(wrong.status).toBe(400)
    const other = await createTestMember(db)
    await at.call('PUT', '/notices', { token: await token(other), body: { event: 'deposit', via: 'mail' } })
    expect(await choices()).toEqual({ ...usual, ...Object.fromEntries(lockedNotices.map((event) => [event, 'mail'])) })
    expect((await at.call('GET', '/notices')).status).toBe(401)
  })

  it('are switched off by one click in the mail program, repeatable and for one type only', async () => {
    await note('click')
    await at.runJobs()
    const [mail] = await mails()
    const url = mail?.unsubscribe ?? ''
    const { headers } = toMessage(at.deps.config, {
      id: 'm',
      to: member.email,
      date: at.clock.now(),
      html: '',
      subject: '',
      text: '',
      unsubscribe: url,
    })
    expect(headers).toMatchObject({ 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' })
    for (let times = 0; times < 2; times += 1) expect((await click(url)).statusCode).toBe(200)
    const rows = await sql<{
      event: string
      via: string
    }>`select event, via from notification_choice where member_id = ${member.id}`.execute(db)
    expect(rows.rows).toEqual([{ event: 'received', via: 'inbox' }])
    const other = await createTestMember(db)
    for (const forged of [
      url.replace(member.publicId, other.publicId),
      url.replace('received', 'deposit'),
      `${url}x`,
      url.replace(/token=.*/, 'token=a.b.c'),
    ])
      expect((await click(forged)).statusCode).toBe(404)
    expect((await sql`select from notification_choice where member_id = ${other.id}`.execute(db)).rows).toEqual([])
    expect((await at.app.inject({ method: 'GET', url: url.replace(at.deps.config.publicUrl, '') })).statusCode).toBe(404)
  })
})

describe('inbox', () => {
  const read = async (query: string, who = member) =>
    (await at.call('GET', `/notices/inbox${query}`, { token: await token(who) })).body.data
  const unread = async (who = member) => (await at.call('GET', '/notices/unread', { token: await token(who) })).body.data.count

  it('lists by time and then by id, page by page, when events are inserted in another order', async () => {
    const start = at.clock.now().getTime()
    // Of each three events two have the same time, and later events are inserted first.
    const minuteOf = (row: number) => Math.floor(row / 3) + (row % 3 === 0 ? 0.5 : 0)
    for (let row = 29; row >= 0; row -= 1) await note(`o${member.id}-${row}`, 'deposit', new Date(start + minuteOf(row) * 60_000))
    at.clock.advance(60 * 60_000)
    await at.runJobs()
    const pages = [await read('')]
    pages.push(await read(`?before=${pages[0].next}`))
    expect(pages.map(({ rows }) => rows.length)).toEqual([25, 5])
    const listed = pages.flatMap(({ rows }) => rows as { id: string; createdAt: string }[])
    const sorted = listed.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || Number(b.id) - Number(a.id))
    expect(listed.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id))
    expect(new Set(listed.map(({ id }) => id)).size).toBe(30)
    expect((await at.call('GET', '/notices/inbox?before=1', { token: await token() })).status).toBe(400)
  })

  it('keeps a notification unread that was written after the reading, also if its event was earlier', async () => {
    const start = at.clock.now()
    await note(`seen${member.id}`, 'deposit')
    at.clock.advance(60_000)
    await at.runJobs()
    const { through } = await read('')
    await note(`late${member.id}`, 'deposit', new Date(start.getTime() - 60_000))
    await at.runJobs()
    const stranger = await token(await createTestMember(db))
    const mark = async (by: string) => (await at.call('POST', '/notices/inbox/read', { token: by, body: { through } })).status
    expect(await mark(stranger)).toBe(200)
    expect(await unread()).toBe(2)
    expect(await mark(await token())).toBe(200)
    const after = await read('')
    expect(after.rows.map((row: { facts: { deposit: string }; read: boolean }) => [row.facts.deposit, row.read])).toEqual([
      [`seen${member.id}`, true],
      [`late${member.id}`, false],
    ])
    expect(after.through).toBe(after.rows[1].id)
    await at.call('POST', '/notices/inbox/read', { token: await token(), body: { through: after.through } })
    expect((await read('')).through).toBeUndefined()
    expect(await unread()).toBe(0)
  })

  it('of one kind lists its rows only, page by page, and rejects an unknown kind', async () => {
    for (let row = 0; row < 27; row += 1) await note(`d${member.id}-${row}`, 'deposit')
    await note(`r${member.id}`, 'received')
    at.clock.advance(11 * 60_000)
    await at.runJobs()
    const first = await read('?kind=deposit')
    expect(first.rows).toHaveLength(25)
    const second = await read(`?kind=deposit&before=${first.next}`)
    expect(second.rows).toHaveLength(2)
    expect(second.next).toBeUndefined()
    expect([...first.rows, ...second.rows].every((row: { event: string }) => row.event === 'deposit')).toBe(true)
    expect((await read('?kind=received')).rows).toHaveLength(1)
    expect((await at.call('GET', '/notices/inbox?kind=none', { token: await token() })).status).toBe(400)
  })

  it('marks the answers of an opened ticket as read, and those of no other ticket or member', async () => {
    const [one, other] = [`t${member.id}-1`, `t${member.id}-2`]
    await note(one, 'support-answer')
    await note(other, 'support-answer')
    await note(`d${member.id}`, 'deposit')
    at.clock.advance(11 * 60_000)
    await at.runJobs()
    expect(await unread()).toBe(3)
    const mark = (memberId: bigint) => inTransaction(db, (tx) => markTicketRead(tx, at.clock.now(), memberId, one))
    await mark((await createTestMember(db)).id)
    expect(await unread()).toBe(3)
    for (let times = 0; times < 2; times += 1) await mark(member.id)
    expect(await unread()).toBe(2)
    const rows = (await read('?kind=support-answer')).rows.map((row: { facts: { ticket: string }; read: boolean }) => [
      row.facts.ticket,
      row.read,
    ])
    expect(rows).toEqual([
      [other, false],
      [one, true],
    ])
  })
})
