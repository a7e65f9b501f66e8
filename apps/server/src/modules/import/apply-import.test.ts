import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from 'bcryptjs'
import { writeCsv } from '@tizara/contract/csv'
import { formatUnits } from '@tizara/money'
import { sql } from 'kysely'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { checksOfTests } from '../../../test/audited-instance.ts'
import { type OldMember, oldPlatform, writeImport } from '../../../test/import-files.ts'
import { createTestMember } from '../../../test/members.ts'
import { instance, lift, openStaffApp, reason } from '../../../test/staff-calls.ts'
import { runJob } from '../../jobs/job.ts'
import { underLease } from '../../jobs/lease.ts'
import { balanceSheetOf, balancesOf, ledgerChecks, newMoneyIn, runAudit, stopLedger, systemBalances } from '../../ledger/index.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { authJobs } from '../auth/index.ts'
import { memberByEmail } from '../members/index.ts'
import { walletRoutes } from '../wallets/index.ts'
import { importHistories } from './history.ts'
import { importRoutes } from './import.routes.ts'
import { importTransfers } from './import.transfers.ts'
import { importReportJob, readReport } from './import-report.ts'
import { exportError, exportKeyOf } from '../staff/audit-log/signed-export.ts'
import { importReport } from '../../main/import-report.ts'
import { importMailJob } from './import-mails.ts'
import { importJobs } from './import.jobs.ts'
import { applyImport, approveImport, readImport, startImport } from './apply-import.ts'
import { importProgress, readProgress } from './import-progress.ts'
import { stageImport } from './stage-import.ts'

