import { execFileSync } from 'node:child_process'
import { PRODUCTION } from '../../test/production-environment.ts'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client, type Pool } from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { startPooler } from '../../../../test/pooler.ts'
import { direct, emptyDatabase, testDatabase } from '../../test/database.ts'
import { startEntry } from '../../test/entry.ts'
import { createTestMember } from '../../test/members.ts'
import { readConfig } from '../platform/config/config.ts'
import { enqueueMail } from '../gateways/mailer/index.ts'
import { inTransaction } from '../platform/db/database.ts'
import { testClock } from '../platform/runtime/clock.ts'
import { randomIds } from '../platform/runtime/ids.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'backup-'))
const file = path.join(folder, 'platform.dump')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = async (name: string, { DATABASE_URL: database, ...env }: NodeJS.ProcessEnv, ...args: string[]) => {
  const entry = startEntry(name, { ...PRODUCTION, ...env, ...(database === undefined ? {} : { DATABASE_URL: direct(database) }) }, ...args)
  return { code: await entry.ended, output: entry.output }
}
const tablesOf = async ({ pool }: { pool: Pool }) => (await pool.query("select 1 from pg_tables where schemaname = 'public'")).rows

/** Dumps a database into a file like `backup`, whatever it contains. */
function dump(database: string, to: string): void {
  const { hostname, port, username, pathname } = new URL(direct(database))
  const at = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)]
  execFileSync('pg_dump', ['--format=custom', '--no-owner', `--file=${to}`, ...at])
}

it('restores a complete backup with its DATA_KEY, and leaves no file when a backup fails', async () => {
  const instance = await testDatabase()
  await createTestMember(instance.db, { email: 'ada@gmail.com' })
  const deps = {
    config: readConfig({ ...PRODUCTION, DATABASE_URL: instance.url ?? '' }),
    clock: testClock('2026-03-02T09:00:00Z'),
    ids: randomIds,
  }
  await inTransaction(instance.db, (tx) =>
    enqueueMail(tx, deps as never, { to: 'ada@gmail.com', template: 'verification', data: { code: '1', token: 't' } }),
  )
  const result = await run('backup', { DATABASE_URL: instance.url }, file)
  expect(result).toEqual({ code: 0, output: expect.stringContaining('Keep DATA_KEY') })
  expect(await instance.db.selectFrom('command_last_run').select(['name', 'succeeded', 'detail']).execute()).toEqual([
    { name: 'backup', succeeded: true, detail: 'platform.dump' },
  ])
  expect((await run('backup', { DATABASE_URL: instance.url }, file)).output).toContain('already exists')
  const nowhere = await run('backup', { DATABASE_URL: instance.url }, path.join(folder, 'none', 'platform.dump'))
  expect([nowhere.code, existsSync(path.join(folder, 'none'))]).toEqual([1, false])

  expect((await run('restore', { DATABASE_URL: instance.url }, file)).output).toContain('not empty')
  const foreign = await emptyDatabase()
  const other = await run('restore', { DATABASE_URL: foreign.url, DATA_KEY: 'e'.repeat(40) }, file)
  expect(other).toEqual({ code: 2, output: expect.stringContaining('DATA_KEY: rows are encrypted under another key (1 of mail_outbox)') })
  expect(await tablesOf(foreign)).toEqual([])
  const again = await emptyDatabase()
  const back = await run('restore', { DATABASE_URL: again.url }, file)
  expect(back).toEqual({ code: 0, output: expect.stringMatching(/^Restored; all \d+ checks hold/) })
  expect(await again.db.selectFrom('member').select('email').execute()).toEqual([{ email: 'ada@gmail.com' }])
})

