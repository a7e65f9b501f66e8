import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { startEntry } from '../../../../test/entry.ts'
import { type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { backgroundJobs } from '../../../jobs/background-jobs.job.ts'
import { runJob } from '../../../jobs/job.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { walletId } from '../../../ledger/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { recordAudit } from '../../audit/index.ts'
import { auditStaff } from '../access/actor.ts'
import { signAnchorsAgain } from './audit-anchor-file.ts'
import { exportError, exportKeyOf, firstHeadMismatch, describeFault, staffJobs, staffRecurringJobs } from '../index.ts'
import { platformAlerts } from '../operations/platform-alerts.ts'

const instance: StaffInstance = await staffInstance()
const { db, deps, clock } = instance.at
const file = path.join(deps.config.dataDir, 'audit-heads.txt')

const record = (action: string) =>
  inTransaction(db, (tx) => recordAudit(tx, { at: clock.now(), actorId: 7n, actorRole: 'ADMIN', action, outcome: 'ok' }))
async function runAnchor(): Promise<void> {
  for (const job of staffRecurringJobs) if (job.name === 'audit-anchor') await runJob(db, deps, job, 'test')
}
/** Runs the chain check as staff do and returns the console's result. */
async function checked() {
  const { body } = await instance.post('/staff/audit/check', instance.maker)
  await runJob(db, deps, backgroundJobs(staffJobs), 'test')
  const job = await instance.get(`/staff/jobs/${body.data.jobId}`, instance.maker)
  expect(job.body.data.state).toBe('DONE')
  const { body: chain } = await instance.get('/staff/audit/chain', instance.maker)
  expect(job.body.data.result.ok).toBe(chain.data.ok)
  return chain.data
}
/** Tampers with the log as a database owner could. */
const tamper = (...statements: string[]) =>
  db.transaction().execute(async (tx) => {
    await sql`alter table audit_event disable trigger all`.execute(tx)
    for (const statement of statements) await sql.raw(statement).execute(tx)
    await sql`alter table audit_event enable trigger all`.execute(tx)
  })
const nth = (index: number) => `(select id from audit_event order by id offset ${index} limit 1)`

beforeEach(async () => {
  await tamper('delete from audit_event')
  await db.deleteFrom('audit_anchor').execute()
  await db.deleteFrom('command_last_run').execute()
  writeFileSync(file, '')
  clock.advance(DAY_MS)
  for (const person of [instance.maker, instance.checker, instance.third, instance.support])
    person.token = (await instance.at.signIn(person.id)).token
  await tamper('delete from audit_event')
  for (const action of ['one', 'two', 'three', 'four']) await record(action)
})

describe('audit log chain', () => {
  it('[I17] is verified row by row, with its newest row and the anchor file', async () => {
    await runAnchor()
    const chain = await checked()
    // Four rows, the anchor, and the check's audit entry.
    expect(chain).toMatchObject({ rows: 6, ok: true, anchor: { matches: true } })
    expect(readFileSync(file, 'utf8')).toContain(chain.anchor.hash)
    const mails = await db.selectFrom('mail_outbox').select('recipient').execute()
    expect(mails.map((mail) => mail.recipient).toSorted()).toEqual(
      [instance.maker, instance.checker, instance.third].map((who) => who.email).toSorted(),
    )
    await runAnchor()
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1)
    clock.advance(DAY_MS)
    await runAnchor()
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2)
  })

  it('[I17] keeps an anchor after a line that a full disk truncated', async () => {
    writeFileSync(file, '2026-01-01 row 1 ab')
    await runAnchor()
    expect(await checked()).toMatchObject({ ok: true, anchor: { matches: true } })
    expect(readFileSync(file, 'utf8')).toMatch(/^2026-01-01 row 1 ab\n\S+ row \d+ [0-9a-f]{64} \S+ \S+ \S+\n$/)
  })

  it.each([
    ['a changed row', [`update audit_event set reason = 'other' where id = ${nth(1)}`], 1],
    ['a row deleted in the middle', [`delete from audit_event where id = ${nth(1)}`], 1],
    ['a row deleted at the start', [`delete from audit_event where id = ${nth(0)}`], 0],
    [
      'two swapped rows',
      [
        `update audit_event set action = case action when 'two' then 'three' else 'two' end, hash = case action
          when 'two' then (select hash from audit_event where action = 'three') else (select hash from audit_event where action = 'two') end
          where action in ('two', 'three')`,
      ],
      1,
    ],
  ])('[I17] reports %s', async (_, statements, index) => {
    await runAnchor()
    await tamper(...statements)
    const chain = await checked()
    const { rows } = await sql<{ id: bigint }>`select id from audit_event order by id offset ${index} limit 1`.execute(db)
    expect(chain).toMatchObject({ ok: false, firstBad: { row: String(rows[0]?.id), what: 'CHANGED' } })
  })

  it('[I17] reports a truncated end, which the chain itself cannot show', async () => {
    await runAnchor()
    const { body } = await instance.get('/staff/audit/chain', instance.maker)
    await tamper(`delete from audit_event where id >= ${nth(2)}`)
    const chain = await checked()
    // The check's audit entry follows the cut, and its row links correctly.
    expect(chain).toMatchObject({ ok: false, anchor: { matches: false } })
    expect(chain.firstBad).toEqual({ row: body.data.anchor.row, what: 'FORGED' })
    await tamper('delete from audit_event')
    await db.updateTable('background_job').set({ state: 'WAITING', finished_at: null, checkpoint: null, attempts: 0 }).execute()
    await runJob(db, deps, backgroundJobs(staffJobs), 'test')
    expect((await instance.get('/staff/audit/chain', instance.maker)).body.data.firstBad).toEqual({
      row: body.data.anchor.row,
      what: 'CUT',
    })
  })

  it('[I17] reports a truncated end in the job, the doctor and the ledger audit until the file is corrected', async () => {
    const alarms = async () => (await platformAlerts(db, instance.at.clock.now())).filter((one) => one.name === 'audit-log')
    const anHourLater = () => sql`update command_last_run set finished_at = finished_at - interval '1 hour'`.execute(db)
    await runAnchor()
    expect([await firstHeadMismatch(db, deps.config), await alarms()]).toEqual([undefined, []])
    await tamper('delete from audit_event')
    const lost = await firstHeadMismatch(db, deps.config)
    expect(lost).toMatchObject({ what: 'CUT' })
    await anHourLater()
    await runAnchor()
    expect(await alarms()).toMatchObject([{ level: 'red', stops: true }])
    expect((await alarms())[0]?.text).toContain(lost === undefined ? 'lost' : describeFault(lost))
    // The folder may have served another database before.
    const elsewhere = { ...deps.config, databaseUrl: 'postgres://tizara:x@db.example:5432/tizara' }
    expect(await firstHeadMismatch(db, elsewhere)).toBeUndefined()
    writeFileSync(file, '')
    await anHourLater()
    await runAnchor()
    expect(await alarms()).toEqual([])
  })

  it.each([
    ['another number', (line: string) => line.replace(/ row \d+ /, ' row 1 ')],
    ['another hash', (line: string) => line.replace(/[0-9a-f]{64}/, 'a'.repeat(64))],
    ['no signature', (line: string) => line.replace(/ \S+$/, '')],
  ])('[I17] reports a stored head with %s, which only the holder of DATA_KEY can sign', async (_, change) => {
    await runAnchor()
    const line = readFileSync(file, 'utf8').trim()
    writeFileSync(file, `${change(line)}\n`)
    expect(await firstHeadMismatch(db, deps.config)).toMatchObject({ what: 'UNSIGNED' })
    expect(await checked()).toMatchObject({ ok: false, firstBad: { what: 'UNSIGNED' } })
  })

  it('[I17] keeps stored heads valid after a rotation of DATA_KEY', async () => {
    await runAnchor()
    const rotated = { ...deps.config, dataKey: 'another-key-of-thirty-two-letters', dataKeyPrevious: deps.config.dataKey }
    signAnchorsAgain(rotated)
    expect(await firstHeadMismatch(db, { ...rotated, dataKeyPrevious: undefined })).toBeUndefined()
    expect(await firstHeadMismatch(db, deps.config)).toMatchObject({ what: 'UNSIGNED' })
  })

  it('[I17] shows a broken chain in the banner after a check', async () => {
    await tamper(`update audit_event set reason = 'other' where id = ${nth(1)}`)
    await checked()
    expect((await platformAlerts(db, instance.at.clock.now())).map((one) => one.name)).toContain('audit-log')
  })

  it('[I17] reports a log that was rewritten with matching hashes', async () => {
    await runAnchor()
    await tamper(
      `update audit_event set reason = 'forged' where id = ${nth(1)}`,
      `do $$ declare r audit_event; before text := repeat('0', 64); begin
        for r in select * from audit_event order by id loop
          update audit_event set previous_hash = before, hash = audit_hash(before, r.at, r.actor_id, r.actor_role, r.action,
            r.subject_type, r.subject_id, r.reason, r.reason_salt, r.outcome, r.ip, r.ip_salt, r.request_id, r.detail, r.detail_salt) where id = r.id returning hash into before;
        end loop; end $$`,
    )
    const chain = await checked()
    expect(chain).toMatchObject({ ok: false, firstBad: { what: 'FORGED' }, anchor: { matches: false } })
  })

  it('[I17] stays valid under parallel writes, without blocking them', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, index) => record(`at once ${index}`)))
    expect(await checked()).toMatchObject({ ok: true, rows: 35 })
  })

  it('[I17] is read only with the right to it, with filters, and each view of a member is a row in it', async () => {
    const who = await instance.person()
    for (let times = 0; times < 3; times += 1) await instance.get(`/staff/members/${who.publicId}`, instance.support)
    await instance.post(`/staff/members/${who.publicId}/status`, instance.support, { status: false, reason: 'no right to' })
    const read = async (query: string) => (await instance.get(`/staff/audit?${query}`, instance.maker)).body.data.data
    const views = await read('who=staff&kind=view')
    expect(views).toHaveLength(1)
    expect(views[0]).toMatchObject({ action: 'staff.member.view', role: 'SUPPORT', outcome: 'ok', subject: `member ${who.publicId}` })
    expect(views[0].hash).toMatch(/^[0-9a-f]{64}$/)
    expect((await read('kind=refused')).map((row: { outcome: string }) => row.outcome)).toEqual(['STAFF_ONLY'])
    await runAnchor()
    expect((await read('who=system')).map((row: { action: string }) => row.action)).toEqual(['audit.anchor'])
    for (const what of ['', '/chain']) expect((await instance.get(`/staff/audit${what}`, instance.support)).status).toBe(404)
    expect((await instance.post('/staff/audit/check', instance.support)).status).toBe(404)
  })
})

