import { once } from 'node:events'
import { createServer } from 'node:http'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../../../test/postgres.ts'
import { PRODUCTION } from '../../../test/production-environment.ts'
import { testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { type Db, openDatabase } from '../../platform/db/database.ts'
import { VERSION } from '../../platform/runtime/release.ts'

const ENVIRONMENT = { ...PRODUCTION, DATABASE_URL: 'postgres://localhost/none' }
const { db } = await testDatabase()

it('shows metrics on the public port only outside production', async () => {
  const sandbox = await testApp(db, { routes: () => undefined })
  expect((await sandbox.app.inject('/metrics')).body).toContain('tizara_http_request_duration_seconds')
  const production = await testApp(db, { routes: () => undefined, env: ENVIRONMENT })
  expect((await production.app.inject('/metrics')).statusCode).toBe(404)
  expect((await production.app.inject('/health/live')).statusCode).toBe(200)
})

it('shows production metrics on a separate port, and nothing else there', async () => {
  const [own, open] = [await freePort(), await freePort()]
  const production = await testApp(db, { routes: () => undefined, env: { ...ENVIRONMENT, METRICS_PORT: String(own) } })
  await production.app.listen({ port: open, host: '127.0.0.1' })
  const metrics = await fetch(`http://127.0.0.1:${own}/metrics`)
  const figures = await metrics.text()
  expect(metrics.status).toBe(200)
  // Only the worker exposes business metrics.
  for (const name of [
    'process_cpu',
    `tizara_build_info{version="${VERSION}",process="api"} 1`,
    'tizara_http_calls_open{kind="stream"} 0',
    'tizara_database_connections{to="primary",state="busy"}',
  ])
    expect(figures).toContain(name)
  for (const name of ['tizara_pending', 'tizara_reward', 'tizara_job', 'tizara_transfer']) expect(figures).not.toContain(name)
  expect((await fetch(`http://127.0.0.1:${own}/health/live`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${open}/metrics`)).status).toBe(404)
})

it('serves members while another process holds the metrics port, and shows metrics once it is free', async () => {
  const [own, open] = [await freePort(), await freePort()]
  const other = createServer().listen(own, '127.0.0.1')
  await once(other, 'listening')
  const production = await testApp(db, { routes: () => undefined, env: { ...ENVIRONMENT, METRICS_PORT: String(own) } })
  await production.app.listen({ port: open, host: '127.0.0.1' })
  expect((await fetch(`http://127.0.0.1:${open}/health/live`)).status).toBe(200)
  await new Promise((resolve) => other.close(resolve))
  const shown = () =>
    fetch(`http://127.0.0.1:${own}/metrics`).then(
      ({ status }) => status,
      () => 'nobody',
    )
  await expect.poll(shown, { interval: 200 }).toBe(200)
})

it('is not ready while the database can write no temporary file, although a stored row can still change', async () => {
  const { db: own, url, embedded } = await testDatabase()
  const ready = async (on: Db) => (await (await testApp(on, { routes: () => undefined })).app.inject('/health/ready')).statusCode
  expect(await ready(own)).toBe(200)
  // The embedded engine has one session, which keeps its settings.
  if (embedded || url === undefined) return
  await sql`do $$ begin execute format('alter database %I set temp_file_limit = 0', current_database()); end $$`.execute(own)
  const full = openDatabase({ url })
  onTestFinished(() => full.close())
  await sql`insert into rate_limit (key, window_start, hits) values ('other', now(), 1)`.execute(full.db)
  expect(await ready(full.db)).toBe(503)
})
