import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testApp } from '../../test/app.ts'
import { direct, emptyDatabase, testDatabase } from '../../test/database.ts'
import { startEntry } from '../../test/entry.ts'
import { createTestMember, fund } from '../../test/members.ts'
import { PRODUCTION } from '../../test/production-environment.ts'
import { type KeyKind, keyRights } from '../http/calls/key-rights.ts'
import { startJob } from '../jobs/start-job.ts'
import { auditHead, recordAudit } from '../modules/audit/index.ts'
import { readApiKey } from '../modules/auth/api-keys/api-keys.ts'
import { authRoutes } from '../modules/auth/index.ts'
import { firstHeadMismatch } from '../modules/staff/index.ts'
import { saveAnchor } from '../modules/staff/audit-log/audit-anchor-file.ts'
import { stakingRoutes } from '../modules/staking/index.ts'
import { withdrawalRoutes, stopAndAuditPayouts } from '../modules/withdrawals/index.ts'
import { linkToken } from '../modules/withdrawals/confirmation/payout-token.ts'
import { readConfig } from '../platform/config/config.ts'
import { inTransaction, type Db } from '../platform/db/database.ts'
import { AppError } from '../platform/runtime/app-error.ts'
import { digest } from '../platform/runtime/ids.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'restored-access-'))
const file = path.join(folder, 'platform.dump')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const AT = new Date()
const run = async (name: string, url = '') => {
  if (name === 'backup') rmSync(file, { force: true })
  const entry = startEntry(name, { ...PRODUCTION, DATABASE_URL: direct(url) }, file)
  return { code: await entry.ended, output: entry.output }
}
/** Starts the product at the machine's time, which the restore command uses too. */
const startOn = async (db: Db) => {
  const at = await testApp(db, {
    routes: (bind) => {
      authRoutes(bind, stopAndAuditPayouts)
      stakingRoutes(bind)
      withdrawalRoutes(bind)
    },
    env: { TOKEN_SECRET: PRODUCTION.TOKEN_SECRET, DATA_KEY: PRODUCTION.DATA_KEY },
  })
  at.clock.advance(Date.now() - at.clock.now().getTime())
  return at
}

const rightOf = (kind: KeyKind) => keyRights[kind][0]?.name ?? ''
/** Makes a call with the API key of a member and with that of the operator. */
const keysOf = ({ db, deps, clock }: Awaited<ReturnType<typeof startOn>>) =>
  Promise.all(
    (['member', 'operator'] as const).map((kind) =>
      readApiKey(db, deps, kind, clock.now(), { name: rightOf(kind), ip: '192.0.2.1' }).then(
        () => 'accepted',
        (error: unknown) => (error instanceof AppError ? error.code : error),
      ),
    ),
  )

