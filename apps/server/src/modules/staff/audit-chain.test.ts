import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { type StaffHouse, staffHouse } from '../../../test/staff-house.ts'
import { backgroundJobs } from '../../jobs/background-jobs.sweep.ts'
import { runSweep } from '../../jobs/sweep.ts'
import { DAY_MS } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database.ts'
import { recordAudit } from '../members/index.ts'
import { staffJobs, staffSweeps } from './index.ts'

const house: StaffHouse = await staffHouse()
const { db, deps, clock } = house.at
const file = path.join(deps.config.dataDir, 'audit-heads.txt')

const record = (action: string) =>
  inTransaction(db, (tx) => recordAudit(tx, { at: clock.now(), actorId: 7n, actorRole: 'ADMIN', action, outcome: 'ok' }))
async function runAnchor(): Promise<void> {
  for (const sweep of staffSweeps) if (sweep.name === 'audit-anchor') await runSweep(db, deps, sweep, 'test')
}
/** Checks the chain as staff do, and gives what the console then shows. */
async function checked() {
  const { body } = await house.post('/staff/audit/check', house.maker)
  await runSweep(db, deps, backgroundJobs(staffJobs), 'test')
  const job = await house.get(`/staff/jobs/${body.data.jobId}`, house.maker)
  expect(job.body.data.state).toBe('DONE')
  const { body: chain } = await house.get('/staff/audit/chain', house.maker)
  expect(job.body.data.result.ok).toBe(chain.data.ok)
  return chain.data
}
/** What whoever owns the database could do. */
const tamper = (...statements: string[]) =>
  db.transaction().execute(async (tx) => {
    await sql`alter table audit_event disable trigger all`.execute(tx)
    for (const statement of statements) await sql.raw(statement).execute(tx)
    await sql`alter table audit_event enable trigger all`.execute(tx)
  })
const nth = (place: number) => `(select id from audit_event order by id offset ${place} limit 1)`

beforeEach(async () => {
  await tamper('delete from audit_event')
  await db.deleteFrom('audit_anchor').execute()
  writeFileSync(file, '')
  clock.advance(DAY_MS)
  for (const person of [house.maker, house.checker, house.third, house.support]) person.token = (await house.at.signIn(person.id)).token
  await tamper('delete from audit_event')
  for (const action of ['one', 'two', 'three', 'four']) await record(action)
})