it('encrypts a backup for its public keys, and restores it only with one of the private keys', async () => {
  const instance = await testDatabase()
  await createTestMember(instance.db, { email: 'grace@gmail.com' })
  const [key, other, none] = ['backup.key', 'other.key', 'none.key'].map((name) => path.join(folder, name))
  const secret = async (target = '') =>
    /^BACKUP_RECIPIENTS=(age1\w+)$/m.exec((await run('secrets', {}, 'backup-key', target)).output)?.[1] ?? ''
  const [recipient, otherRecipient] = [await secret(key), await secret(other)]
  expect(await secret(key)).toBe('')
  writeFileSync(none ?? '', recipient)

  const target = path.join(folder, 'encrypted.dump')
  const result = await run('backup', { DATABASE_URL: instance.url, BACKUP_RECIPIENTS: recipient }, target)
  expect(result).toEqual({ code: 0, output: expect.stringContaining('encrypted for 1 keys. Keep DATA_KEY') })
  const bytes = readFileSync(target)
  expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  expect(statSync(target).mode & 0o077).toBe(0)
  const damaged = path.join(folder, 'damaged.dump')
  writeFileSync(damaged, bytes.subarray(0, -1))

  const empty = await emptyDatabase()
  const restore = (...args: string[]) => run('restore', { DATABASE_URL: empty.url }, ...args)
  const refusals: [string[], number, string][] = [
    [[target], 2, 'is encrypted. Name the file with its key'],
    [['--identity', other ?? '', target], 2, 'is encrypted for another key'],
    [['--identity', none ?? '', target], 2, 'contains no line AGE-SECRET-KEY-'],
    [['--identity', path.join(folder, 'missing.key'), target], 2, 'missing.key cannot be opened: there is no such file or folder'],
    [['--identity', key ?? '', damaged], 1, 'is damaged, or was changed after it was written'],
  ]
  for (const [args, code, text] of refusals) expect(await restore(...args)).toEqual({ code, output: expect.stringContaining(text) })
  expect(await tablesOf(empty)).toEqual([])

  const back = await restore('--identity', key ?? '', target)
  expect(back).toEqual({ code: 0, output: expect.stringMatching(/^Restored; all \d+ checks hold/) })
  expect(await empty.db.selectFrom('member').select('email').execute()).toEqual([{ email: 'grace@gmail.com' }])

  const two = path.join(folder, 'for-two.dump')
  await run('backup', { DATABASE_URL: instance.url, BACKUP_RECIPIENTS: `${recipient},${otherRecipient}` }, two)
  for (const one of [key, other]) {
    const again = await emptyDatabase()
    expect(await run('restore', { DATABASE_URL: again.url }, '--identity', one ?? '', two)).toMatchObject({ code: 0 })
  }
})

it('leaves no encrypted backup when the disk is full or a public key is mistyped', async () => {
  const instance = await testDatabase()
  const target = path.join(folder, 'no-room-encrypted.dump')
  const recipient = 'age1hw24haqshc5ktzdddtetj7m75u74etxa4ft3yyuyq6nkg26fmf8qhmmynd'
  symlinkSync('/dev/full', `${target}.part`)
  const full = await run('backup', { DATABASE_URL: instance.url, BACKUP_RECIPIENTS: recipient }, target)
  expect(full).toEqual({ code: 1, output: expect.stringContaining('ENOSPC') })
  const mistyped = await run('backup', { DATABASE_URL: instance.url, BACKUP_RECIPIENTS: recipient.replace('hw24', 'hw25') }, target)
  expect(mistyped).toEqual({ code: 1, output: expect.stringContaining('Invalid checksum') })
  expect([target, `${target}.part`].filter((name) => existsSync(name))).toEqual([])
})

it('restores a backup into another database of the same server, and grants both roles their rights', async () => {
  const server = inject('testDatabase')
  if (server.kind !== 'postgres') throw new Error('this file has a PostgreSQL')
  const admin = server.url
  const script = path.join(import.meta.dirname, '../../../../deploy/postgresql.sql')
  const passwords = ['owner_password=o', 'app_password=a'].flatMap((word) => ['-v', word])
  for (const [name, given] of [
    ['first_house', passwords],
    ['second_house', []],
  ] as const)
    execFileSync('psql', ['-q', '-v', `database=${name}`, ...given, '-f', script, admin], { stdio: 'ignore' })
  const at = (role: string) => Object.assign(new URL(admin), { username: role, password: role.at(7), pathname: '/second_house' }).href
  expect(await run('restore', { DATABASE_URL: at('tizara_owner') }, file)).toMatchObject({ code: 0 })
  const app = new Client({ connectionString: at('tizara_app') })
  await app.connect()
  expect((await app.query('select email from member')).rows).toEqual([{ email: 'ada@gmail.com' }])
  await expect(app.query('create table mine (id int)')).rejects.toThrow('permission denied')
  await app.end()
})

