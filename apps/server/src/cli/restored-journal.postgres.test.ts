import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp } from '../../test/app.ts'
import { direct, emptyDatabase, testDatabase } from '../../test/database.ts'
import { startEntry } from '../../test/entry.ts'
import { createTestMember } from '../../test/members.ts'
import { PRODUCTION } from '../../test/production-environment.ts'
import { runJob } from '../jobs/job.ts'
import { accessJournalJob, journalName, readJournal } from '../modules/audit/index.ts'
import { journalFile } from '../modules/audit/access-journal-file.ts'
import { setPasswordHash, setPayoutStop } from '../modules/members/index.ts'
import { entryMac } from '../modules/withdrawals/addresses/address-mac.ts'
import { encrypt } from '../platform/crypto/encrypt.ts'
import { type Db, inTransaction } from '../platform/db/database.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'restored-journal-'))
const backup = path.join(folder, 'platform.dump')
/** The data folder of the lost instance, with its journal. */
const LOST = path.join(folder, 'lost')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const AT = new Date('2026-03-02T09:00:00Z')
const UNTIL_CONFIRMED = new Date('9999-12-31T00:00:00Z')
const { DATA_KEY, TOKEN_SECRET } = PRODUCTION
let name: string
/** Password hashes in the backup, by member. */
let before: Map<string, string>

/** A copy of the lost data folder, which a test may change. */
function dataFolder(): string {
  const copy = mkdtempSync(path.join(folder, 'data-'))
  cpSync(LOST, copy, { recursive: true })
  return copy
}
async function run(entry: string, { url = '', dataDir }: { url?: string | undefined; dataDir: string }, ...args: string[]) {
  const started = startEntry(entry, { ...PRODUCTION, DATABASE_URL: direct(url), DATA_DIR: dataDir }, ...args)
  return { code: await started.ended, output: started.output }
}
async function restore(dataDir: string) {
  const after = await emptyDatabase()
  const { code, output } = await run('restore', { url: after.url, dataDir }, backup)
  expect([code, output]).toEqual([0, expect.stringMatching(/^Restored; all \d+ checks hold/)])
  // API keys end with each restore, whatever the journal contains: of two in the backup, one was ended after it.
  const keys = await after.db.selectFrom('api_key').select(['kind', 'ended_at']).orderBy('id').execute()
  expect(keys).toEqual(['member', 'operator'].map((kind) => ({ kind, ended_at: expect.any(Date) })))
  return { db: after.db, url: after.url, output }
}
const rolesOf = async (db: Db) =>
  Object.fromEntries((await db.selectFrom('member').select(['name', 'role']).orderBy('id').execute()).map((one) => [one.name, one.role]))
const suspendedIn = async (db: Db) =>
  (await db.selectFrom('member').select('name').where('suspended_until', '=', UNTIL_CONFIRMED).orderBy('id').execute()).map(
    (one) => one.name,
  )
/** Runs the worker's job on a restored database. */
async function saveOn(db: Db, dataDir: string) {
  const at = await testApp(db, { routes: () => undefined, env: { TOKEN_SECRET, DATA_KEY, DATA_DIR: dataDir } })
  await runJob(db, at.deps, accessJournalJob, 'test')
  return readJournal(at.deps.config, await journalName(db))
}

