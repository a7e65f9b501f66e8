import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { auditJobs } from '../../../main/audit-jobs.ts'
import { endOpenJobs } from '../../../jobs/start-job.ts'
import { backgroundJobs } from '../../../jobs/background-jobs.job.ts'
import { runJob } from '../../../jobs/job.ts'
import { fund } from '../../../../test/members.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { countUnread, readInbox } from '../../notices/inbox.queries.ts'
import { auditMessages, deletePendingMessages, noticeJobs } from '../../notices/index.ts'
import { staffJobs } from '../index.ts'

const reason = 'news'
let instance: StaffInstance
let rich: Person
let blocked: Person
beforeAll(async () => {
  instance = await staffInstance()
  rich = await instance.person()
  blocked = await instance.person()
  await instance.person()
  for (const { id } of [rich, blocked]) await fund(instance.at.db, id, 'depositWallet', 700n * ONE)
  await instance.at.db.updateTable('member').set({ is_active: false }).where('id', '=', blocked.id).execute()
})

const propose = (value: object) => instance.post('/staff/changes', instance.maker, { subject: 'message', value, reason })
async function deliver(): Promise<void> {
  const { db, deps } = instance.at
  await runJob(db, deps, backgroundJobs(staffJobs), 'test')
  for (const job of noticeJobs) await runJob(db, deps, job, 'test')
}
const receiversOf = async (title: string) => {
  const { rows } = await sql<{ id: bigint }>`
    select member_id as id from notice where event = 'message' and facts ->> 'title' = ${title}`.execute(instance.at.db)
  return rows.map(({ id }) => id)
}
async function approved(title: string): Promise<void> {
  const { id } = (await propose(message(title))).body.data
  expect((await instance.post(`/staff/changes/${id}/approve`, instance.checker, {})).status).toBe(200)
}
const message = (title: string) => ({ title, text: 'It starts on Monday.\nTake a look.', segment: { usdFrom: '500' } })