describe('the chain of the audit log', () => {
  it('[I17] is checked row by row, with its newest row and the head that is kept outside', async () => {
    await runAnchor()
    const chain = await checked()
    // Four rows, the anchor, the sign of the check itself.
    expect(chain).toMatchObject({ rows: 6, ok: true, anchor: { matches: true } })
    expect(readFileSync(file, 'utf8')).toContain(chain.anchor.hash)
    const mails = await db.selectFrom('mail_outbox').select('recipient').execute()
    expect(mails.map((mail) => mail.recipient).toSorted()).toEqual(
      [house.maker, house.checker, house.third].map((who) => who.email).toSorted(),
    )
    await runAnchor()
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1)
    clock.advance(DAY_MS)
    await runAnchor()
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2)
  })

  it.each([
    ['a changed row', [`update audit_event set reason = 'other' where id = ${nth(1)}`], 1],
    ['a row deleted in the middle', [`delete from audit_event where id = ${nth(1)}`], 1],
    ['a row deleted at the start', [`delete from audit_event where id = ${nth(0)}`], 0],
    [
      'two rows that changed places',
      [
        `update audit_event set action = case action when 'two' then 'three' else 'two' end, hash = case action
          when 'two' then (select hash from audit_event where action = 'three') else (select hash from audit_event where action = 'two') end
          where action in ('two', 'three')`,
      ],
      1,
    ],
  ])('[I17] names %s', async (_, statements, place) => {
    await runAnchor()
    await tamper(...statements)
    const chain = await checked()
    const { rows } = await sql<{ id: bigint }>`select id from audit_event order by id offset ${place} limit 1`.execute(db)
    expect(chain).toMatchObject({ ok: false, firstBad: { row: String(rows[0]?.id), what: 'CHANGED' } })
  })

  it('[I17] names an end that was cut off, which no chain shows by itself', async () => {
    await runAnchor()
    const { body } = await house.get('/staff/audit/chain', house.maker)
    await tamper(`delete from audit_event where id >= ${nth(2)}`)
    const chain = await checked()
    // The sign of the check was written behind the cut, and its row follows well.
    expect(chain).toMatchObject({ ok: false, anchor: { matches: false } })
    expect(chain.firstBad).toEqual({ row: body.data.anchor.row, what: 'FORGED' })
    await tamper('delete from audit_event')
    await db.updateTable('background_job').set({ state: 'WAITING', finished_at: null, place: null, tries: 0 }).execute()
    await runSweep(db, deps, backgroundJobs(staffJobs), 'test')
    expect((await house.get('/staff/audit/chain', house.maker)).body.data.firstBad).toEqual({ row: body.data.anchor.row, what: 'CUT' })
  })

  it('[I17] names a log that was written anew with hashes that fit', async () => {
    await runAnchor()
    await tamper(
      `update audit_event set reason = 'forged' where id = ${nth(1)}`,
      `do $$ declare r audit_event; before text := repeat('0', 64); begin
        for r in select * from audit_event order by id loop
          update audit_event set previous_hash = before, hash = audit_hash(before, r.at, r.actor_id, r.actor_role, r.action,
            r.subject_type, r.subject_id, r.reason, r.outcome, r.ip, r.request_id, r.detail) where id = r.id returning hash into before;
        end loop; end $$`,
    )
    const chain = await checked()
    expect(chain).toMatchObject({ ok: false, firstBad: { what: 'FORGED' }, anchor: { matches: false } })
  })

  it('[I17] stays whole while many write at once, and waits for none of them', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, place) => record(`at once ${place}`)))
    expect(await checked()).toMatchObject({ ok: true, rows: 35 })
  })

  it('[I17] [RT-17] is read by who may read the log, asked for by its filters, and a look at a member is a row of it', async () => {
    const who = await house.person()
    for (let times = 0; times < 3; times += 1) await house.get(`/staff/members/${who.publicId}`, house.support)
    await house.post(`/staff/members/${who.publicId}/status`, house.support, { status: false, reason: 'no right to' })
    const read = async (query: string) => (await house.get(`/staff/audit?${query}`, house.maker)).body.data.data
    const views = await read('who=staff&kind=view')
    expect(views).toHaveLength(1)
    expect(views[0]).toMatchObject({ action: 'staff.member.view', role: 'SUPPORT', outcome: 'ok', subject: `member ${who.publicId}` })
    expect(views[0].hash).toMatch(/^[0-9a-f]{64}$/)
    expect((await read('kind=refused')).map((row: { outcome: string }) => row.outcome)).toEqual(['STAFF_ONLY'])
    await runAnchor()
    expect((await read('who=system')).map((row: { action: string }) => row.action)).toEqual(['audit.anchor'])
    for (const what of ['', '/chain']) expect((await house.get(`/staff/audit${what}`, house.support)).status).toBe(404)
    expect((await house.post('/staff/audit/check', house.support)).status).toBe(404)
  })
})

describe('lists of staff as files', () => {
  const exported = async (body: object, by = house.maker) => {
    const asked = await house.post('/staff/exports', by, body)
    if (asked.status !== 200) return asked
    await runSweep(db, deps, backgroundJobs(staffJobs), 'test')
    return house.get(`/staff/jobs/${asked.body.data.jobId}/file`, by)
  }

  it('[RT-17] [I17] are written as long work, and who took what along stands in the log', async () => {
    const { text, headers } = await exported({ list: 'audit', filter: { q: 'two' } })
    expect(headers['content-type']).toContain('text/csv')
    expect(text.split('\r\n')[0]).toContain('Previous hash')
    expect(text.trim().split('\r\n')).toHaveLength(2)
    const rows = await db.selectFrom('audit_event').selectAll().where('action', '=', 'staff.export').execute()
    expect(rows).toMatchObject([{ actor_id: house.maker.id, detail: { list: 'audit', filter: { q: 'two' } } }])
  })

  it('[RT-17] hold no cell that a sheet would run', async () => {
    const evil = await house.person()
    await db.updateTable('member').set({ name: '=HYPERLINK("http://evil")' }).where('id', '=', evil.id).execute()
    const { text } = await exported({ list: 'members', filter: { q: evil.email } })
    expect(text).toContain(`"'=HYPERLINK(""http://evil"")"`)
    expect((await exported({ list: 'entries', filter: { account: '-9200' } })).text).toContain('testFunds')
  })

  it('[RT-17] are not for support, and one without an account fails in words', async () => {
    expect((await exported({ list: 'members' }, house.support)).status).toBe(404)
    const { body } = await house.post('/staff/exports', house.maker, { list: 'entries' })
    await runSweep(db, deps, backgroundJobs(staffJobs), 'test')
    expect((await house.get(`/staff/jobs/${body.data.jobId}`, house.maker)).body.data).toMatchObject({
      state: 'FAILED',
      error: 'There is no such account',
    })
  })
})
