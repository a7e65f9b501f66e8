import { lockedNotices, type NoticeKind, noticeVias, optionalNotices } from '@tizara/contract/notices'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { testApp, type TestApp } from '../../app.ts'
import { addSecondFactor, fillSalesFund, fund, payIn, TEST_PASSWORD } from '../../members.ts'
import { type Person, type StaffInstance, staffInstance } from '../../staff-instance.ts'
import { type TestInstance, testInstance } from '../../test-instance.ts'
import { runJob } from '../../../src/jobs/job.ts'
import { startRecovery } from '../../../src/modules/auth/index.ts'
import { removeSecondFactor } from '../../../src/modules/auth/factors/second-factor.ts'
import { noticeJobs, noticeRoutes, recordMessages } from '../../../src/modules/notices/index.ts'
import { addReply } from '../../../src/modules/support/index.ts'
import { sendToMember, transferJobs } from '../../../src/modules/transfers/index.ts'
import { leaveRequest } from '../../../src/modules/transfers/sell-requests.ts'
import { addAddress, payoutNotificationJobs } from '../../../src/modules/withdrawals/index.ts'
import { liveMarks } from '../../../src/main/live-marks.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { testClock } from '../../../src/platform/runtime/clock.ts'

const START = '2026-03-02T09:00:00Z'

let staff: StaffInstance
let instance: TestInstance
let inbox: TestApp
beforeAll(async () => {
  staff = await staffInstance(testClock(START))
  instance = await testInstance(staff.database, START)
  inbox = await testApp(staff.at.db, { clock: staff.at.clock, routes: noticeRoutes })
  await instance.fundPool('USD', 1_000_000n * ONE)
})

const send = async (from: Person, to: Person, amount: bigint) => {
  await fund(staff.at.db, from.id, 'depositWallet', amount)
  return inTransaction(staff.at.db, (tx) => sendToMember(tx, staff.at.deps, { senderId: from.id, amount, email: to.email }))
}

/** Causes one event of each kind for a member. */
const CAUSES: { [Kind in NoticeKind]: (who: Person) => Promise<unknown> } = {
  deposit: (who) => payIn(staff.at.db, staff.at.deps, who.id, 30n * ONE),
  received: async (who) => send(await staff.person(), who, 5n * ONE),
  reward: async (who) => {
    await instance.buyNft(who, { price: 120n * ONE, percent: 12n * ONE, months: 12 })
    await instance.pass(31)
  },
  'stake-ended': async (who) => {
    await instance.stake(who, { amount: 100n * ONE, apy: 1n, days: 1 })
    await instance.pass(2)
    await instance.mature()
  },
  'sell-request': async (who) => {
    await fund(staff.at.db, who.id, 'icoWallet', 1000n * ONE)
    const request = { amount: 1000n * ONE, lowestPrice: 1n, days: 1 }
    await inTransaction(staff.at.db, (tx) => leaveRequest(tx, staff.at.deps, who.id, request))
    await fillSalesFund(staff.at.db, 8n * ONE)
    for (const job of transferJobs) await runJob(staff.at.db, staff.at.deps, job, 'test')
  },
  'support-answer': async (who) => {
    const ticketId = `ticket-of-${who.id}`
    await sql`insert into ticket (public_id, member_id, title, description, created_at, last_message_at)
      values (${ticketId}, ${who.id}, 'A question', 'Where is it?', now(), now())`.execute(staff.at.db)
    const reply = { ticketId, authorId: staff.support.id, role: 'SUPPORT', message: 'Here is the answer.' } as const
    await inTransaction(staff.at.db, (tx) => addReply(tx, staff.at.deps, reply))
  },
  message: (who) =>
    inTransaction(staff.at.db, async (tx) => {
      const facts = { title: 'News', text: 'A new plan starts.' }
      await recordMessages(tx, staff.at.deps, [{ memberId: who.id, cause: 'job-1', facts }])
    }),
  payout: (who) => staff.withdrawal(who, 20n),
  'payout-address': (who) =>
    inTransaction(staff.at.db, (tx) =>
      addAddress(tx, staff.at.deps, { memberId: who.id }, { address: ADDRESS, network: 0, label: 'Mine', proved: false }),
    ),
  'sign-in': (who) => staff.at.call('POST', '/auth/login', { body: { email: who.email, password: TEST_PASSWORD } }),
  password: (who) =>
    staff.at.call('POST', '/auth/change-password', {
      token: who.token,
      body: { oldPassword: TEST_PASSWORD, newPassword: 'another-long-harbour-93' },
    }),
  'second-factor': async (who) => {
    await addSecondFactor(staff.at.db, who.id)
    await inTransaction(staff.at.db, (tx) => removeSecondFactor(tx, staff.at.deps, who.id))
  },
  recovery: (who) =>
    inTransaction(staff.at.db, (tx) =>
      startRecovery(tx, staff.at.deps, who.id, { secondFactor: false, newEmail: `new-${who.id}@gmail.com` }),
    ),
  contact: (who) => staff.at.call('POST', '/profile/name', { token: who.token, body: { name: 'Ada Byron' } }),
  staff: async (who) => {
    const { transferId } = await send(who, await staff.person(), 5n * ONE)
    const filed = await staff.byTwo(`/staff/ledger/transfers/${transferId}/reverse`, { reason: 'sent to the wrong person' })
    expect(filed.status).toBe(200)
  },
}
const ADDRESS = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

