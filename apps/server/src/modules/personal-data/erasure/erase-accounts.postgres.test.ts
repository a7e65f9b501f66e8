import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { direct, emptyDatabase } from '../../../../test/database.ts'
import { startEntry } from '../../../../test/entry.ts'
import { fund, TEST_PASSWORD } from '../../../../test/members.ts'
import { outside } from '../../../../test/outside.ts'
import { PRODUCTION } from '../../../../test/production-environment.ts'
import { type Person, staffInstance } from '../../../../test/staff-instance.ts'
import { backgroundJobs } from '../../../jobs/background-jobs.job.ts'
import { post } from '../../../ledger/index.ts'
import { runJob } from '../../../jobs/job.ts'
import { retentionJob } from '../../../jobs/retention.ts'
import { accessJournalJob } from '../../audit/index.ts'
import { authRoutes, closeAccountsJob, closingRoutes, ownDataRoutes } from '../../auth/index.ts'
import { hasConflictOfInterest } from '../../staff/duties/conflict-of-interest.ts'
import { walletRoutes } from '../../wallets/index.ts'
import { requestWithdrawal, stopAndAuditPayouts } from '../../withdrawals/index.ts'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import { testClock } from '../../../platform/runtime/clock.ts'
import { allTransfers, auditPlatform } from '../../../main/all-checks.ts'
import { closingObstacles } from '../closing-obstacles.ts'
import { retentions } from '../../../main/jobs.ts'
import { ownDataJob } from '../own-data/own-data.job.ts'
import { eraseAccountsJob } from './erase-accounts.job.ts'

