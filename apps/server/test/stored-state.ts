import { sql } from 'kysely'
import type { Db } from '../src/platform/database.ts'

/** What a refused call may change: tables that count and note calls. */
const UNWATCHED = [
  'audit_event',
  'audit_head',
  'idempotency',
  'rate_limit',
  'session',
  'refresh_token',
  'sign_in_failure',
  'schema_migration',
  'job_lease',
]

/** For tests: stands for everything that is stored; another text when a row was added, taken out or written. */
export async function storedState(db: Db): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name::text as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db)
  const counts = tables
    .filter(({ name }) => !UNWATCHED.includes(name))
    .map(({ name }) => `select '${name}' as name, count(*)::text as n, coalesce(max(xmin::text::bigint), 0)::text as newest from ${name}`)
  const { rows } = await sql.raw<{ name: string; n: string; newest: string }>(`${counts.join(' union all ')} order by 1`).execute(db)
  return rows.map(({ name, n, newest }) => `${name}: ${n}, ${newest}`).join('\n')
}
