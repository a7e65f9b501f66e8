import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { emptyDatabase } from '../../../test/database.ts'
import { startEntry } from '../../../test/entry.ts'
import { freePort } from '../../../../../test/postgres.ts'
import { openDatabase } from './database.ts'
import { VERSION } from '../runtime/release.ts'
import { migrate } from './migrate.ts'
import { schemaLack } from './wait-for-schema.ts'

const { pool, url } = await emptyDatabase()
const start = (name: string, env: NodeJS.ProcessEnv = {}, ...args: string[]) => startEntry(name, { DATABASE_URL: url, ...env }, ...args)
const EMPTY = 'The database is empty and needs 0001_baseline: run `npm run migrate`.'

// Processes require a server that several of them can open.
if (url !== undefined) {
  it('reports the missing migrations, rejects calls, and starts when the schema is complete', async () => {
    const port = String(await freePort())
    const ask = (route: string) => fetch(`http://127.0.0.1:${port}${route}`).catch(() => undefined)
    const api = start('api', { PORT: port })
    const worker = start('worker')
    for (const entry of [api, worker]) await expect.poll(() => entry.output, { timeout: 60_000 }).toContain(EMPTY)
    // The process reports the missing schema first, and then opens its port.
    await expect.poll(() => ask('/health/ready'), { timeout: 60_000 }).toBeDefined()
    const waits = await ask('/health/ready')
    expect([waits?.status, waits?.headers.get('retry-after'), await waits?.json()]).toEqual([503, '2', { status: 'not ready', why: EMPTY }])
    expect((await ask('/health/live'))?.status).toBe(200)
    const audit = start('ledger-audit')
    expect([await audit.ended, audit.output]).toEqual([1, `${EMPTY}\n`])
    expect(await start('worker', {}, '--once').ended).toBe(1)

    await migrate(pool)
    await expect.poll(async () => (await ask('/health/ready'))?.status, { timeout: 60_000 }).toBe(200)
    expect(await (await ask('/health/ready'))?.json()).toMatchObject({ status: 'ready', version: VERSION, schema: '0001_baseline' })
    const jobs = async () => (await pool.query('select 1 from job_lease where last_finished_at is not null limit 1')).rowCount
    await expect.poll(jobs, { timeout: 60_000 }).toBe(1)
    expect(api.output.match(/needs 0001_baseline/g)).toHaveLength(1)
    expect(await start('ledger-audit').ended).toBe(0)
    for (const entry of [api, worker]) entry.stop()
    expect(await Promise.all([api.ended, worker.ended])).toEqual([0, 0])
  })

  it('exits with an error for a schema that it can never use, and on a signal while it waits', async () => {
    await pool.query("update schema_bodies set version = '99.0.0'")
    for (const name of ['api', 'worker']) {
      const refused = start(name, { PORT: String(await freePort()) })
      expect([await refused.ended, refused.output]).toEqual([2, expect.stringContaining('This database has the schema of version 99.0.0')])
    }
    await pool.query('drop schema public cascade; create schema public')
    const waits = start('api', { PORT: String(await freePort()) })
    await expect.poll(() => waits.output, { timeout: 60_000 }).toContain(EMPTY)
    waits.stop()
    expect(await waits.ended).toBe(0)
  })
}

if (url !== undefined) {
  it('starts two complete products on one empty database at once, with one set of demo accounts', async () => {
    await pool.query('drop schema public cascade; create schema public')
    const folders = [1, 2].map(() => mkdtempSync(path.join(tmpdir(), 'first-start-')))
    const products = await Promise.all(
      folders.map(async (folder) => {
        const ports = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) }
        return start('serve', { NODE_ENV: 'development', DATA_DIR: folder, ...ports })
      }),
    )
    for (const product of products) await expect.poll(() => product.output, { timeout: 250_000, interval: 250 }).toContain('is ready: http')
    expect(products.filter(({ output }) => output.includes('Created the demo members.'))).toHaveLength(1)
    expect((await pool.query("select 1 from member where email = 'admin@example.com'")).rowCount).toBe(1)
    // The log is in a file, so that the addresses stay visible also where the output is no terminal.
    expect(products.filter(({ output }) => output.includes('"level":30'))).toEqual([])
    for (const folder of folders) expect(readFileSync(path.join(folder, 'tizara.log'), 'utf8')).toContain('"level":30')
    for (const product of products) product.stop()
    expect(await Promise.all(products.map(({ ended }) => ended))).toEqual([0, 0])
    for (const folder of folders) rmSync(folder, { recursive: true })
  })
}

it('reports why the database does not answer, without the password', async () => {
  const away = openDatabase({ url: `postgres://nobody:secret@127.0.0.1:${await freePort()}/hidden` })
  expect(await schemaLack(away)).toMatch(
    /^The database does not answer: connect ECONNREFUSED 127\.0\.0\.1:\d+\. Check PostgreSQL and DATABASE_URL\.$/,
  )
  const unknown = openDatabase({ url: 'postgres://nobody:secret@no-such-host.invalid/hidden' })
  expect(await schemaLack(unknown)).toMatch(/^The database does not answer: getaddrinfo \w+ no-such-host\.invalid\. Check /)
  if (url !== undefined) {
    const stranger = openDatabase({ url: url.replace('//postgres', '//stranger:secret') })
    expect(await schemaLack(stranger)).toMatch(/^The database does not answer: .*("stranger"|authentication failed)/)
    await stranger.close()
  }
  await Promise.all([away.close(), unknown.close()])
})
