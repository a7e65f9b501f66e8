import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { freePort } from '../../../../../test/postgres.ts'
import { emptyDatabase } from '../../database.ts'
import { startEntry } from '../../entry.ts'
import { migrate } from '../../../src/platform/db/migrate.ts'

const { pool, url } = await emptyDatabase()
const operations = readFileSync(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8')
const [, grants = ''] = /```sql\n(create role tizara_app[^`]*)```/.exec(operations) ?? []

it('is documented without rights to change the schema', () => {
  expect(grants).toContain('create role tizara_app login')
  expect(grants).not.toMatch(/grant (all|create|truncate)|superuser/)
})

// The embedded database has one role only.
if (url !== undefined) {
  it('runs migration, worker, API and audit with the documented role', async () => {
    const role = `app_${new URL(url).pathname.slice(1)}`
    await pool.query(grants.replaceAll('tizara_app', role))
    await migrate(pool)
    const app = new URL(url)
    app.username = role
    const start = (name: string, env: NodeJS.ProcessEnv = {}, ...args: string[]) =>
      startEntry(name, { DATABASE_URL: app.href, ...env }, ...args)
    const seed = start('seed')
    expect([await seed.ended, seed.output]).toEqual([0, expect.stringContaining('admin@example.com')])
    const worker = start('worker', { LOG_LEVEL: 'error' }, '--once')
    expect([await worker.ended, worker.output]).toEqual([0, ''])
    expect(await start('ledger-audit').ended).toBe(0)
    const port = String(await freePort())
    start('api', { PORT: port })
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/health/ready`).then(
        (reply) => reply.status,
        () => undefined,
      )
    await expect.poll(ready, { timeout: 60_000 }).toBe(200)

    const rights = await pool.query(
      `select has_schema_privilege($1, 'public', 'create') as "create", has_table_privilege($1, 'ledger_transfer', 'truncate') as truncate,
        pg_has_role($1, (select relowner from pg_class where oid = 'member'::regclass), 'member') as owns`,
      [role],
    )
    expect(rights.rows).toEqual([{ create: false, truncate: false, owns: false }])
    await pool.query(`drop owned by ${role}`)
  })
}
