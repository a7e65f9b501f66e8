import { crc32, inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember, fund, PAYOUT_ADDRESS, TEST_PASSWORD } from '../../../../test/members.ts'
import { outside } from '../../../../test/outside.ts'
import { backgroundJobs } from '../../../jobs/background-jobs.job.ts'
import { ownDataRoutes } from '../../auth/index.ts'
import { walletRoutes } from '../../wallets/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { recordAudit } from '../../audit/index.ts'
import { allTransfers } from '../../../main/all-checks.ts'
import { ownDataJob } from './own-data.job.ts'
import { omittedTables } from './omitted-tables.ts'
import { ownTables } from './own-tables.ts'

const { db } = await testDatabase()
const none = { dailyBonusCount: 0n, transactionHistoryCount: 0n, dailyStakeLogsBonus: 0n }
const at: TestApp = await testApp(db, {
  routes: (bind) => {
    ownDataRoutes(bind, ownDataJob)
    walletRoutes(bind, { rewardTotals: () => Promise.resolve(none), outside, histories: [], transfers: allTransfers })
  },
  jobs: [backgroundJobs([ownDataJob])],
})

/** Reads an archive by its directory, and checks each file's size and checksum. */
function unzip(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const count = archive.readUInt16LE(archive.length - 12)
  let line = archive.readUInt32LE(archive.length - 6)
  for (let index = 0; index < count; index += 1) {
    const nameLength = archive.readUInt16LE(line + 28)
    const start = archive.readUInt32LE(line + 42)
    const data = start + 30 + archive.readUInt16LE(start + 26)
    const content = inflateRawSync(archive.subarray(data, data + archive.readUInt32LE(line + 20)))
    const name = archive.toString('utf8', line + 46, line + 46 + nameLength)
    expect([name, crc32(content), content.length]).toEqual([name, archive.readUInt32LE(line + 16), archive.readUInt32LE(line + 24)])
    expect(files.has(name)).toBe(false)
    files.set(name, content)
    line += 46 + nameLength
  }
  return files
}

async function collect(member: { id: bigint }): Promise<Map<string, Buffer>> {
  const { token } = await at.signIn(member.id)
  const started = await at.call('POST', '/profile/data', { token, body: { password: TEST_PASSWORD } })
  expect(started.status).toBe(200)
  await at.runJobs()
  const job = await at.call('GET', `/jobs/${started.body.data.jobId}`, { token })
  expect(job.body.data).toMatchObject({ state: 'DONE', fileName: 'my-data.zip' })
  const reply = await at.app.inject({ method: 'GET', url: `/api/v1${job.body.data.fileHref}`, headers: { authorization: token } })
  expect(reply.headers['content-type']).toBe('application/zip')
  return unzip(reply.rawPayload)
}

it('covers each column of the database: it is in a file, or omitted for a reason', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE') and table_name not in ('schema_migration', 'schema_bodies')`.execute(
    db,
  )
  const omitted = new Set<string>(Object.values(omittedTables).flat())
  const covered = new Set(
    ownTables.flatMap(({ table, columns, amounts = [], omitted: left = {} }) =>
      [...columns, ...amounts, ...Object.values(left).flat()].map((column) => `${table}.${column}`),
    ),
  )
  const missing = rows.filter(({ table, column }) => !omitted.has(table) && !covered.has(`${table}.${column}`))
  expect(missing).toEqual([])
  const known = new Set(rows.flatMap(({ table, column }) => [table, `${table}.${column}`]))
  expect([...omitted, ...covered].filter((name) => !known.has(name))).toEqual([])
  expect(ownTables.filter(({ table }) => omitted.has(table)).map(({ file }) => file)).toEqual([])
  expect(new Set(ownTables.map(({ file }) => file)).size).toBe(ownTables.length)
})