it('rejects a backup through a pooler before it changes settings of shared connections', async () => {
  const { url = '' } = await testDatabase()
  const pooler = await startPooler(direct(url))
  if (pooler === undefined) {
    // Without PgBouncer, only the cluster test with TEST_POOLER covers this.
    expect(process.env['TEST_POOLER']).not.toBe('pgbouncer')
    return
  }
  const target = path.join(folder, 'pooled.dump')
  const entry = startEntry('backup', { ...PRODUCTION, DATABASE_URL: pooler.url }, target)
  const code = await entry.ended
  await pooler.stop()
  expect([code, entry.output, existsSync(target)]).toEqual([1, expect.stringContaining('points to a connection pooler'), false])
})

it('reports a full disk, leaves no backup, and succeeds when there is space again', async () => {
  const instance = await testDatabase()
  const target = path.join(folder, 'no-room.dump')
  symlinkSync('/dev/full', `${target}.part`)
  const { code, output } = await run('backup', { DATABASE_URL: instance.url }, target)
  expect([code, output]).toEqual([1, expect.stringMatching(/^pg_dump: .*No space left on device\n$/)])
  expect([target, `${target}.part`].filter((name) => existsSync(name))).toEqual([])
  expect(await instance.db.selectFrom('command_last_run').select(['succeeded', 'detail']).executeTakeFirst()).toMatchObject({
    succeeded: false,
  })
  expect((await run('backup', { DATABASE_URL: instance.url }, target)).code).toBe(0)
  // A file in place of a folder fails for every user.
  const below = await run('backup', { DATABASE_URL: instance.url }, path.join(target, 'platform.dump'))
  expect([below.code, below.output]).toEqual([1, expect.stringMatching(/^pg_dump: .*Not a directory\n$/)])
  expect(await instance.db.selectFrom('command_last_run').select('succeeded').executeTakeFirst()).toEqual({ succeeded: false })
})

it('refuses to restore a backup of a newer version, and names the version', async () => {
  const instance = await testDatabase()
  await instance.pool.query("update schema_bodies set version = '99.0.0'")
  const newer = path.join(folder, 'newer.dump')
  dump(instance.url ?? '', newer)
  const empty = await emptyDatabase()
  const { code, output } = await run('restore', { DATABASE_URL: empty.url }, newer)
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('The backup is from another version. This database has the schema of version 99.0.0'),
  ])
  expect(await tablesOf(empty)).toEqual([])
})

it("rejects a backup of another application's database before it writes anything", async () => {
  const [other, empty] = [await emptyDatabase(), await emptyDatabase()]
  await other.pool.query('create table shop (item text)')
  const theirs = path.join(folder, 'theirs.dump')
  dump(other.url ?? '', theirs)
  const { code, output } = await run('restore', { DATABASE_URL: empty.url }, theirs)
  expect([code, output]).toEqual([1, expect.stringContaining('is not a backup of this product')])
  expect(await tablesOf(empty)).toEqual([])
})

it('rejects a truncated backup and restores nothing', async () => {
  const torn = path.join(folder, 'torn.dump')
  writeFileSync(torn, readFileSync(file).subarray(0, 5_000))
  const empty = await emptyDatabase()
  expect((await run('restore', { DATABASE_URL: empty.url }, torn)).code).toBe(1)
  expect(await tablesOf(empty)).toEqual([])
})

it('generates a different secret of sufficient length for each setting on each run', async () => {
  const [first, second] = [await run('secrets', {}), await run('secrets', {}, 'DATA_KEY')]
  const values = [...first.output.matchAll(/^[A-Z_]+=(.{43})$/gm)].map(([, value]) => value)
  expect(new Set(values).size).toBe(3)
  expect(second.output).toMatch(/^DATA_KEY=.{43}\n$/)
  expect(values).not.toContain(second.output.trim().slice('DATA_KEY='.length))
  expect((await run('secrets', {}, 'NONE')).code).toBe(2)
})