/** Runs the jobs that turn recorded causes into notifications. */
async function deliver(): Promise<void> {
  for (const job of [...payoutNotificationJobs, ...noticeJobs]) await runJob(staff.at.db, staff.at.deps, job, 'test')
}
const rowsOf = async (who: Person, before?: string) =>
  (await inbox.call('GET', `/notices/inbox${before === undefined ? '' : `?before=${before}`}`, { token: who.token })).body.data
const unread = async (who: Person) => (await inbox.call('GET', '/notices/unread', { token: who.token })).body.data.count
const read = (who: Person, id: string) => inbox.call('POST', `/notices/inbox/${id}/read`, { token: who.token })

describe('notifications', () => {
  it.each([...optionalNotices, ...lockedNotices])('of the kind %s come once for each cause, however often the jobs run', async (kind) => {
    const who = await staff.person()
    await deliver()
    await sql`delete from notice where member_id = ${who.id}`.execute(staff.at.db)
    await CAUSES[kind](who)
    await deliver()
    await deliver()
    // A changed password ended no session of the member's own, and a removed second factor ended all.
    const now = { ...who, token: (await staff.at.signIn(who.id)).token }
    const { rows } = await rowsOf(now)
    // The daily reward of the ended stake is no event.
    expect(rows.map(({ event }: { event: string }) => event)).toEqual([kind])
    expect(await unread(now)).toBe(1)
  })

  it('by mail only leave the inbox empty, and both reach it', async () => {
    for (const via of noticeVias) {
      const who = await staff.person()
      expect((await inbox.call('PUT', '/notices', { token: who.token, body: { event: 'received', via } })).status).toBe(200)
      await CAUSES.received(who)
      await deliver()
      const mails = await staff.at.db.selectFrom('mail_outbox').select('id').where('recipient', '=', who.email).execute()
      expect([via, (await rowsOf(who)).rows.length, await unread(who), mails.length]).toEqual([
        via,
        via === 'mail' ? 0 : 1,
        via === 'mail' ? 0 : 1,
        via === 'inbox' ? 0 : 1,
      ])
    }
  })
})

describe('the inbox', () => {
  const receive = async (who: Person, count: number) => {
    const sender = await staff.person()
    for (let number = 0; number < count; number += 1) await send(sender, who, ONE)
    await deliver()
  }

  it('pages by a cursor, newest first, without gaps or repeats', async () => {
    const who = await staff.person()
    await receive(who, 27)
    const first = await rowsOf(who)
    expect([first.rows.length, first.next]).toEqual([25, `${Date.parse(first.rows.at(-1).createdAt)}-${first.rows.at(-1).id}`])
    await receive(who, 1)
    const second = await rowsOf(who, first.next)
    expect([second.rows.length, second.next]).toEqual([2, undefined])
    const ids = [...first.rows, ...second.rows].map(({ id }: { id: string }) => Number(id))
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect(new Set(ids).size).toBe(27)
    expect(first.rows[0]).toMatchObject({ event: 'received', amount: 1, asset: 'usd', read: false })
    expect((await inbox.call('GET', '/notices/inbox?before=x', { token: who.token })).status).toBe(400)
  })

  it('marks one or all up to a row as read, for its owner only', async () => {
    const [who, other] = [await staff.person(), await staff.person()]
    await receive(who, 3)
    const [newest, middle] = (await rowsOf(who)).rows
    for (const id of [middle.id, '9'.repeat(18), '0', 'x'.repeat(10)]) expect((await read(other, id)).status).toBe(404)
    expect(await unread(who)).toBe(3)
    const marks = async () => (await liveMarks(staff.at.db, [who.id], staff.at.clock.now())).get(who.id)?.get('unreadNotices')
    const before = await marks()
    for (let times = 0; times < 2; times += 1) expect((await read(who, middle.id)).status).toBe(200)
    expect(await unread(who)).toBe(2)
    expect(await marks()).not.toBe(before)
    const later = await marks()
    await receive(who, 1)
    expect(await marks()).not.toBe(later)
    const through = { token: other.token, body: { through: newest.id } }
    expect((await inbox.call('POST', '/notices/inbox/read', through)).status).toBe(200)
    expect(await unread(who)).toBe(3)
    await inbox.call('POST', '/notices/inbox/read', { ...through, token: who.token })
    expect((await rowsOf(who)).rows.map((row: { read: boolean }) => row.read)).toEqual([false, true, true, true])
    expect((await inbox.call('POST', '/notices/inbox/read', { token: who.token, body: { through: '-1' } })).status).toBe(400)
    expect((await inbox.call('GET', '/notices/inbox')).status).toBe(401)
  })

  it('counts unread rows up to 100', async () => {
    const who = await staff.person()
    await sql`insert into notice (member_id, event, cause, amount, asset, facts, created_at, in_inbox, awaits_mail)
      select ${who.id}, 'received', 'many-' || n, 1, 'usd', '{"transfer":"1"}', now(), true, false from generate_series(1, 150) n`.execute(
      staff.at.db,
    )
    expect(await unread(who)).toBe(100)
  })
})