describe('staff exports', () => {
  const exported = async (body: object, by = instance.maker) => {
    const reply = await instance.post('/staff/exports', by, body)
    if (reply.status !== 200) return reply
    await runJob(db, deps, backgroundJobs(staffJobs), 'test')
    return instance.get(`/staff/jobs/${reply.body.data.jobId}/file`, by)
  }

  it('[I17] run as background jobs, and are recorded in the audit log', async () => {
    const { text, headers } = await exported({ list: 'audit', filter: { q: 'two' } })
    expect(headers['content-type']).toContain('text/csv')
    expect(text.split('\r\n')[0]).toContain('Previous hash')
    expect(text.trim().split('\r\n')).toHaveLength(3)
    const rows = await db.selectFrom('audit_event').selectAll().where('action', '=', 'staff.export').execute()
    expect(rows).toMatchObject([
      { actor_id: instance.maker.id, detail: { list: 'audit', filter: { q: expect.stringMatching(/^digest /) } } },
    ])
  })

  it('[I17] sign the audit log in its last line, over several steps, and show each change to the holder of the public key', async () => {
    const entry = { at: clock.now(), actorId: null, actorRole: 'SYSTEM', action: 'test.line', outcome: 'ok', reason: 'two\nlines' }
    await inTransaction(db, async (tx) => {
      for (let row = 0; row < 1_001; row += 1) await recordAudit(tx, entry)
    })
    const { text } = await exported({ list: 'audit', filter: { q: 'test.line' } })
    const key = exportKeyOf(deps.config.dataKey)
    expect(exportError(text, key)).toBeUndefined()
    const lines = text.split('\r\n')
    const without = (index: number) => lines.toSpliced(index, 1).join('\r\n')
    for (const changed of [text.replace('two\nlines', 'two\nLines'), without(1), without(1000), `${text}x\r\n`, text.slice(1)])
      expect(exportError(changed, key)).toBeDefined()
    expect(exportError(without(lines.length - 2), key)).toBe('the last line has no signature')
    expect(exportError(text, exportKeyOf('another key'))).toContain('another key')
    const copy = path.join(deps.config.dataDir, 'audit.csv')
    const verify = async (content: string, ...args: string[]) => {
      writeFileSync(copy, content)
      const command = startEntry('verify-export', { NODE_ENV: 'test', DATA_KEY: deps.config.dataKey }, ...args, copy)
      return [await command.ended, command.output]
    }
    expect(await verify(text)).toEqual([0, expect.stringContaining(`signed with the key ${key}`)])
    expect(await verify(without(2), '--key', key)).toEqual([1, expect.stringContaining('a line was changed, added or removed')])
  })

  it('contain no cell that a spreadsheet would execute', async () => {
    const evil = await instance.person()
    await db.updateTable('member').set({ name: '=HYPERLINK("http://evil")' }).where('id', '=', evil.id).execute()
    const { text } = await exported({ list: 'members', filter: { q: evil.email } })
    expect(text).toContain(`"'=HYPERLINK(""http://evil"")"`)
    expect((await exported({ list: 'entries', filter: { account: '-9200' } })).text).toContain('testFunds')
  })

  it('contain the timeline of a member, which then records the export', async () => {
    const who = await instance.person()
    for (let note = 0; note < 130; note += 1)
      await inTransaction(db, (tx) =>
        auditStaff(
          tx,
          instance.at.deps,
          { memberId: instance.maker.id, role: 'ADMIN' },
          {
            action: 'member.verify',
            subject: { type: 'member', id: who.publicId },
            reason: `number ${note}`,
          },
        ),
      )
    const { text } = await exported({ list: 'timeline', filter: { member: who.publicId, kind: 'staff' } })
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(1 + 1 + 130)
    expect(lines[1]).toMatch(/,staff,exported the timeline or a wallet,/)
    expect(new Set(lines).size).toBe(lines.length)
    expect((await exported({ list: 'timeline', filter: { member: 'nobody' } })).status).toBe(404)
    expect((await exported({ list: 'timeline' })).status).toBe(404)
  })

  it('contain inflows and outflows by day, and every run once', async () => {
    const days = (await exported({ list: 'money' })).text.trim().split('\r\n')
    const { flows, balanceSheet } = (await instance.get('/staff/overview?days=365', instance.maker)).body.data
    expect(days[0]).toContain('Day (UTC),Asset,In,Out,USD held,USD owed')
    expect(days).toHaveLength(1 + flows.length)
    const [today, usd, coin] = [balanceSheet.at(-1), flows.at(-2), flows.at(-1)]
    expect(days[1]).toBe([today.day, 'coin', coin.in, coin.out, '', ''].join(','))
    expect(days[2]).toBe([today.day, 'usd', usd.in, usd.out, today.reserves, today.liabilities].join(','))
    await sql`with days as (insert into reward_day (day, status, opened_at)
        select date '2020-01-01' + n, 'DONE', now() from generate_series(1, 450) n returning day)
      insert into reward_run (day, through, status, by_hand, started_at) select day, day, 'DONE', false, now() from days`.execute(db)
    const runs = (await exported({ list: 'runs' })).text.trim().split('\r\n')
    expect(new Set(runs).size).toBe(1 + 450)
    expect(runs[1]).toContain(',DONE,0,0,0,0,0,the worker,')
  })

  it('[I17] contain a wallet, and are recorded for its member', async () => {
    const who = await instance.person()
    const requestExport = (account: bigint) =>
      instance.post('/staff/exports', instance.maker, { list: 'entries', filter: { account: String(account) } })
    expect((await requestExport(walletId(who.id, 'depositWallet'))).status).toBe(200)
    expect((await requestExport(-9200n)).status).toBe(200)
    expect((await instance.audits(who.publicId)).map(({ action }) => action)).toEqual(['staff.member.export'])
    await runJob(db, deps, backgroundJobs(staffJobs), 'test')
  })

  it('are not available to support, and fail with a reason without an account', async () => {
    expect((await exported({ list: 'members' }, instance.support)).status).toBe(404)
    const { body } = await instance.post('/staff/exports', instance.maker, { list: 'entries' })
    await runJob(db, deps, backgroundJobs(staffJobs), 'test')
    expect((await instance.get(`/staff/jobs/${body.data.jobId}`, instance.maker)).body.data).toMatchObject({
      state: 'FAILED',
      error: 'There is no such account',
    })
  })
})
