import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'

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

/** Databases that have the function; its plan, over all tables, is made once per connection instead of once per call. */
const prepared = new WeakSet<Db>()

async function prepare(db: Db): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name::text as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db)
  const counts = tables
    .filter(({ name }) => !UNWATCHED.includes(name))
    .map(({ name }) => `select '${name}' as name, count(*)::text as n, coalesce(max(xmin::text::bigint), 0)::text as newest from ${name}`)
  await sql
    .raw(
      `create or replace function stored_state() returns text language plpgsql as $$ begin return (
        select string_agg(concat(name, ': ', n, ', ', newest), e'\\n' order by name) from (${counts.join(' union all ')}) counted); end $$`,
    )
    .execute(db)
  prepared.add(db)
}

/** For tests: stands for everything that is stored; another text when a row was added, taken out or written. */
export async function storedState(db: Db): Promise<string> {
  if (!prepared.has(db)) await prepare(db)
  const { rows } = await sql<{ state: string }>`select stored_state() as state`.execute(db)
  return rows[0]?.state ?? ''
}