beforeAll(async () => {
  const { db, url } = await testDatabase()
  const at = await testApp(db, { routes: () => undefined, env: { TOKEN_SECRET, DATA_KEY, DATA_DIR: LOST } })
  const staff = (who: string, role: 'ADMIN' | 'SUPPORT') => createTestMember(db, { name: who, role, email: `${who}@gmail.com` })
  const admin = await staff('removed', 'ADMIN')
  const reduced = await staff('reduced', 'ADMIN')
  const again = await staff('again', 'ADMIN')
  await staff('stays', 'ADMIN')
  const raised = await staff('raised', 'SUPPORT')
  const member = await createTestMember(db, { name: 'member' })
  const moved = await createTestMember(db, { name: 'moved' })
  for (const id of ['ended', 'kept']) {
    const key = { credential_id: id, public_key: 'k', counter: 0n, may_sync: false, synced: false, name: 'key', created_at: AT }
    await db
      .insertInto('passkey')
      .values({ ...key, public_id: `key-${id}`, member_id: reduced.id })
      .execute()
    const [address, public_id] = [{ network: 1, address: id, address_key: id, label: id }, `address-${id}`]
    const times = { created_at: AT, confirmed_at: AT, usable_from: AT }
    const state = { id: public_id, confirmedAt: AT.getTime(), usableFrom: AT.getTime(), by: null, at: null }
    const entry_mac = entryMac(at.deps.config, { memberId: member.id, network: 1, address: id }, state)
    await db
      .insertInto('payout_address')
      .values({ ...address, ...times, public_id, member_id: member.id, entry_mac })
      .execute()
  }
  for (const [kind, { id }] of Object.entries({ member, operator: reduced }))
    await db
      .insertInto('api_key')
      .values({
        public_id: kind,
        member_id: id,
        kind,
        token_digest: kind,
        name: kind,
        rights: [],
        networks: [],
        created_at: AT,
        expires_at: UNTIL_CONFIRMED,
      })
      .execute()
  for (const { id } of [raised, member]) {
    const secret = encrypt(at.deps.config, 'second factor', 'x', String(id))
    await db.insertInto('second_factor').values({ member_id: id, encrypted_secret: secret, created_at: AT, confirmed_at: AT }).execute()
  }
  for (const id of ['used', 'unused'])
    await db
      .insertInto('recovery_code')
      .values({ public_id: `code-${id}`, member_id: member.id, salt: Buffer.alloc(16), code_digest: id, created_at: AT })
      .execute()
  await db.updateTable('member').set({ second_factor: true }).where('id', '=', raised.id).execute()
  const job = () => runJob(db, at.deps, accessJournalJob, 'test')
  await job()
  const stored = await db.selectFrom('member').select(['name', 'password_hash']).execute()
  before = new Map(stored.map((one) => [one.name, one.password_hash]))
  execFileSync('pg_dump', ['--format=custom', `--file=${backup}`, direct(url ?? '')])

  const setRole = (id: bigint, role: 'ADMIN' | 'SUPPORT' | 'MEMBER') =>
    db.updateTable('member').set({ role }).where('id', '=', id).execute()
  await setRole(admin.id, 'MEMBER')
  await setRole(reduced.id, 'SUPPORT')
  await setRole(again.id, 'MEMBER')
  await setRole(again.id, 'ADMIN')
  await setRole(raised.id, 'ADMIN')
  await db.updateTable('member').set({ is_active: false }).where('id', '=', member.id).execute()
  await inTransaction(db, (tx) => setPasswordHash(tx, { id: again.id, passwordHash: 'changed', at: AT }))
  await db.updateTable('api_key').set({ ended_at: AT, end_reason: 'ended-by-owner' }).where('kind', '=', 'member').execute()
  await db.deleteFrom('second_factor').where('member_id', '=', raised.id).execute()
  await db.deleteFrom('recovery_code').where('public_id', '=', 'code-used').execute()
  await db.deleteFrom('passkey').where('public_id', '=', 'key-ended').execute()
  await db.updateTable('payout_address').set({ removed_at: AT }).where('public_id', '=', 'address-ended').execute()
  for (const { id } of [admin, raised]) await inTransaction(db, (tx) => setPayoutStop(tx, id, AT))
  await inTransaction(db, (tx) => setPayoutStop(tx, raised.id, null))
  await db.updateTable('member').set({ email: 'moved@gmail.com' }).where('id', '=', moved.id).execute()
  await job()
  name = await journalName(db)
})

const JOURNALED = {
  removed: 'MEMBER',
  reduced: 'SUPPORT',
  again: 'ADMIN',
  stays: 'ADMIN',
  raised: 'SUPPORT',
  member: 'MEMBER',
  moved: 'MEMBER',
}
const RESTORED = {
  removed: 'ADMIN',
  reduced: 'ADMIN',
  again: 'ADMIN',
  stays: 'ADMIN',
  raised: 'SUPPORT',
  member: 'MEMBER',
  moved: 'MEMBER',
}

describe('restore with the access journal', () => {
  it('ends the roles, accounts, passkeys, recovery codes, apps, addresses and payouts that ended after the backup, and gives no role', async () => {
    const { db, output } = await restore(dataFolder())
    expect(await rolesOf(db)).toEqual(JOURNALED)
    expect(await suspendedIn(db)).toEqual([])
    expect(await db.selectFrom('passkey').select('public_id').execute()).toEqual([{ public_id: 'key-kept' }])
    const apps = db.selectFrom('second_factor').innerJoin('member', 'member.id', 'second_factor.member_id').select('member.name')
    expect(await apps.execute()).toEqual([{ name: 'member' }])
    expect(await db.selectFrom('recovery_code').select('public_id').execute()).toEqual([{ public_id: 'code-unused' }])
    // The password alone signs in no longer.
    const unproved = db.selectFrom('member').select(['name', 'second_factor']).where('password_proved', '=', false)
    expect(await unproved.execute()).toEqual([{ name: 'raised', second_factor: false }])
    const addresses = await db.selectFrom('payout_address').select('public_id').where('removed_at', 'is', null).execute()
    expect(addresses).toEqual([{ public_id: 'address-kept' }])
    expect(await db.selectFrom('member').select('name').where('is_active', '=', false).orderBy('id').execute()).toEqual([
      { name: 'member' },
      { name: 'moved' },
    ])
    // The password before the change is in the backup, and signs in no longer.
    const passwords = await db.selectFrom('member').select(['name', 'password_hash']).execute()
    const ended = passwords.filter((one) => one.password_hash !== before.get(one.name))
    expect(ended).toEqual([{ name: 'again', password_hash: expect.stringMatching(/^\$argon2id\$/) }])
    const stopped = db.selectFrom('member').select(['name', 'payouts_stopped_at']).where('payouts_stopped_at', 'is not', null)
    expect(await stopped.execute()).toEqual([{ name: 'removed', payouts_stopped_at: AT }])
    expect(output).toContain('Took a role away again: removed@gmail.com: ADMIN → MEMBER')
    const [entry] = await db.selectFrom('audit_event').select('detail').where('action', '=', 'platform.restore').execute()
    expect(entry?.detail).toMatchObject({ journal: { line: 16, lost: 15 } })
  })

  it('ends the same access when the backup is restored a second time, with and without the worker in between', async () => {
    const dataDir = dataFolder()
    const first = await restore(dataDir)
    expect(await rolesOf((await restore(dataDir)).db)).toEqual(JOURNALED)
    const stays = first.db.updateTable('member').set({ role: 'MEMBER' }).where('name', '=', 'stays')
    await stays.execute()
    expect(await saveOn(first.db, dataDir)).toEqual({ lines: expect.arrayContaining([expect.objectContaining({ kind: 'restore' })]) })
    const second = await restore(dataDir)
    expect(await rolesOf(second.db)).toEqual({ ...JOURNALED, stays: 'MEMBER' })
    expect(await saveOn(second.db, dataDir)).toEqual({ lines: expect.anything() })
  })
})