const DAY_MS = 86_400_000
const folder = mkdtempSync(path.join(tmpdir(), 'erasure-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { DATA_KEY, TOKEN_SECRET } = PRODUCTION
const env = { DATA_KEY, TOKEN_SECRET, DATA_DIR: folder }
const instance = await staffInstance(undefined, env)
const { at, maker, checker, support } = instance
const { db, clock } = at
/** Signs a person in again, because sessions of staff end after hours. */
const again = async (who: Person): Promise<Person> => ({ ...who, token: (await at.signIn(who.id)).token })
const totals = { dailyBonusCount: 0n, transactionHistoryCount: 0n, dailyStakeLogsBonus: 0n }
const own = await testApp(db, {
  env,
  clock,
  routes: (bind) => {
    authRoutes(bind, stopAndAuditPayouts)
    ownDataRoutes(bind, ownDataJob)
    closingRoutes(bind, closingObstacles)
    walletRoutes(bind, { rewardTotals: () => Promise.resolve(totals), outside, histories: [], transfers: allTransfers })
  },
  jobs: [backgroundJobs([ownDataJob])],
})

const ADDRESS = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const PICTURE = Buffer.from('mark-pixels')
/** Personal texts of the member, as a dump shows them. The archive has those of the first list. */
const ARCHIVED = [
  'Zorblatt Quimby',
  'mark-mail@gmail.com',
  'mark-old@gmail.com',
  '12025550199',
  ADDRESS,
  'mark-label',
  'mark-agent',
  '203.0.113.88',
].concat(['mark-title', 'mark-problem', 'mark-answer', 'mark-note', 'mark-ticket-note', 'mark-refused', 'mark-before', 'mark-payee'])
const MARKS = [
  ...ARCHIVED,
  'mark-friend',
  'mark-reason',
  'mark-review',
  'mark-new@gmail.com',
  'mark-case',
  'mark-match',
  'mark-key',
  'mark-message',
  'Zorblatt',
  PICTURE.toString('hex'),
  ADDRESS.slice(2),
]

const dump = (url: string): string => execFileSync('pg_dump', [direct(url)], { maxBuffer: 2 ** 30 }).toString('utf8')
const marksIn = (text: string, marks = MARKS) => marks.filter((mark) => text.toLowerCase().includes(mark.toLowerCase()))
const job = (one: Parameters<typeof runJob>[2]) => runJob(db, at.deps, one, 'test')
/** Violations that the audit reports, without the money that the test itself created. */
const wrong = async (of: Db = db) =>
  (await auditPlatform(of, at.deps.config)).filter(({ broken, examples }) => broken > 0 && !examples.join(' ').includes('testFunds'))
const rowOf = (who: { id: bigint }, of: Db = db) => of.selectFrom('member').selectAll().where('id', '=', who.id).executeTakeFirstOrThrow()

/** Closes an account, and runs the jobs until its personal data is erased or the erasure is postponed. */
async function closeAndErase(who: Person): Promise<void> {
  await db.updateTable('member').set({ is_active: false, closes_at: clock.now() }).where('id', '=', who.id).execute()
  await job(closeAccountsJob(closingObstacles))
  clock.advance(DAY_MS)
  await job(eraseAccountsJob)
}

/** Returns the text of all files of the member's archive. */
async function archiveOf(who: Person): Promise<string> {
  const started = await own.call('POST', '/profile/data', { token: who.token, body: { password: TEST_PASSWORD } })
  await own.runJobs()
  const { data } = (await own.call('GET', `/jobs/${started.body.data.jobId}`, { token: who.token })).body
  const { rawPayload } = await own.app.inject({ method: 'GET', url: `/api/v1${data.fileHref}`, headers: { authorization: who.token } })
  const files: string[] = []
  for (let place = rawPayload.readUInt32LE(rawPayload.length - 6); rawPayload.readUInt32LE(place) === 0x02014b50;) {
    const [size, name] = [rawPayload.readUInt32LE(place + 20), rawPayload.readUInt16LE(place + 28)]
    const start = rawPayload.readUInt32LE(place + 42)
    const data_ = start + 30 + rawPayload.readUInt16LE(start + 26)
    files.push(inflateRawSync(rawPayload.subarray(data_, data_ + size)).toString('utf8'))
    place += 46 + name
  }
  return files.join('\n')
}

/** Inserts a match of a person with a screening list. */
const insertMatch = async ({ id, publicId }: Person, verdict: 'different' | null): Promise<unknown> =>
  db
    .insertInto('screening_hit')
    .values({
      public_id: `match-${publicId}`,
      member_id: id,
      kind: 'name',
      key: 'mark-match',
      source: 'list',
      reference: '1',
      listed_name: 'mark-match',
      cause: 'name',
      found_at: clock.now(),
      verdict,
      decided_at: verdict === null ? null : clock.now(),
    })
    .execute()

/** Plants personal texts in all places that members and staff write to. */
async function plant(): Promise<Person> {
  const member = await instance.person({ name: 'Zorblatt Quimby', email: 'mark-mail@gmail.com', phone: '+12025550199' })
  const now = clock.now()
  await at.signIn(member.id, { userAgent: 'mark-agent' })
  await sql`update session set ip = '203.0.113.88' where member_id = ${member.id}`.execute(db)
  const change = { member_id: member.id, email: member.email, previous_email: 'mark-old@gmail.com', stop_digest: 'stop', created_at: now }
  await db
    .insertInto('email_change')
    .values({ ...change, expires_at: now, stoppable_until: now, confirmed_at: now })
    .execute()
  const picture = { id: 'mark-image', member_id: member.id, content_type: 'image/png', bytes: PICTURE, created_at: now }
  await db.insertInto('ticket_image').values(picture).execute()
  const ticket = {
    public_id: 'marked-ticket',
    member_id: member.id,
    title: 'mark-title',
    description: 'mark-problem',
    image_id: 'mark-image',
  }
  await db
    .insertInto('ticket')
    .values({ ...ticket, created_at: now, last_message_at: now })
    .execute()
  const { id } = await db.selectFrom('ticket').select('id').where('public_id', '=', 'marked-ticket').executeTakeFirstOrThrow()
  const answer = { ticket_id: id, author_id: support.id, role: 'SUPPORT', message: 'mark-answer', created_at: now }
  await db.insertInto('ticket_message').values(answer).execute()
  await instance.post('/staff/tickets/marked-ticket/notes', support, { text: 'mark-ticket-note' })
  await instance.post(`/staff/members/${member.publicId}/notes`, support, { text: 'mark-note' })
  await instance.post('/staff/tickets/marked-ticket/close', support, { reason: 'mark-reason of a ticket' })
  await instance.get('/staff/members?q=Zorblatt', support)
  await instance.post('/staff/exports', maker, { list: 'audit', filter: { q: 'Zorblatt' } })
  await job(backgroundJobs([]))
  const payout = await instance.withdrawal(member, 20n, ADDRESS)
  await sql`update payout_address set label = 'mark-label' where member_id = ${member.id}`.execute(db)
  await instance.post(`/staff/queues/withdrawals/${payout}/approve`, maker, { reason: 'mark-reason' })
  await instance.post(`/staff/queues/withdrawals/${payout}/approve`, checker, { reason: 'mark-reason' })
  const rejected = await instance.withdrawal(member, 30n, ADDRESS)
  await instance.post(`/staff/queues/withdrawals/${rejected}/reject`, checker, { reason: 'mark-refused' })
  const last = await inTransaction(db, (tx) => requestWithdrawal(tx, at.deps, { memberId: member.id, amount: 30n * ONE, address: ADDRESS }))
  await instance.post(`/staff/queues/withdrawals/${last.id}/approve`, checker, { reason: 'mark-reason' })
  await instance.post(`/staff/members/${member.publicId}/rank`, maker, { rank: null, reason: 'mark-reason' })
  const recovery = { secondFactor: false, email: 'mark-new@gmail.com', reason: 'mark-reason' }
  const { proposalId } = (await instance.post(`/staff/members/${member.publicId}/recovery`, maker, recovery)).body.data
  await instance.post(`/staff/changes/${proposalId}/reject`, checker, { reason: 'mark-refused' })
  const link = { member_id: member.id, level: 1, same_address: true, same_device: false, same_payout_address: false }
  await db
    .insertInto('linked_account')
    .values({
      ...link,
      upline_id: maker.id,
      first_seen_at: now,
      last_seen_at: now,
      verdict: 'harmless',
      reviewed_by: checker.id,
      reviewed_at: now,
      review_reason: 'mark-review',
    })
    .execute()
  const names = [
    { member_id: member.id, receiver_id: maker.id, name: 'mark-payee', created_at: now },
    { member_id: maker.id, receiver_id: member.id, name: 'mark-friend', created_at: now },
  ]
  await db.insertInto('payee_name').values(names).execute()
  const sums = { members: 1, referrals: 0, usd: 0n, coin: 0n, staged_at: now, approved_at: now, ended_at: now }
  const batch = await db
    .insertInto('import_batch')
    .values({ ...sums, hash: 'a'.repeat(64), status: 'DONE' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const before = { member_id: member.id, happened_at: now, title: 'mark-before', reference: 'mark-before', is_incoming: true }
  await db
    .insertInto('import_history')
    .values({ ...before, batch_id: batch.id, asset: 'USD', amount: 1n })
    .execute()
  const opened = { member_id: member.id, title: 'mark-case', reason: 'mark-case', opened_at: now, due_at: new Date(now.getTime() + 1) }
  await db
    .insertInto('staff_case')
    .values({ ...opened, public_id: 'marked-case', outcome: 'cleared', outcome_reason: 'mark-case', closed_by: maker.id, closed_at: now })
    .execute()
  await insertMatch(member, 'different')
  const key = { member_id: member.id, public_id: 'marked-key', name: 'mark-key', token_digest: 'digest', rights: [], networks: [] }
  await db
    .insertInto('api_key')
    .values({ ...key, kind: 'member', created_at: now, expires_at: now })
    .execute()
  const message = { member_id: member.id, event: 'staff-message', cause: 'mark-message', facts: JSON.stringify({ text: 'mark-message' }) }
  await db
    .insertInto('notice')
    .values({ ...message, created_at: now, in_inbox: false, awaits_mail: false, read_at: now })
    .execute()
  return member
}

const url = instance.database.url ?? ''

describe('erasure of a closed account', () => {
  let member: Person
  let referral: Person
  let upline: { id: bigint }
  const backup = path.join(folder, 'platform.dump')
  const login = (email: string, password = TEST_PASSWORD) => own.call('POST', '/auth/login', { body: { email, password } })
  beforeAll(async () => {
    member = await plant()
    upline = maker
    referral = await instance.person({ sponsorId: member.id })
    await job(accessJournalJob)
    execFileSync('pg_dump', ['--format=custom', `--file=${backup}`, direct(url)])
  })

  it('has all personal texts in the archive and the database before', async () => {
    expect(marksIn(await archiveOf(member), ARCHIVED)).toEqual(ARCHIVED)
    expect(marksIn(dump(url))).toEqual(MARKS)
    expect(await wrong()).toEqual([])
  })

  it('erases them from the database a day after the closing, and keeps the audit intact', async () => {
    const { token } = await own.signIn(member.id)
    const closing = await own.call('POST', '/profile/closing', { token, body: { password: TEST_PASSWORD } })
    expect([closing.status, closing.body.message]).toEqual([200, expect.any(String)])
    clock.advance(30 * DAY_MS)
    await job(closeAccountsJob(closingObstacles))
    await job(eraseAccountsJob)
    expect(await rowOf(member)).toMatchObject({ name: 'Zorblatt Quimby', erased_at: null })
    clock.advance(DAY_MS)
    await Promise.all([job(eraseAccountsJob), job(eraseAccountsJob), job(retentionJob(retentions))])
    await job(eraseAccountsJob)
    expect(await rowOf(member)).toMatchObject({ name: 'Closed account', email: `erased-${member.id}@invalid`, erased_at: clock.now() })
    expect(marksIn(dump(url))).toEqual([])
    expect(await wrong()).toEqual([])
    expect((await instance.audits(member.publicId)).filter(({ action }) => action === 'auth.account-erased')).toHaveLength(1)
    await job(accessJournalJob)
  })

  it('keeps who did what: rows, actors, outcomes, and the addresses of staff', async () => {
    const rows = await db.selectFrom('audit_event').selectAll().where('action', '=', 'staff.request.reject').execute()
    expect(rows).toMatchObject([{ actor_id: checker.id, outcome: 'ok', reason: null, ip: '127.0.0.1', subject_type: 'withdrawals' }])
  })

  it('accepts no sign-in, cannot be opened again, and its address registers anew', async () => {
    for (const email of [member.email, `erased-${member.id}@invalid`]) expect((await login(email)).status).toBe(400)
    expect((await login(`erased-${member.id}@invalid`, '')).status).toBe(400)
    const unblock = { status: true, reason: 'asked by phone' }
    const reply = await instance.post(`/staff/members/${member.publicId}/status`, await again(instance.third), unblock)
    expect(reply.body.message).toBe('The personal data of this account is erased, so it stays closed')
    const person = { name: 'New Person', email: member.email, phone: '+12025550100', password: 'violet-harbour-93' }
    expect((await own.call('POST', '/limit/auth/register', { body: person })).status).toBe(200)
    expect(await rowOf(member)).toMatchObject({ is_active: false, name: 'Closed account' })
  })

  it('shows staff when it was erased, and keeps the team and the linked accounts', async () => {
    const { flags, member: shown } = (await instance.get(`/staff/members/${member.publicId}`, await again(support))).body.data
    expect(shown?.name ?? 'Closed account').toBe('Closed account')
    expect(flags).toContainEqual({ code: 'CLOSED', text: 'Closed account, erased on 2026-04-02' })
    expect(await rowOf(referral)).toMatchObject({ sponsor_id: member.id })
    expect(await hasConflictOfInterest(db, upline.id, [member.id])).toBe(true)
  })

  it('repeats the erasure after the restore of an older backup', async () => {
    const after = await emptyDatabase()
    const started = startEntry('restore', { ...PRODUCTION, DATABASE_URL: direct(after.url ?? ''), DATA_DIR: folder }, backup)
    await started.ended
    expect(started.output).toContain('The worker erases 1 accounts again')
    expect(await rowOf(member, after.db)).toMatchObject({ name: 'Zorblatt Quimby', is_active: false, erased_at: null })
    const restored = await testApp(after.db, {
      env,
      routes: () => undefined,
      clock: testClock(new Date(Date.now() + DAY_MS).toISOString()),
    })
    await runJob(after.db, restored.deps, retentionJob(retentions), 'test')
    await runJob(after.db, restored.deps, eraseAccountsJob, 'test')
    expect(await rowOf(member, after.db)).toMatchObject({ name: 'Closed account' })
    expect(marksIn(dump(after.url ?? ''))).toEqual([])
    expect(await wrong(after.db)).toEqual([])
  })
})

describe('obstacles to an erasure', () => {
  const openCase = async (who: Person) =>
    instance.post(`/staff/members/${who.publicId}/case`, await again(maker), { title: 'Links', dueDays: 7, reason: 'x' })
  const link = (who: Person, verdict: object) =>
    db
      .insertInto('linked_account')
      .values({
        member_id: who.id,
        upline_id: instance.member.id,
        level: 1,
        same_address: true,
        same_device: false,
        same_payout_address: false,
        first_seen_at: clock.now(),
        last_seen_at: clock.now(),
        ...verdict,
      })
      .execute()
  it.each<[string, (who: Person) => Promise<unknown>, (who: Person) => Promise<unknown>]>([
    [
      'a linked account that nobody reviewed',
      (who) => link(who, {}),
      (who) =>
        db
          .updateTable('linked_account')
          .set({ verdict: 'harmless', reviewed_by: maker.id, reviewed_at: clock.now(), review_reason: 'a family' })
          .where('member_id', '=', who.id)
          .execute(),
    ],
    [
      'an open case about the account',
      openCase,
      async (who) => {
        const { public_id: id } = await db
          .selectFrom('staff_case')
          .select('public_id')
          .where('member_id', '=', who.id)
          .executeTakeFirstOrThrow()
        const closing = { outcome: 'cleared', reason: 'a family' }
        const { proposalId } = (await instance.post(`/staff/cases/${id}/close`, await again(checker), closing)).body.data
        return instance.post(`/staff/changes/${proposalId}/approve`, await again(maker), {})
      },
    ],
    [
      'a match with a screening list that nobody cleared',
      (who) => insertMatch(who, null),
      (who) =>
        db.updateTable('screening_hit').set({ verdict: 'different', decided_at: clock.now() }).where('member_id', '=', who.id).execute(),
    ],
    [
      'an open incident about the account',
      (who) =>
        db
          .insertInto('staff_incident')
          .values({ public_id: who.publicId, name: 'test', level: 'amber', text: `${who.email} did it`, since: clock.now() })
          .execute(),
      (who) => db.updateTable('staff_incident').set({ ended_at: clock.now() }).where('public_id', '=', who.publicId).execute(),
    ],
    [
      'an open proposal about the account',
      async (who) => instance.post(`/staff/members/${who.publicId}/status`, await again(maker), { status: true, reason: 'open' }),
      async () => {
        const { public_id: id } = await db
          .selectFrom('staff_proposal')
          .select('public_id')
          .where('status', '=', 'PENDING')
          .executeTakeFirstOrThrow()
        return instance.post(`/staff/changes/${id}/reject`, await again(checker), { reason: 'no' })
      },
    ],
    [
      'money that arrived after the closing',
      (who) => fund(db, who.id, 'depositWallet', 5n),
      (who) =>
        post(db, {
          kind: 'testFunds',
          cause: { type: 'test', id: who.publicId },
          at: clock.now(),
          transfers: [{ from: { owner: who.id, kind: 'depositWallet' }, to: { system: 'SYS-OPERATOR', asset: 'USD' }, amount: 5n }],
        }),
    ],
  ])('postpones it by a day for %s', async (_, add, settle) => {
    const who = await instance.person()
    await db.updateTable('member').set({ is_active: false, closes_at: clock.now() }).where('id', '=', who.id).execute()
    await job(closeAccountsJob(closingObstacles))
    await add(who)
    clock.advance(DAY_MS)
    await job(eraseAccountsJob)
    expect(await rowOf(who)).toMatchObject({ email: who.email, erased_at: null, erases_at: new Date(clock.now().getTime() + DAY_MS) })
    await settle(who)
    clock.advance(DAY_MS)
    await job(eraseAccountsJob)
    expect(await rowOf(who)).toMatchObject({ name: 'Closed account', erased_at: clock.now() })
    expect(dump(url)).not.toContain(who.email)
    // The audit entry of the erasure names the closed cases.
    const { detail } = await db
      .selectFrom('audit_event')
      .select('detail')
      .where('action', '=', 'auth.account-erased')
      .where('subject_id', '=', who.publicId)
      .executeTakeFirstOrThrow()
    const cases = [{ case: expect.any(String), outcome: 'cleared', closedBy: checker.publicId }]
    expect(detail).toEqual(add === openCase ? { cases } : {})
  })

  it('never erases a person who acted as staff', async () => {
    const who = await instance.person({ role: 'SUPPORT' })
    await instance.get(`/staff/members/${instance.member.publicId}`, who)
    await db.updateTable('member').set({ role: 'MEMBER' }).where('id', '=', who.id).execute()
    await closeAndErase(who)
    expect(await rowOf(who)).toMatchObject({ email: who.email, erased_at: null, closed_at: expect.any(Date) })
  })

  it('ends with the closing when staff open the account again', async () => {
    const who = await instance.person()
    await db.updateTable('member').set({ is_active: false, closes_at: clock.now() }).where('id', '=', who.id).execute()
    await job(closeAccountsJob(closingObstacles))
    const input = { status: true, reason: 'a mistake' }
    const { proposalId } = (await instance.post(`/staff/members/${who.publicId}/status`, await again(maker), input)).body.data
    expect((await instance.post(`/staff/changes/${proposalId}/approve`, await again(checker))).status).toBe(200)
    clock.advance(DAY_MS)
    await job(eraseAccountsJob)
    expect(await rowOf(who)).toMatchObject({ email: who.email, is_active: true, erases_at: null, erased_at: null })
  })
})

describe('erased values of the audit log', () => {
  const owner = (text: string) => sql.raw(text).execute(db)
  const row = `id = (select max(id) from audit_event where reason is not null)`
  it.each([
    ['another value', `update audit_event set reason = 'other' where ${row}`],
    ['a digest of another value', `update audit_event set reason = null, reason_salt = sha256('other') where ${row}`],
    ['a new salt', `update audit_event set reason_salt = uuid_send(gen_random_uuid()) where ${row}`],
    ['another actor', `update audit_event set actor_id = 1 where ${row}`],
  ])('[I17] rejects %s', async (_, text) => {
    await expect(owner(text)).rejects.toThrow('append-only')
  })

  it('[I17] reports a value that was erased without the erasure of an account', async () => {
    await owner(`update audit_event set reason_salt = audit_digest(reason_salt, reason), reason = null
      where id = (select max(id) from audit_event where reason is not null and actor_role = 'ADMIN' and subject_type = 'member'
        and subject_id in (select public_id from member where erased_at is null))`)
    expect((await wrong()).map(({ check, broken }) => [check.title, broken])).toEqual([
      ['each erased value of the audit log is by or about an account whose personal data is erased', 1],
    ])
  })
})

it('changes no proposal or incident about another person, whose address contains the erased one', async () => {
  const kim = await instance.person({ name: 'Kim Fraud', email: 'kim@gmail.com' })
  const other = await instance.person()
  const recovery = { secondFactor: false, email: 'tokim@gmail.com', reason: 'about the other' }
  const asked = await instance.post(`/staff/members/${other.publicId}/recovery`, await again(maker), recovery)
  const id = String(asked.body.data.proposalId)
  expect((await instance.post(`/staff/changes/${id}/reject`, await again(checker), { reason: 'not in person' })).status).toBe(200)
  const incident = { level: 'amber', since: clock.now(), ended_at: clock.now() } as const
  const texts = ['tokim@gmail.com and Kim Fraud', 'kim@gmail.com (Kim Fraud)', `${kim.publicId}, Kim Fraud`]
  for (const [index, text] of texts.entries())
    await db
      .insertInto('staff_incident')
      .values({ ...incident, public_id: `kim-${index}`, name: `kim-${index}`, text })
      .execute()
  const proposal = () => db.selectFrom('staff_proposal').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
  const before = await proposal()
  await closeAndErase(kim)
  expect((await rowOf(kim)).name).toBe('Closed account')
  expect(await proposal()).toEqual(before)
  const left = await db.selectFrom('staff_incident').select('text').where('name', 'like', 'kim-%').orderBy('name').execute()
  expect(left.map(({ text }) => text)).toEqual([texts[0], 'Closed account (Closed account)', `${kim.publicId}, Closed account`])
})