describe('message to a segment', () => {
  it('reaches its active members once, after another person approved it', async () => {
    const { id } = (await propose(message('A new plan'))).body.data
    await deliver()
    expect(await receiversOf('A new plan')).toEqual([])
    const approve = (by: Person) => instance.post(`/staff/changes/${id}/approve`, by, {})
    expect((await approve(instance.maker)).body.message).toMatch(/Another staff member/)
    expect((await approve(instance.checker)).status).toBe(200)
    await deliver()
    expect(await receiversOf('A new plan')).toEqual([rich.id])
    expect((await approve(instance.third)).status).toBe(400)
    // A worker that was killed repeats the last step, or the whole job.
    await instance.at.db
      .updateTable('background_job')
      .set({ state: 'RUNNING', checkpoint: null, result: null, finished_at: null })
      .where('kind', '=', 'staff-message')
      .execute()
    await deliver()
    expect(await receiversOf('A new plan')).toEqual([rich.id])
  })

  it('[I17] is not sent, mailed, shown or counted when SQL inserted or changed its job or the message, and the audit names both', async () => {
    const { db, deps } = instance.at
    await approved('Genuine')
    const [job] = await db
      .selectFrom('background_job')
      .selectAll()
      .where('kind', '=', 'staff-message')
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    if (job === undefined) throw new Error('no job')
    await deliver()
    const { id: _, ...row } = { ...job, input: JSON.stringify({ ...message('Forged'), segment: {} }), checkpoint: null, result: null }
    const forged = [{ public_id: 'forged' }, { input_mac: Buffer.from('none'), public_id: 'other' }]
    for (const change of forged)
      await db
        .insertInto('background_job')
        .values({ ...row, ...change })
        .execute()
    // A genuine job that is inserted again days later.
    await db
      .updateTable('background_job')
      .set({ state: 'WAITING', finished_at: null, created_at: new Date(job.created_at.getTime() - 8 * 86_400_000) })
      .where('id', '=', job.id)
      .execute()
    const facts = JSON.stringify({ title: 'Forged', text: 'Pay here' })
    const event = { member_id: rich.id, event: 'message', facts, created_at: instance.at.clock.now() }
    const genuine = await db
      .selectFrom('notice')
      .select('message_mac')
      .where('event', '=', 'message')
      .where('member_id', '=', rich.id)
      .execute()
    for (const message_mac of [null, Buffer.from('none'), ...genuine.map((one) => one.message_mac)])
      await db
        .insertInto('notification_event')
        .values({ ...event, cause: `forged ${String(message_mac?.toString('hex'))}`, message_mac })
        .execute()
    const unread = () => countUnread(db, deps.config, rich.id)
    const genuineUnread = await unread()
    expect([await auditJobs(db, deps.config), await auditMessages(db, deps.config)]).toMatchObject([
      { broken: 3, examples: [job.public_id, 'forged', 'other'] },
      { broken: 0 },
    ])
    const mails = () => db.selectFrom('mail_outbox').select('id').execute()
    const before = await mails()
    await deliver()
    expect(await mails()).toEqual(before)
    const jobs = await db
      .selectFrom('background_job')
      .select(['state', 'error'])
      .where('public_id', 'in', ['forged', 'other', job.public_id])
      .execute()
    const failed = { state: 'FAILED', error: 'Integrity check failed: this request was modified outside the application' }
    expect(jobs).toEqual([failed, failed, failed])
    const titles = (await readInbox(db, deps.config, rich.id, { kind: 'message' })).rows.map(({ facts: shown }) => JSON.stringify(shown))
    expect(titles.some((text) => text.includes('Genuine'))).toBe(true)
    expect(titles.filter((text) => text.includes('Forged'))).toEqual([])
    expect(await unread()).toBe(genuineUnread)
    const stored = await db.selectFrom('notice').select('id').where('cause', 'like', 'forged%').orderBy('id').execute()
    const named = stored.map(({ id }) => `notice ${id}`)
    expect(await auditMessages(db, deps.config)).toMatchObject({ broken: named.length, examples: named.slice(0, 3) })
  })

  it('does not go on after a restore ended its job and deleted its pending notices', async () => {
    const { db, clock } = instance.at
    await approved('Half sent')
    expect(await inTransaction(db, (tx) => endOpenJobs(tx, clock.now()))).toBe(1)
    await deliver()
    expect(await receiversOf('Half sent')).toEqual([])
    await approved('Recorded')
    await runJob(db, instance.at.deps, backgroundJobs(staffJobs), 'test')
    expect(await inTransaction(db, deletePendingMessages)).toBeGreaterThan(0)
    await deliver()
    expect(await receiversOf('Recorded')).toEqual([])
  })

  it('shows the approver text, criteria and number of members', async () => {
    const { id } = (await propose(message('Another plan'))).body.data
    const { body } = await instance.get(`/staff/changes/${id}`, instance.checker)
    expect(body.data).toMatchObject({ title: 'Message “Another plan” to a segment', value: message('Another plan') })
    expect(body.data.effect.rows).toEqual([{ label: 'Active members of the segment, among the newest 100,000', after: '1' }])
  })

  it.each([
    ['contradictory criteria', { ...message('x'), segment: { usdFrom: '5', usdBelow: '5' } }],
    ['unknown criteria', { ...message('x'), segment: { everybody: true } }],
    ['an empty text', { ...message('x'), text: ' ' }],
    ['a text of 501 characters', { ...message('x'), text: 'a'.repeat(501) }],
    ['a title of two lines', message('a\nb')],
  ])('is not proposed with %s', async (_, value) => {
    const before = await instance.get('/staff/changes', instance.maker)
    expect((await propose(value)).status).toBe(400)
    expect((await instance.get('/staff/changes', instance.maker)).body).toEqual(before.body)
  })
})
