import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testApp } from '../../test/app.ts'
import { direct, emptyDatabase, testDatabase } from '../../test/database.ts'
import { startEntry } from '../../test/entry.ts'
import { createTestMember } from '../../test/members.ts'
import { PRODUCTION } from '../../test/production-environment.ts'
import { auditHead, recordAudit } from '../modules/audit/index.ts'
import { authRoutes } from '../modules/auth/index.ts'
import { stakingRoutes } from '../modules/staking/index.ts'
import { withdrawalRoutes } from '../modules/withdrawals/index.ts'
import { inTransaction, type Db } from '../platform/db/database.ts'
import { digest } from '../platform/runtime/ids.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'restored-access-'))
const file = path.join(folder, 'platform.dump')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const AT = new Date('2026-03-02T09:00:00Z')
const run = async (name: string, url = '') => {
  const entry = startEntry(name, { ...PRODUCTION, DATABASE_URL: direct(url) }, file)
  return { code: await entry.ended, said: entry.said }
}
const startOn = (db: Db) =>
  testApp(db, {
    routes: (bind) => {
      authRoutes(bind)
      stakingRoutes(bind)
      withdrawalRoutes(bind)
    },
    env: { TOKEN_SECRET: PRODUCTION.TOKEN_SECRET, DATA_KEY: PRODUCTION.DATA_KEY },
  })

it('revives no session, mailed link, code or calendar address of a backup, freezes payouts, and prints what to compare', async () => {
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
  await before.db.insertInto('reset_request').values({ email: ada.email, ip: '192.0.2.1', request_id: 'r', created_at: AT }).execute()
  const { email, name, phone } = { email: 'new@gmail.com', name: 'New', phone: '' }
  await before.db
    .insertInto('registration_attempt')
    .values({ email, name, phone, password_hash: 'hash', token_digest: 'digest', created_at: AT, expires_at: expiresAt })
    .execute()
  await inTransaction(before.db, (tx) => recordAudit(tx, { at: AT, actorId: null, actorRole: 'SYSTEM', action: 'test', outcome: 'ok' }))
  const head = await auditHead(before.db)
  expect(await run('backup', before.url)).toMatchObject({ code: 0 })
  const earlier = await before.db.selectFrom('session').select('id').where('ended_at', 'is', null).execute()

  const { code, said } = await run('restore', after.url)
  expect([code, said]).toEqual([0, expect.stringMatching(/^Restored; all \d+ checks hold/)])
  expect(said).toContain(`Ended ${earlier.length} sessions`)
  expect(said).toContain(`row ${head?.id}, ${AT.toISOString()}, ${head?.hash}`)
  expect(said).toContain(`  FINANCE ${staff.email}\n`)
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
  // The same calls succeed where no backup was restored.
  expect(await calls(old, 'second')).toEqual([200, 200, 200, 200, 200])
  const { rows: open } = await sql<{ open: number }>`
    select ((select count(*) from mail_code where used_at is null) + (select count(*) from reset_request where handled_at is null)
      + (select count(*) from registration_attempt))::int as open`.execute(after.db)
  expect(open).toEqual([{ open: 0 }])

  const again = await restored.signIn(ada.id)
  const guard = await restored.call('GET', '/withdrawals/guard', { token: again.token })
  expect(guard.body.data.held).toMatchObject({ why: 'the platform was restored from a backup' })
})