describe('restore without a valid access journal', () => {
  const lines = (dataDir: string) => readFileSync(journalFile({ dataDir }, name), 'utf8').trimEnd().split('\n')
  const write = (dataDir: string, kept: string[]) => writeFileSync(journalFile({ dataDir }, name), `${kept.join('\n')}\n`)
  const STATES: Readonly<Record<string, [(dataDir: string) => void, string]>> = {
    'no journal': [(dataDir) => rmSync(dataDir, { recursive: true }), 'does not exist'],
    'a journal cut by one line': [(dataDir) => write(dataDir, lines(dataDir).slice(0, -1)), 'it was shortened'],
    'a journal and copy cut before the backup': [
      (dataDir) => {
        rmSync(journalFile({ dataDir }, name, 'copy'))
        write(dataDir, [])
        writeFileSync(journalFile({ dataDir }, name), '')
      },
      'it belongs to another database',
    ],
    'a changed journal': [
      (dataDir) =>
        write(
          dataDir,
          lines(dataDir).map((line) => line.replace('"value":"MEMBER"', '"value":"ADMIN"')),
        ),
      'was changed',
    ],
  }

  it.each(Object.entries(STATES))(
    'suspends all staff and removes all addresses and recovery codes with %s',
    async (_, [change, reason]) => {
      const dataDir = dataFolder()
      change(dataDir)
      const { db, output } = await restore(dataDir)
      expect(output).toMatch(new RegExp(`The access journal cannot be used: .*${reason}`))
      expect(await rolesOf(db)).toEqual(RESTORED)
      expect(await suspendedIn(db)).toEqual(['removed', 'reduced', 'again', 'stays', 'raised'])
      expect(await db.selectFrom('payout_address').select('public_id').where('removed_at', 'is', null).execute()).toEqual([])
      expect(await db.selectFrom('recovery_code').select('public_id').execute()).toEqual([])
      const entries = await db.selectFrom('audit_event').select('outcome').where('action', '=', 'platform.restore').execute()
      expect(entries).toEqual([{ outcome: 'ok' }])
      // The worker begins a new journal.
      expect(await saveOn(db, dataDir)).toEqual({ lines: expect.anything() })
    },
  )

  it('suspends all staff with the journal of another database', async () => {
    const other = await testDatabase()
    const dataDir = mkdtempSync(path.join(folder, 'foreign-'))
    await saveOn(other.db, dataDir)
    cpSync(journalFile({ dataDir }, await journalName(other.db)), journalFile({ dataDir }, name))
    const { db, output } = await restore(dataDir)
    expect(output).toContain('The access journal cannot be used: it belongs to another database')
    expect(await suspendedIn(db)).toHaveLength(5)
    expect(readdirSync(dataDir).filter((one) => one.includes('refused'))).toHaveLength(1)
  })

  it('lifts suspensions at the command line until two admins are confirmed', async () => {
    const dataDir = mkdtempSync(path.join(folder, 'empty-'))
    const { db, url } = await restore(dataDir)
    const confirm = (...emails: string[]) => run('staff', { url, dataDir }, 'confirm-staff', ...emails)
    expect(await confirm('member@gmail.com')).toMatchObject({ code: 1, output: expect.stringContaining('No staff member was confirmed') })
    expect(await confirm('stays@gmail.com', 'nobody@gmail.com')).toMatchObject({ code: 1 })
    expect(await suspendedIn(db)).toHaveLength(5)
    expect(await confirm('stays@gmail.com', 'again@gmail.com')).toMatchObject({ code: 0 })
    expect(await suspendedIn(db)).toEqual(['removed', 'reduced', 'raised'])
    expect(await confirm('removed@gmail.com')).toMatchObject({ code: 1, output: expect.stringContaining('Two admins have their rights') })
    const entries = db.selectFrom('audit_event').select('outcome').where('action', '=', 'staff.confirm-restored.operator').orderBy('id')
    const outcomes = (await entries.execute()).map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['NOT_FOUND', 'NOT_FOUND', 'ok', 'ok', 'FOUR_EYES'])
  })
})