await openStaffApp()
const { db, deps, clock } = instance.at
/** The embedded database has one session: there, no second transaction runs while one is open. */
const isEmbedded = inject('testDatabase').kind === 'embedded'
const root = mkdtempSync(path.join(tmpdir(), 'import-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Writes and stores the files of a platform. Throws on faults, so that the transaction rolls back. */
function stage(members: readonly OldMember[], off = 0n): Promise<string> {
  const folder = mkdtempSync(path.join(root, 'files-'))
  writeImport(folder, members, off)
  return inTransaction(db, async (tx) => {
    const { faults, hash } = await stageImport(tx, deps, folder)
    if (faults.count > 0) throw new Error(faults.listed.map(({ message }) => message).join('; '))
    return hash
  })
}
const OLD_HASH = `$2b$10$${'a'.repeat(53)}`
const STRANGER = { name: 'Stranger', phone: '+2348031234567', password: 'violet-harbour-93' }
const register = (email: string) => instance.at.call('POST', '/limit/auth/register', { body: { ...STRANGER, email } })
const propose = (hash: string) => instance.post('/staff/changes', instance.maker, { subject: 'import', value: { hash }, reason })
const approve = (id: string, who = instance.checker) => instance.post(`/staff/changes/${id}/approve`, who)
const runImport = async () => {
  for (const job of importJobs) await runJob(db, deps, job, 'test')
}
async function bringIn(members: readonly OldMember[]): Promise<string> {
  const hash = await stage(members)
  const { body } = await propose(hash)
  expect((await approve(body.data.id)).status).toBe(200)
  await runImport()
  return hash
}
const memberCount = async () => Number((await db.selectFrom('member').select(db.fn.countAll().as('count')).executeTakeFirstOrThrow()).count)
const differences = async () => (await runAudit(db, [...ledgerChecks, ...checksOfTests])).filter(({ broken }) => broken > 0)

describe('import', () => {
  it('[RW-01] adds members and balances after a second admin approves, and the audit finds no difference', async () => {
    const old = oldPlatform(7, 300, 'first')
    const hash = await stage(old)
    const [before, sheet] = [await memberCount(), balanceSheetOf(await systemBalances(db))]
    const { body } = await propose(hash)
    const id: string = body.data.id
    expect((await approve(id, instance.maker)).status).toBe(400)
    await runImport()
    expect(await memberCount()).toBe(before)
    expect((await approve(id)).status).toBe(200)
    await runImport()
    expect(await readImport(db, hash)).toMatchObject({ status: 'DONE', members: 300 })
    expect(await memberCount()).toBe(before + 300)
    for (const { email, code, sponsor, verified, active, balances } of old) {
      const member = await memberByEmail(db, email)
      if (member === undefined) throw new Error(`${email} is missing`)
      const above = sponsor === '' ? null : ((await memberByEmail(db, `${sponsor}@gmail.com`))?.id ?? -1n)
      expect(member).toMatchObject({ referral_code: code, sponsor_id: above, is_verified: verified, is_active: active })
      expect(member.created_at).toEqual(new Date('2021-03-04T05:06:07Z'))
      const empty = { depositWallet: 0n, nativeWallet: 0n, icoWallet: 0n, newIcoWallet: 0n, stakeWallet: 0n, nftWallet: 0n, rcmWallet: 0n }
      expect(await balancesOf(db, member.id)).toEqual({ ...empty, ...balances })
      expect(await newMoneyIn(db, member.id)).toBe(0n)
    }
    expect(await memberByEmail(db, 'first0@gmail.com')).toMatchObject({ rank: 'gold', rank_by_staff: true, is_special_rcm: true })
    const usd = old.reduce((total, { balances: held }) => total + (held.depositWallet ?? 0n) + (held.nftWallet ?? 0n), 0n)
    const after = balanceSheetOf(await systemBalances(db))
    expect([after.reserves, after.members - sheet.members, sheet.free - after.free]).toEqual([sheet.reserves, usd, usd])
    expect(await differences()).toEqual([])
    expect(await db.selectFrom('import_member').select('member_id').execute()).toEqual([])
    expect(await db.selectFrom('mail_outbox').select('id').where('recipient', 'like', 'first%').execute()).toEqual([])
  })

  it('signs members in with their old bcrypt or Argon2 password, renews the hash, and keeps referral links', async () => {
    const old = oldPlatform(8, 3, 'second')
    const hashes = [await bcrypt('old password 1', 4), await argon2('old password 2', { memoryCost: 64, timeCost: 1, parallelism: 1 }), '']
    await bringIn(old.map((member, index) => ({ ...member, verified: true, active: true, hash: hashes[index] ?? '' })))
    const login = (index: number, password: string) =>
      instance.at.call('POST', '/auth/login', { body: { email: `second${index}@gmail.com`, password } })
    for (const index of [0, 1]) {
      expect((await login(index, 'another password')).status).not.toBe(200)
      const { status, body } = await login(index, `old password ${index + 1}`)
      expect([status, body.data?.user.isVerified]).toEqual([200, true])
      expect((await memberByEmail(db, `second${index}@gmail.com`))?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456/)
      expect((await login(index, `old password ${index + 1}`)).status).toBe(200)
    }
    expect((await login(2, '')).status).not.toBe(200)
    expect((await memberByEmail(db, 'second2@gmail.com'))?.password_hash).toMatch(/^\$argon2id\$/)
    const person = { name: 'New', email: 'third@gmail.com', phone: '+2348031234567', password: 'a long new password' }
    await instance.at.call('POST', '/limit/auth/register', { body: { ...person, referralCode: 'secondcode0' } })
    expect((await memberByEmail(db, 'third@gmail.com'))?.sponsor_id).toBe((await memberByEmail(db, 'second0@gmail.com'))?.id)
  })

  it('imports the same files once', async () => {
    const old = oldPlatform(9, 20, 'fourth')
    const hash = await bringIn(old)
    const members = await memberCount()
    await runImport()
    await expect(stage(old)).rejects.toThrow('approved already')
    await expect(stage(old.slice(0, 19))).rejects.toThrow('A member of this platform has it already')
    expect((await propose(hash)).status).toBe(404)
    expect(await memberCount()).toBe(members)
    expect(await readImport(db, hash)).toMatchObject({ status: 'DONE' })
  })

  it('stores nothing if a sum differs by one unit, for random platforms', async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const old = oldPlatform(seed, 1 + seed * 7, `p${seed}x`)
      await expect(stage(old, seed % 2 === 0 ? 1n : -1n)).rejects.toThrow(/The old platform counted/)
    }
    expect(await db.selectFrom('import_member').select('member_id').execute()).toEqual([])
  })

  it('refuses a second proposal of the same files until the first is decided, also when two people propose at the same time', async () => {
    const hash = await stage(oldPlatform(19, 5, 'pending'))
    const pending = { path: 'value', message: 'The same proposal is pending already, decide it first' }
    const proposeAs = (who: typeof instance.maker, why: string) =>
      instance.post('/staff/changes', who, { subject: 'import', value: { hash }, reason: why })
    const both = await Promise.all([proposeAs(instance.maker, 'first'), proposeAs(instance.checker, 'second')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(both.find(({ status }) => status === 400)?.body.errorMessages).toEqual([pending])
    const id: string = both.find(({ status }) => status === 200)?.body.data.id
    expect((await proposeAs(instance.maker, 'third')).status).toBe(400)
    expect((await instance.post(`/staff/changes/${id}/reject`, instance.checker, { reason })).status).toBe(200)
    const again = await proposeAs(instance.maker, 'fourth')
    expect([again.status, (await approve(again.body.data.id)).status]).toEqual([200, 200])
    await runImport()
    expect(await readImport(db, hash)).toMatchObject({ status: 'DONE' })
  })

  it('rejects the proposal and its approval after other files replaced the stored ones', async () => {
    const first = await stage(oldPlatform(20, 5, 'fifth'))
    const { body } = await propose(first)
    const second = await stage(oldPlatform(21, 5, 'fifth'))
    expect((await approve(body.data.id)).status).toBe(404)
    expect((await propose(first)).status).toBe(404)
    expect((await propose(second)).status).toBe(200)
    await runImport()
    expect(await memberByEmail(db, 'fifth0@gmail.com')).toBeUndefined()
  })

  it('[RW-01] gives members their addresses back when strangers registered them before the check, the approval or the import', async () => {
    const old = oldPlatform(30, 5, 'sixth').map((member) => ({ ...member, verified: true, active: true, hash: OLD_HASH }))
    const first = await register('SIXTH0@Gmail.com')
    const hash = await stage(old)
    const second = await register(' sixth1@gmail.com ')
    const { body } = await propose(hash)
    await approve(body.data.id)
    const third = await register('sixth2@gmail.com')
    // A registration that is not committed when the import reads the accounts.
    const held = isEmbedded ? undefined : Promise.withResolvers<void>()
    const fourth = inTransaction(db, async (tx) => {
      await createTestMember(tx, { email: 'sixth3@gmail.com', verified: false })
      await held?.promise
    })
    const run = runImport()
    const waiting = () => sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
    if (held !== undefined) await expect.poll(async () => (await waiting()).rows.length).toBe(1)
    held?.resolve()
    await Promise.all([fourth, run])
    expect(await readImport(db, hash)).toMatchObject({ status: 'DONE', withoutAddress: [] })
    for (const { email, code, balances } of old) {
      const member = await memberByEmail(db, email)
      expect(member).toMatchObject({ referral_code: code, password_hash: OLD_HASH, is_verified: true })
      expect(await balancesOf(db, member?.id ?? 0n)).toMatchObject(balances)
    }
    const released = db.selectFrom('member').select('id').where('email', 'like', 'released-%@invalid')
    expect((await released.execute()).length).toBe(4)
    for (const [index, { status, body: session }] of [first, second, third].entries()) {
      expect([index, status]).toEqual([index, 200])
      expect((await instance.at.call('GET', '/auth/sessions', { token: session.data.token })).status).toBe(401)
      const credentials = { email: `sixth${index}@gmail.com`, password: STRANGER.password }
      expect((await instance.at.call('POST', '/auth/login', { body: credentials })).status).toBe(400)
    }
    expect(await differences()).toEqual([])
  })

  it('adds a member without the address when an account has proved it, names the member, and gives the account nothing', async () => {
    const hashed = await bcrypt('proved old password', 4)
    const old = oldPlatform(31, 5, 'proved').map((member) => ({ ...member, active: true, hash: hashed }))
    await createTestMember(db, { email: 'proved3@gmail.com' })
    const hash = await stage(old)
    const { body } = await propose(hash)
    const { body: shown } = await instance.get(`/staff/changes/${body.data.id}`, instance.checker)
    expect(JSON.stringify(shown)).toContain('Added without an email address, because an account here already has it')
    await approve(body.data.id)
    await createTestMember(db, { email: 'proved4@gmail.com' })
    await runImport()
    const known = await sql<{ id: bigint; public_id: string; email: string; referral_code: string }>`
      select id, public_id, email, referral_code from member where email like 'proved%@invalid' order by id`.execute(db)
    expect(known.rows.map(({ referral_code }) => referral_code)).toEqual(['PROVEDCODE3', 'PROVEDCODE4'])
    for (const [index, { id, email }] of known.rows.entries()) {
      expect(email).toBe(`proved${index + 3}=gmail.com.${id}@invalid`)
      expect(await balancesOf(db, id)).toMatchObject(old[index + 3]?.balances ?? {})
      // The old password opens nothing, because no mail would tell the member.
      const login = await instance.at.call('POST', '/auth/login', { body: { email, password: 'proved old password' } })
      expect(login.status).toBe(400)
      const owner = await memberByEmail(db, `proved${index + 3}@gmail.com`)
      expect(Object.values(await balancesOf(db, owner?.id ?? 0n)).every((units) => units === 0n)).toBe(true)
    }
    expect(await readImport(db, hash)).toMatchObject({ status: 'DONE', withoutAddress: known.rows.map(({ public_id }) => public_id) })
    while ((await runJob(db, deps, importReportJob(importReport), 'test')) === 1);
    const report = await readReport(db, hash)
    // An id that begins with a dash is written as text, not as a formula.
    for (const { public_id } of known.rows) expect(report).toContain(writeCsv([['Member without their address', public_id]]))
    const { body: list } = await instance.get('/staff/imports', instance.checker)
    expect(list.data.imports[0]).toMatchObject({ hash, withoutAddress: 2, mails: { waiting: 3 } })
    expect(await differences()).toEqual([])
  })

  it('keeps an imported account without a proved address when a stranger registers the address, also after a link expired', async () => {
    const [member] = oldPlatform(32, 1, 'unproved')
    if (member === undefined) throw new Error('the platform has no members')
    const hash = await bcrypt('kept old password', 4)
    await bringIn([{ ...member, verified: false, active: true, hash, balances: { depositWallet: 5n } }])
    const email = 'unproved0@gmail.com'
    expect((await register(email)).status).toBe(400)
    // The sign-in can mail a code and a link, which expires.
    const session = await instance.at.call('POST', '/auth/login', { body: { email, password: 'kept old password' } })
    expect([session.status, session.body.data?.user.isVerified]).toEqual([200, false])
    const { token } = session.body.data
    expect((await instance.at.call('POST', '/limit/auth/resend-otp', { token })).status).toBe(200)
    const holder = await memberByEmail(db, email)
    const links = await db
      .updateTable('mail_link')
      .set({ expires_at: clock.now() })
      .where('member_id', '=', holder?.id ?? 0n)
      .execute()
    expect(links[0]?.numUpdatedRows).toBe(1n)
    expect((await register(email)).status).toBe(400)
    expect(await balancesOf(db, holder?.id ?? 0n)).toMatchObject({ depositWallet: 5n })
    expect(await db.selectFrom('registration_attempt').select('id').where('email', '=', email).execute()).toEqual([])
    await instance.at.call('POST', '/auth/forgot-password', { body: { email } })
    for (const job of authJobs) await runJob(db, deps, job, 'test')
    const mails = db.selectFrom('mail_outbox').select('template').where('recipient', '=', email).orderBy('id', 'desc').limit(1)
    expect(await mails.execute()).toEqual([{ template: 'reset' }])
  })

  it('refuses to store files while other files are being stored', async () => {
    const folder = mkdtempSync(path.join(root, 'twice-'))
    writeImport(folder, oldPlatform(33, 5, 'twice'))
    const hash = await inTransaction(db, async (tx) => {
      const staged = await stageImport(tx, deps, folder)
      const second = () => inTransaction(db, (other) => stageImport(other, deps, folder))
      if (!isEmbedded) await expect(second()).rejects.toThrow(/^Someone is proposing other files/)
      return staged.hash
    })
    const stored = await db.selectFrom('import_batch').select('hash').where('status', '=', 'STAGED').execute()
    expect(stored).toEqual([{ hash }])
  })

  it('is refused if a member of this platform has a referral code, and leaves the next import alone', async () => {
    const refused = await stage(oldPlatform(34, 3, 'coded'))
    await approve((await propose(refused)).body.data.id)
    const next = await stage(oldPlatform(35, 3, 'next'))
    await approve((await propose(next)).body.data.id)
    await db.updateTable('member').set({ referral_code: 'CODEDCODE1' }).where('id', '=', instance.member.id).execute()
    await runImport()
    expect(await readImport(db, refused)).toMatchObject({
      status: 'REFUSED',
      refusal: '1 referral codes belong to members of this platform',
    })
    expect(await readImport(db, next)).toMatchObject({ status: 'APPROVED' })
    await runImport()
    expect(await readImport(db, next)).toMatchObject({ status: 'DONE' })
    expect(await memberByEmail(db, 'coded0@gmail.com')).toBeUndefined()
    expect(await differences()).toEqual([])
  })

  it('waits during an emergency pause', async () => {
    const hash = await stage(oldPlatform(40, 5, 'seventh'))
    const { body } = await propose(hash)
    await approve(body.data.id)
    await inTransaction(db, (tx) => stopLedger(tx, clock.now(), 'test'))
    await runImport()
    expect(await readImport(db, hash)).toMatchObject({ status: 'APPROVED' })
    await lift()
    await runImport()
    expect(await readImport(db, hash)).toMatchObject({ status: 'DONE' })
  })

  it('shows each member only their own earlier movements, newest first', async () => {
    const rows = Array.from({ length: 3 }, (_, index) => ({
      happenedAt: `2020-01-0${index < 2 ? 5 : 4}T00:00:00Z`,
      title: `Bonus ${index}`,
      direction: index === 0 ? ('out' as const) : ('in' as const),
      unit: 'usd' as const,
      amount: BigInt(index + 1),
      reference: index === 0 ? 'TX-0' : '',
    }))
    const old = oldPlatform(60, 2, 'ninth').map((member) => ({ ...member, active: true, balances: {}, history: rows }))
    const hash = await bringIn(old)
    const [own, other] = await Promise.all([0, 1].map(async (index) => (await memberByEmail(db, `ninth${index}@gmail.com`))?.id ?? 0n))
    if (own === undefined || other === undefined) throw new Error('no members')
    const reader = await testApp(db, {
      clock,
      routes: (bind) => {
        importRoutes(bind)
        walletRoutes(bind, { histories: importHistories, transfers: importTransfers } as never)
      },
    })
    const { token } = await reader.signIn(own)
    const get = async (url: string) => (await reader.call('GET', url, { token })).body
    const first = (await get('/movements/earlier?limit=2')).data
    expect(first.data).toMatchObject([
      { title: 'Bonus 1', direction: 'in' },
      { title: 'Bonus 0', direction: 'out' },
    ])
    const second = (await get(`/movements/earlier?limit=2&before=${first.next}`)).data
    expect(second).toMatchObject({ data: [{ title: 'Bonus 2', asset: 'usd', amount: 0.00000003 }] })
    expect(second.next).toBeUndefined()
    const { kind, id } = first.data[1].receipt
    expect((await get(`/receipts/${kind}/${id}`)).data).toMatchObject({
      title: 'Before the move',
      lines: [
        { label: 'Movement', value: 'Bonus 0' },
        { label: 'Reference', value: 'TX-0' },
      ],
    })
    expect((await get('/movements')).data).toMatchObject({ rows: [] })
    // The rows of another member answer like rows that do not exist.
    const { token: stranger } = await reader.signIn(other)
    expect((await reader.call('GET', `/receipts/${kind}/${id}`, { token: stranger })).status).toBe(404)
    const stolen = (await reader.call('GET', `/movements/earlier?before=${id}`, { token: stranger })).body.data
    expect(stolen).toMatchObject({ data: [] })
    expect(await readImport(db, hash)).toMatchObject({ status: 'DONE', usd: 0n, coin: 0n })
    expect(await differences()).toEqual([])
  })

  it('reports the hash, the sums and the root of the balances once, signed like an export of the audit log', async () => {
    const hash = await bringIn(oldPlatform(70, 40, 'tenth'))
    await expect(readReport(db, hash)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const job = importReportJob(importReport)
    // The first runs write the reports of the earlier imports.
    while ((await runJob(db, deps, job, 'test')) === 1);
    const report = await readReport(db, hash)
    const { usd, coin } = await readImport(db, hash)
    for (const row of [hash, `Members,40`, `Owed USD,${formatUnits(usd)}`, `Owed coin,${formatUnits(coin)}`]) expect(report).toContain(row)
    const key = exportKeyOf(deps.config.dataKey)
    expect(exportError(report, key)).toBeUndefined()
    expect(exportError(report.replace('Members,40', 'Members,41'), key)).toBe('a line was changed, added or removed')
    expect(await runJob(db, deps, job, 'test')).toBe(0)
  })

  it('is refused if the added rows differ from the control sums, and names the sum', async () => {
    await sql`create function test_fault() returns trigger language plpgsql as $$ begin new.rank := null; return new; end $$`.execute(db)
    await sql`create trigger test_fault before insert on member for each row execute function test_fault()`.execute(db)
    const hash = await bringIn(oldPlatform(80, 5, 'eleventh'))
    await sql`drop function test_fault cascade`.execute(db)
    const refusal = 'The added rows differ from the control sums: ranked 0 instead of 1'
    expect(await readImport(db, hash)).toMatchObject({ status: 'REFUSED', refusal })
    expect(await memberByEmail(db, 'eleventh0@gmail.com')).toBeUndefined()
    expect(await db.selectFrom('import_member').select('member_id').execute()).toEqual([])
    expect(await differences()).toEqual([])
  })

  it('counts its work for other transactions, and starts again after a failure', async () => {
    const hash = await stage(oldPlatform(90, 2_500, 'twelfth'))
    await inTransaction(db, (tx) => approveImport(tx, deps, hash))
    expect(await readProgress(db, hash)).toMatchObject({ stage: 'verify', done: 0, isRunning: false })
    const { id, balances } = await db
      .selectFrom('import_batch')
      .select(['id', 'balances'])
      .where('hash', '=', hash)
      .executeTakeFirstOrThrow()
    const seen: unknown[] = []
    const job = { name: 'import', everySeconds: 10 }
    await runJob(db, deps, { ...job, run: (lease) => lease.inTransaction(startImport).then(Number) }, 'test')
    await underLease(db, { name: 'import', holder: 'test', clock }, async () => {
      // A sequence keeps its value when the transaction is rolled back, as when its process is killed.
      const attempt = inTransaction(db, async (tx) => {
        await applyImport(tx, deps, id)
        throw new Error('killed')
      })
      await expect(attempt).rejects.toThrow('killed')
      seen.push(await readProgress(db, hash))
      await inTransaction(db, startImport)
      seen.push(await readProgress(db, hash))
      await inTransaction(db, (tx) => importProgress(tx).step())
      seen.push(await readProgress(db, hash))
      return 1
    })
    const total = 2_500 + balances
    expect(seen).toMatchObject([
      { stage: 'compare', done: total, total, isRunning: true },
      { stage: 'verify', done: 0, total },
      { stage: 'members', done: 0, total },
    ])
    await runImport()
    expect(await readImport(db, hash)).toMatchObject({ status: 'DONE', attempts: 3 })
  })

  it('mails each active member once, only after an admin starts it, and never above the ceiling', async () => {
    const old = oldPlatform(95, 9, 'mailed').map((member, index) => ({ ...member, active: index !== 3, hash: index === 1 ? OLD_HASH : '' }))
    const hash = await bringIn(old)
    const sent = async () =>
      (await db.selectFrom('mail_outbox').select('recipient').where('recipient', 'like', 'mailed%').orderBy('id').execute()).map(
        ({ recipient }) => recipient.replace('@gmail.com', ''),
      )
    const tick = async () => {
      clock.advance(60_000)
      await runJob(db, deps, importMailJob, 'test')
    }
    await tick()
    expect(await sent()).toEqual([])
    const mails = (perHour: number, who = instance.checker) => instance.post(`/staff/imports/${hash}/mails`, who, { perHour, reason })
    expect((await mails(120, instance.member)).status).toBe(404)
    for (const wrong of [59, 60_001, 120.5, -60]) expect([wrong, (await mails(wrong)).status]).toEqual([wrong, 400])
    expect((await instance.post(`/staff/imports/${'d'.repeat(64)}/mails`, instance.checker, { perHour: 120, reason })).status).toBe(404)
    expect((await mails(120)).status).toBe(200)
    await runJob(db, deps, importMailJob, 'test')
    await runJob(db, deps, importMailJob, 'test')
    expect(await sent()).toEqual(['mailed0', 'mailed1'])
    clock.advance(59_000)
    await runJob(db, deps, importMailJob, 'test')
    expect((await sent()).length).toBe(2)
    // A member whom staff blocked since the import gets none.
    await db.updateTable('member').set({ is_active: false }).where('email', '=', 'mailed4@gmail.com').execute()
    await tick()
    expect(await sent()).toEqual(['mailed0', 'mailed1', 'mailed2'])
    expect((await mails(0)).status).toBe(200)
    await tick()
    expect((await sent()).length).toBe(3)
    await mails(60_000)
    await tick()
    await tick()
    expect(await sent()).toEqual([0, 1, 2, 5, 6, 7, 8].map((index) => `mailed${index}`))
    const { body } = await instance.get('/staff/imports', instance.checker)
    const [row] = body.data.imports
    expect(row).toMatchObject({ hash, status: 'DONE', raised: { coin: 0, usd: 0 }, mails: { waiting: 0, sent: 7 } })
    expect(row.totals).toContainEqual({ key: 'members', expected: '9', imported: '9' })
    expect(row.totals.filter((total: { expected: string; imported: string }) => total.expected !== total.imported)).toEqual([])
  })

  it('leaves nothing if it fails after the members and some balances, and succeeds later', async () => {
    const hash = await stage(oldPlatform(50, 30, 'eighth'))
    const { body } = await propose(hash)
    await approve(body.data.id)
    const members = await memberCount()
    // The last wallet fails.
    await sql`alter table ledger_account add constraint test_fault check (kind <> 'rcmWallet' or balance < 1)
      not valid`.execute(db)
    await expect(runImport()).rejects.toThrow(/test_fault/)
    await sql`alter table ledger_account drop constraint test_fault`.execute(db)
    expect(await memberCount()).toBe(members)
    expect(await readImport(db, hash)).toMatchObject({ status: 'APPROVED' })
    await runImport()
    expect(await memberCount()).toBe(members + 30)
    expect(await differences()).toEqual([])
  })
})