it('revives no session, API key, mailed link, code or calendar address of a backup, freezes payouts, and prints the values to compare', async () => {
  const [before, after] = [await testDatabase(), await emptyDatabase()]
  const ada = await createTestMember(before.db)
  const staff = await createTestMember(before.db, { role: 'FINANCE', email: 'removed.later@gmail.com' })
  const old = await startOn(before.db)
  const [session, ended] = [await old.signIn(ada.id), await old.signIn(staff.id)]
  const link = (await old.call('POST', '/staking/calendar-link', { token: session.token })).body.data.url as string
  const calendar = `/staking/calendar.ics${new URL(link).search}`
  const expiresAt = new Date(AT.getTime() + 3_600_000)
  const rows = { member_id: ada.id, created_at: AT, expires_at: expiresAt }
  for (const token of ['first', 'second'])
    await before.db
      .insertInto('mail_link')
      .values({ ...rows, purpose: 'reset', token_digest: digest(token) })
      .execute()
  await before.db
    .insertInto('mail_code')
    .values({ ...rows, cause: 'resend', code_hash: 'hash' })
    .execute()
  for (const [kind, { id }] of [
    ['member', ada],
    ['operator', staff],
  ] as const)
    await before.db
      .insertInto('api_key')
      .values({
        ...rows,
        public_id: kind,
        member_id: id,
        kind,
        token_digest: digest(kind),
        name: kind,
        rights: [rightOf(kind)],
        networks: [],
      })
      .execute()
  await before.db.insertInto('reset_request').values({ email: ada.email, ip: '192.0.2.1', request_id: 'r', created_at: AT }).execute()
  const { email, name, phone } = { email: 'new@gmail.com', name: 'New', phone: '' }
  await before.db
    .insertInto('registration_attempt')
    .values({ email, name, phone, password_hash: 'hash', token_digest: 'digest', created_at: AT, expires_at: expiresAt })
    .execute()
  await inTransaction(before.db, (tx) => recordAudit(tx, { at: AT, actorId: null, actorRole: 'SYSTEM', action: 'test', outcome: 'ok' }))
  await inTransaction(before.db, (tx) => startJob(tx, old.deps, { name: 'own-data' }, { ownerId: ada.id, input: {} }))
  const head = await auditHead(before.db)
  expect(await run('backup', before.url)).toMatchObject({ code: 0 })
  const earlier = await before.db.selectFrom('session').select('id').where('ended_at', 'is', null).execute()

  const { code, output } = await run('restore', after.url)
  expect([code, output]).toEqual([0, expect.stringMatching(/^Restored; all \d+ checks hold/)])
  expect(output).toContain(`Ended ${earlier.length} sessions`)
  expect(output).toContain('Ended 1 open background jobs')
  expect(output).toContain(`row ${head?.id}, ${AT.toISOString()}, ${head?.hash}`)
  expect(output).toContain(`  FINANCE ${staff.email}\n`)
  const [entry] = await after.db.selectFrom('audit_event').selectAll().where('action', '=', 'platform.restore').execute()
  expect(entry?.detail).toMatchObject({ sessions: earlier.length, head: { row: String(head?.id), hash: head?.hash } })

  const restored = await startOn(after.db)
  const calls = async (at: typeof old, token: string) => {
    const body = { newPassword: 'harbour-violet-39', confirmPassword: 'harbour-violet-39' }
    return [
      (await at.call('GET', '/auth/sessions', { token: session.token })).status,
      (await at.call('GET', '/auth/sessions', { token: ended.token })).status,
      (await at.call('POST', '/auth/refresh-token', { cookie: session.cookie })).status,
      (await at.call('GET', calendar)).status,
      (await at.call('POST', '/auth/reset-password', { token, body })).status,
    ]
  }
  expect(await calls(restored, 'first')).toEqual([401, 401, 401, 404, 400])
  expect(await keysOf(restored)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED'])
  // The same calls succeed where no backup was restored.
  expect(await keysOf(old)).toEqual(['accepted', 'accepted'])
  expect(await calls(old, 'second')).toEqual([200, 200, 200, 200, 200])
  const { rows: open } = await sql<{ open: number }>`
    select ((select count(*) from mail_code where used_at is null) + (select count(*) from reset_request where handled_at is null)
      + (select count(*) from registration_attempt))::int as open`.execute(after.db)
  expect(open).toEqual([{ open: 0 }])

  const again = await restored.signIn(ada.id)
  const guard = await restored.call('GET', '/withdrawals/guard', { token: again.token })
  expect(guard.body.data.held).toMatchObject({ why: 'the platform was restored from a backup' })
})

it('confirms no payout or address by a link mailed before the restore, and still stops by it', async () => {
  const [before, after] = [await testDatabase(), await emptyDatabase()]
  const ada = await createTestMember(before.db)
  await fund(before.db, ada.id, 'depositWallet', 1_000n * ONE)
  const old = await startOn(before.db)
  const { token } = await old.signIn(ada.id)
  const body = { amount: 100, address: '0x52908400098527886E0F7030069857D2E4169EE7' }
  const payout = await old.call('POST', '/deposit-wallet/transfer-deposit-wallet', { token, body })
  const address = { member_id: ada.id, network: 1, address: body.address, address_key: body.address.toLowerCase(), label: 'mine' }
  await before.db
    .insertInto('payout_address')
    .values({ ...address, public_id: 'address-1', created_at: AT })
    .execute()
  const links = [
    linkToken(old.deps, { about: 'payout', id: payout.body.data.receipt.id }),
    linkToken(old.deps, { about: 'address', id: 'address-1' }),
  ]
  expect((await run('backup', before.url)).code).toBe(0)
  // The audit of the restore reports the deposit of `fund`, which no member could make.
  expect((await run('restore', after.url)).output).toContain('Expired 1 unconfirmed payouts and removed 1 unconfirmed addresses')

  const restored = await startOn(after.db)
  const confirm = (at: typeof old) => Promise.all(links.map((link) => at.call('POST', '/withdrawals/link/confirm', { token: link })))
  expect((await confirm(restored)).map(({ status }) => status)).toEqual([400, 400])
  expect((await restored.call('POST', '/withdrawals/link/stop', { token: links[0] })).status).toBe(200)
  // The same links confirm where no backup was restored.
  expect((await confirm(old)).map(({ status }) => status)).toEqual([200, 200])
})

it('migrates a backup of an older schema before it writes to it', async () => {
  const [before, after] = [await testDatabase(), await emptyDatabase()]
  await sql`delete from schema_bodies`.execute(before.db)
  // A function that the audit entry of the restore needs.
  await sql`drop function audit_hash cascade`.execute(before.db)
  rmSync(file, { force: true })
  execFileSync('pg_dump', ['--format=custom', `--file=${file}`, direct(before.url ?? '')])
  const { code, output } = await run('restore', after.url)
  expect([code, output]).toEqual([0, expect.stringContaining('Ran functions and views\nRestored; all ')])
})

it('[I17] reports a saved head that the backup lacks as cut off, though a new row has its number', async () => {
  const [before, after] = [await testDatabase(), await emptyDatabase()]
  const record = () =>
    inTransaction(before.db, (tx) => recordAudit(tx, { at: AT, actorId: null, actorRole: 'SYSTEM', action: 'test', outcome: 'ok' }))
  await record()
  expect((await run('backup', before.url)).code).toBe(0)
  await record()
  const lost = await auditHead(before.db)
  const { dataKey, dataKeyPrevious } = readConfig({ NODE_ENV: 'test' })
  const keys = { dataKey, dataKeyPrevious }
  const anchors = { dataDir: path.join(folder, 'heads'), databaseUrl: after.url, ...keys }
  saveAnchor(anchors, { day: '2026-03-02', row: lost?.id ?? 0n, hash: lost?.hash ?? '', at: AT })
  expect((await run('restore', after.url)).code).toBe(0)
  const numbered = await after.db
    .selectFrom('audit_event')
    .select('action')
    .where('id', '=', lost?.id ?? 0n)
    .execute()
  expect(numbered).toEqual([{ action: 'platform.restore' }])
  expect(await firstHeadMismatch(after.db, anchors)).toEqual({ row: String(lost?.id), what: 'CUT' })
})
