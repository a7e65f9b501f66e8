import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { Health } from './examine.ts'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { startEntry } from '../../test/entry.ts'
import { VERSION } from '../platform/runtime/release.ts'
import { encrypt } from '../platform/crypto/encrypt.ts'
import { allJobs } from '../main/jobs.ts'
import { createPorts } from '../main/ports.ts'
import { readConfig } from '../platform/config/config.ts'

/** Plants one operational fault at a time: the doctor names it and the command that fixes it. */
const { db, url = '' } = await testDatabase()
const folder = mkdtempSync(path.join(tmpdir(), 'signs-'))
const closing: { close(done: () => void): unknown }[] = []
afterAll(async () => {
  for (const server of closing) await new Promise<void>((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

const listening = async (server: Server): Promise<number> => {
  closing.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Creates a certificate, for localhost by default, valid for a number of days; a negative number has expired. */
function certificate(days: number, of = 'DNS:localhost'): { key: Buffer; cert: Buffer; file: string } {
  const [key, request, file] = ['key', 'request', 'cert'].map((name) => path.join(folder, `${name}${days}${of.length}.pem`)) as [
    string,
    string,
    string,
  ]
  const run = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  run(
    'req',
    '-new',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=localhost',
    '-addext',
    `subjectAltName=${of}`,
    '-keyout',
    key,
    '-out',
    request,
  )
  run('x509', '-req', '-in', request, '-signkey', key, '-days', String(days), '-copy_extensions', 'copyall', '-out', file)
  return { key: readFileSync(key), cert: readFileSync(file), file }
}

let env: NodeJS.ProcessEnv
let expired: NodeJS.ProcessEnv
let foreign: NodeJS.ProcessEnv
let late: string
beforeAll(async () => {
  const [good, ended, others] = [certificate(80), certificate(-1), certificate(80, 'DNS:other.example')]
  const instance = ({ key, cert }: typeof good) =>
    listening(
      createTlsServer({ key, cert }, (request, reply) => {
        if (request.url === '/health/ready') reply.end(JSON.stringify({ status: 'ready', version: VERSION }))
        else reply.writeHead(400).end('{"success":false}')
      }),
    )
  const provider = (clock: number) =>
    listening(
      createServer((request, reply) => {
        reply.setHeader('Date', new Date(Date.now() + clock).toUTCString())
        reply.writeHead(request.headers['x-api-key'] === 'the-key-of-the-provider' ? 404 : 401).end('{}')
      }),
    )
  const post = new SMTPServer({
    logger: false,
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onAuth: (_, __, done) => done(new Error('Invalid login')),
  })
  post.on('error', () => undefined)
  closing.push(post)
  await new Promise<void>((resolve) => post.listen(0, '127.0.0.1', resolve))
  env = {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    DATA_DIR: folder,
    SMTP_URL: `smtp://127.0.0.1:${(post.server.address() as AddressInfo).port}`,
    MAIL_FROM: 'platform@platform.example',
    PAYMENT_PROVIDER_URL: `http://127.0.0.1:${await provider(0)}`,
    PAYMENT_PROVIDER_SECRET: 'abcdefghijklmnop'.repeat(3),
    PAYMENT_PROVIDER_KEY: 'the-key-of-the-provider',
    PAYMENT_INVOICE_HOSTS: 'pay.example',
    PUBLIC_URL: `https://localhost:${await instance(good)}`,
    TOKEN_SECRET: 'bcdefghijklmnopq'.repeat(3),
    DATA_KEY: 'cdefghijklmnopqr'.repeat(3),
    TRUST_PROXY: '1',
    METRICS_PORT: '9100',
    NODE_EXTRA_CA_CERTS: good.file,
  }
  expired = { PUBLIC_URL: `https://localhost:${await instance(ended)}`, NODE_EXTRA_CA_CERTS: ended.file }
  foreign = { PUBLIC_URL: `https://localhost:${await instance(others)}`, NODE_EXTRA_CA_CERTS: others.file }
  late = `http://127.0.0.1:${await provider(-3_600_000)}`
  for (const { name } of allJobs(createPorts(readConfig({ NODE_ENV: 'test' }), late)))
    await sql`insert into job_lease (name, holder, last_started_at) values (${name}, ${`here:1@${VERSION}`}, clock_timestamp())`.execute(db)
})

async function findings(more: NodeJS.ProcessEnv = {}): Promise<Health['findings']> {
  const doctor = startEntry('doctor', { ...env, ...more }, '--json')
  await doctor.ended
  return (JSON.parse(doctor.output) as Health).findings
}
/** Areas without findings on a newly created instance. */
const OUTER = ['settings', 'secrets', 'machine', 'database', 'mail', 'provider', 'address', 'certificate', 'worker']
/** Findings caused by the test server: no fsync, loopback, and the owner's role. */
const UNSAFE = /private address|change the schema|is off: committed/
const wrong = async (more?: NodeJS.ProcessEnv) =>
  (await findings(more)).filter(({ area, state, what }) => OUTER.includes(area) && state !== 'good' && !UNSAFE.test(what))

it('reports nothing wrong on a healthy instance', async () => {
  expect(await wrong()).toEqual([])
})

it.each<[string, () => NodeJS.ProcessEnv, string, RegExp, RegExp]>([
  [
    'the user or password of the database',
    () => ({ DATABASE_URL: url.replace('//postgres', '//stranger') }),
    'database',
    /stranger|authentication failed/,
    /DATABASE_URL/,
  ],
  [
    'the name of the database host',
    () => ({ DATABASE_URL: 'postgres://a:b@no-such-host.invalid/c' }),
    'database',
    /ENOTFOUND|EAI_AGAIN/,
    /DATABASE_URL/,
  ],
  ['the host name of the platform in DNS', () => ({ PUBLIC_URL: 'https://no-such-host.invalid' }), 'address', /ENOTFOUND|EAI_AGAIN/, /DNS/],
  ['an expired certificate', () => expired, 'certificate', /expired/, /renew/],
  ['a certificate for another host', () => foreign, 'certificate', /altnames/, /renew/],
  ['a secret that is too short', () => ({ TOKEN_SECRET: 'short' }), 'settings', /TOKEN_SECRET/, /TOKEN_SECRET/],
  [
    'an unfinished rotation, also one with secret files',
    () => {
      const file = path.join(folder, 'previous')
      writeFileSync(file, 'defghijklmnopqrs'.repeat(3), { mode: 0o600 })
      return { DATA_KEY_PREVIOUS_FILE: file }
    },
    'settings',
    /DATA_KEY_PREVIOUS: a rotation is not finished/,
    /remove it from/,
  ],
  [
    'a mail server that refuses the login',
    () => ({ SMTP_URL: `${env['SMTP_URL']?.replace('//', '//me:wrong@')}` }),
    'mail',
    /Invalid login/,
    /SMTP_URL/,
  ],
  [
    'a key that the provider refuses',
    () => ({ PAYMENT_PROVIDER_KEY: 'another-key-of-16-or-more' }),
    'provider',
    /rejects PAYMENT_PROVIDER_KEY/,
    /PAYMENT_PROVIDER_KEY/,
  ],
  ['a wrong clock', () => ({ PAYMENT_PROVIDER_URL: late }), 'machine', /differs from the provider's by 3\d{3} seconds/, /set-ntp/],
  ['a missing folder', () => ({ DATA_DIR: path.join(folder, 'none') }), 'machine', /does not exist/, /install -d/],
])('reports %s, with a fix', async (_, more, area, what, fix) => {
  expect((await wrong(more())).filter((one) => one.area === area)).toContainEqual(
    expect.objectContaining({
      area,
      state: expect.stringMatching(/bad|warning/),
      what: expect.stringMatching(what),
      fix: expect.stringMatching(fix),
      affects: expect.stringMatching(/\.$/),
    }),
  )
})

it('reports a DATA_KEY that does not fit the database', async () => {
  const config = readConfig({ NODE_ENV: 'test', DATA_KEY: env['DATA_KEY'] })
  await sql`insert into mail_outbox (public_id, recipient, template, encrypted, next_attempt_at, not_after, created_at)
    values ('m', 'a@gmail.com', 'notice', ${encrypt(config, 'mail outbox', 'x')}, now(), now(), now())`.execute(db)
  expect(await wrong()).toEqual([])
  expect(await wrong({ DATA_KEY: 'defghijklmnopqrs'.repeat(3) })).toEqual([
    expect.objectContaining({ area: 'secrets', state: 'bad', what: expect.stringContaining('1 of mail_outbox') }),
  ])
  await sql`delete from mail_outbox`.execute(db)
})

it('reports secrets that every user of the machine can read', async () => {
  const file = path.join(folder, 'tizara.env')
  writeFileSync(file, '')
  chmodSync(file, 0o644)
  expect(await wrong({ TIZARA_SETTINGS: file })).toEqual([
    expect.objectContaining({ area: 'machine', fix: expect.stringContaining('run `chmod 640') }),
  ])
  chmodSync(file, 0o640)
  expect(await wrong({ TIZARA_SETTINGS: file })).toEqual([])
  const keystore = path.join(folder, 'wallet.json')
  writeFileSync(keystore, '{}')
  chmodSync(keystore, 0o640)
  const shared = [
    'NODE_ENV=production',
    `PAYOUT_KEYSTORE=${keystore}`,
    'PAYOUT_KEYSTORE_PASSWORD=a-password-of-a-test',
    'SWEEP_KEYSTORE_PASSWORD=',
  ]
  writeFileSync(file, shared.join('\n'))
  expect(await wrong({ TIZARA_SETTINGS: file })).toEqual([
    expect.objectContaining({
      state: 'warning',
      what: `PAYOUT_KEYSTORE, PAYOUT_KEYSTORE_PASSWORD in ${file}: the API can read the signing keys`,
    }),
    expect.objectContaining({ state: 'warning', what: `the group of ${keystore}, a signing key, can read it, and so can the API` }),
  ])
  chmodSync(keystore, 0o400)
  // The worker has the settings from its own file.
  writeFileSync(file, '')
  expect(await wrong({ TIZARA_SETTINGS: file, PAYOUT_KEYSTORE: keystore, PAYOUT_KEYSTORE_PASSWORD: 'a-password-of-a-test' })).toEqual([])
  const key = path.join(folder, 'data.key')
  writeFileSync(key, `${env['DATA_KEY']}\n`)
  chmodSync(key, 0o644)
  expect(await wrong({ DATA_KEY: ' ', DATA_KEY_FILE: key })).toEqual([
    expect.objectContaining({ area: 'machine', what: `every user of this machine can read ${key}` }),
  ])
})

it('reports a database with a foreign locale, and migrate rejects it', async () => {
  const admin = new Client({ connectionString: url })
  await admin.connect()
  await admin.query("create database turkish template template0 encoding 'UTF8' locale_provider icu icu_locale 'tr' locale 'C'")
  const turkish = url.replace(/\/\w+$/, '/turkish')
  try {
    const migrating = startEntry('migrate', { DATABASE_URL: turkish })
    expect([await migrating.ended, migrating.output]).toEqual([1, expect.stringMatching(/In the database turkish .* locale 'C'/)])
    expect(await wrong({ DATABASE_URL: turkish })).toContainEqual(
      expect.objectContaining({ area: 'database', state: 'bad', what: expect.stringContaining('Turkish') }),
    )
  } finally {
    await admin.query('drop database turkish with (force)')
    await admin.end()
  }
})

it('reports an old worker beside a new API, and a worker that has stopped', async () => {
  await sql`update job_lease set holder = 'here:2@0.0.9' where name = 'send-mails'`.execute(db)
  expect(await wrong()).toEqual([
    expect.objectContaining({
      area: 'worker',
      what: expect.stringContaining('version 0.0.9'),
      fix: expect.stringContaining('restart tizara-worker'),
    }),
  ])
  await sql`update job_lease set last_started_at = clock_timestamp() - interval '1 hour'`.execute(db)
  expect(await wrong()).toEqual([
    expect.objectContaining({ area: 'worker', state: 'bad', what: 'no worker is running', fix: 'run `systemctl start tizara-worker`' }),
  ])
  await sql`update job_lease set holder = ${`here:1@${VERSION}`}, last_started_at = clock_timestamp()`.execute(db)
})

it('reports a read-only database, and leaves no trace of the write test', async () => {
  expect(await findings()).toContainEqual(expect.objectContaining({ area: 'database', state: 'warning' }))
  expect((await sql`select 1 from rate_limit where key = 'doctor'`.execute(db)).rows).toEqual([])
  // Simulates a full disk: writes fail, reads succeed.
  await sql`create function no_room() returns trigger language plpgsql as $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
    db,
  )
  await sql`create trigger no_room before insert on rate_limit for each row execute function no_room()`.execute(db)
  expect((await wrong()).filter(({ area }) => area === 'database')).toEqual([
    expect.objectContaining({ state: 'bad', what: expect.stringContaining('No space left on device') }),
  ])
})
