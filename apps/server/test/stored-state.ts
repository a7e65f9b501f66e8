import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'

/** Tables that a refused call may change, because they count and record calls. */
const UNWATCHED = new Set([
  'audit_event',
  'audit_head',
  'idempotency',
  'rate_limit',
  'session',
  'refresh_token',
  'sign_in_failure',
  'wrong_password_hour',
  'schema_migration',
  'job_lease',
])

/** Databases with the function installed, so that its plan over all tables is made once per connection. */
const prepared = new WeakSet<Db>()

async function prepare(db: Db): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name::text as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db)
  // One statement per table takes a twentieth of the time of a union over all tables. A stable function reads them in one snapshot.
  const reads = tables.map(
    ({ name }) => `select concat(count(*), ', ', coalesce(max(xmin::text::bigint), 0)) into state from ${name};
      states := states || jsonb_build_object('${name}', state);`,
  )
  await sql
    .raw(
      `create or replace function table_states() returns jsonb language plpgsql stable as $$
        declare state text; states jsonb := '{}'; begin ${reads.join('\n')} return states; end $$`,
    )
    .execute(db)
  prepared.add(db)
}

/** Returns a text per table that changes with each inserted, deleted or updated row. */
export async function tableStates(db: Db): Promise<ReadonlyMap<string, string>> {
  if (!prepared.has(db)) await prepare(db)
  const { rows } = await sql<{ states: Record<string, string> }>`select table_states() as states`.execute(db)
  return new Map(Object.entries(rows[0]?.states ?? {}))
}

/** Returns a text over all tables that a refused call must not change. */
export async function storedState(db: Db): Promise<string> {
  const states = [...(await tableStates(db))].filter(([name]) => !UNWATCHED.has(name))
  return states.map(([name, state]) => `${name}: ${state}`).join('\n')
}