it('contains the stored data of the member and of nobody else, as JSON and CSV', async () => {
  const member = await createTestMember(db, { name: 'Mark-Name', email: 'mark-mail@gmail.com', phone: '+12025550199' })
  const other = await createTestMember(db, { name: 'Stranger-Name', email: 'stranger-mail@gmail.com' })
  const staff = await createTestMember(db, { name: 'Staff-Name', role: 'ADMIN' })
  await at.signIn(member.id, { userAgent: 'mark-agent' })
  await fund(db, member.id, 'icoWallet', 1_234_567_890n)
  const now = at.clock.now()
  for (const [owner, mark] of [
    [member, 'mark'],
    [other, 'stranger'],
  ] as const) {
    await db
      .insertInto('payout_address')
      .values({
        public_id: `${mark}-address`,
        member_id: owner.id,
        network: 0,
        address: PAYOUT_ADDRESS,
        address_key: mark,
        label: `${mark}-label`,
        created_at: now,
      })
      .execute()
    await db
      .insertInto('ticket_image')
      .values({
        id: `${mark}-image`,
        member_id: owner.id,
        content_type: 'image/png',
        bytes: Buffer.from(`${mark}-pixels`),
        created_at: now,
      })
      .execute()
    const ticket = await db
      .insertInto('ticket')
      .values({
        public_id: `${mark}-ticket`,
        member_id: owner.id,
        title: '=1+1',
        description: `${mark}-problem "quoted",\nnext`,
        image_id: `${mark}-image`,
        created_at: now,
        last_message_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('ticket_message')
      .values({ ticket_id: ticket.id, author_id: staff.id, role: 'ADMIN', message: `${mark}-answer`, created_at: now })
      .execute()
    await db
      .insertInto('staff_note')
      .values([
        { member_id: owner.id, author_id: staff.id, text: `${mark}-note`, created_at: now },
        { ticket_id: ticket.id, author_id: staff.id, text: `${mark}-ticket-note`, created_at: now },
      ])
      .execute()
    await inTransaction(db, (tx) =>
      recordAudit(tx, {
        at: now,
        actorId: staff.id,
        actorRole: 'ADMIN',
        action: 'staff.member.block',
        subject: { type: 'member', id: owner.publicId },
        reason: `${mark}-reason`,
        outcome: 'ok',
        ip: '203.0.113.77',
        requestId: 'test',
      }),
    )
  }
  const files = await collect(member)
  const all = [...files].map(([name, content]) => `${name}\n${content.toString('utf8')}`).join('\n')
  for (const form of ['json', 'csv']) {
    const texts = [...files].filter(([name]) => name.endsWith(form)).map(([, content]) => content.toString('utf8'))
    const written = texts.join('\n')
    for (const mark of ['Mark-Name', 'mark-mail@gmail.com', '12025550199', PAYOUT_ADDRESS, 'mark-label', 'mark-problem', 'mark-answer'])
      expect(written).toContain(mark)
    for (const mark of ['mark-note', 'mark-ticket-note', 'mark-agent', 'mark-reason', '12.3456789', '127.0.0.1'])
      expect(written).toContain(mark)
  }
  expect(files.get('images/mark-image.png')?.toString()).toBe('mark-pixels')
  expect(all).not.toMatch(/stranger|Staff-Name|203\.0\.113\.77|argon2/i)
  expect(files.get('tickets.csv')?.toString()).toContain("'=1+1")
  const [ticket] = JSON.parse(String(files.get('tickets.json')))
  expect(ticket).toMatchObject({ title: '=1+1', description: 'mark-problem "quoted",\nnext' })
  for (const [name, content] of files) if (name.endsWith('.json')) expect(Array.isArray(JSON.parse(String(content))), name).toBe(true)
})

it('continues lists of many pages without gaps', async () => {
  const member = await createTestMember(db)
  const now = at.clock.now()
  const rows = Array.from({ length: 1_203 }, (_, index) => ({
    member_id: member.id,
    event: 'deposit',
    cause: `page-${member.id}-${index}`,
    facts: '{}',
    created_at: now,
    in_inbox: true,
    awaits_mail: false,
  }))
  await db.insertInto('notice').values(rows).execute()
  const files = await collect(member)
  const causes = JSON.parse(String(files.get('notifications.json'))).map(({ cause }: { cause: string }) => cause)
  expect(causes).toEqual(rows.map(({ cause }) => cause))
  expect(String(files.get('notifications.csv')).trim().split('\r\n')).toHaveLength(1_204)
  const empty = await createTestMember(db)
  expect(JSON.parse(String((await collect(empty)).get('notifications.json')))).toEqual([])
})

it('needs a proof, runs once at a time and three times within 24 hours, and mails the member', async () => {
  const member = await createTestMember(db)
  const { token } = await at.signIn(member.id)
  const start = (body: object) => at.call('POST', '/profile/data', { token, body })
  expect((await start({})).status).toBe(400)
  expect((await start({ password: 'wrong-harbour-11' })).status).toBe(400)
  const unknownDevice = await at.signIn(member.id, { newDevice: true })
  const refused = await at.call('POST', '/profile/data', { token: unknownDevice.token, body: { password: TEST_PASSWORD } })
  expect(refused.status).toBe(400)
  const both = await Promise.all([start({ password: TEST_PASSWORD }), start({ password: TEST_PASSWORD })])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429])
  for (const expected of [200, 200, 429]) {
    await at.runJobs()
    expect((await start({ password: TEST_PASSWORD })).status).toBe(expected)
  }
  at.clock.advance(86_400_001)
  const later = await at.signIn(member.id)
  expect((await at.call('POST', '/profile/data', { token: later.token, body: { password: TEST_PASSWORD } })).status).toBe(200)
  const mails = await db.selectFrom('mail_outbox').select('id').where('recipient', '=', member.email).execute()
  expect(mails).toHaveLength(4)
})
