import type { Pool } from 'pg'
import { sqlState } from './database.ts'
import { readSchema, type Schema } from './schema-files.ts'
import { readSchemaState, SchemaError, type SqlSession } from './schema-state.ts'

/** Advisory lock of schema changes. */
const LOCK = 3127
/** Step name for functions and views, beside the migrations. */
const BODIES = 'functions and views'
const CREATE_NOTES = `
  create table if not exists schema_migration
    (name text primary key, digest text not null, version text not null, ran_at timestamptz not null default now());
  create table if not exists schema_bodies (digest text primary key, version text not null, ran_at timestamptz not null default now())`
/** Maximum wait for a lock in ms, number of attempts, and pause between attempts in ms. During the pause the waiting calls continue. */
const LOCK_RETRY = { lock: 1000, attempts: 60, pause: 2000 }
/** Error codes of a lock timeout and a deadlock. */
const LOCK_ERRORS = new Set(['55P03', '40P01'])

/**
 * Migrates the database to the schema of this version. One transaction contains a step and the record of this step. If several processes
 * start together, one migrates and the others wait.
 * @returns the steps that ran now
 * @throws SchemaError when this version cannot migrate the database
 */
export async function migrate(pool: Pool, schema: Schema = readSchema(), retry: typeof LOCK_RETRY = LOCK_RETRY): Promise<string[]> {
  const client = await pool.connect()
  try {
    return await migrateOn({ exec: (text) => client.query(text), query: (text, values) => client.query(text, values) }, schema, retry)
  } finally {
    client.release()
  }
}

/** Migrates like {@link migrate}, over one connection of any driver. */
export async function migrateOn(
  session: SqlSession,
  schema: Schema = readSchema(),
  patience: typeof LOCK_RETRY = LOCK_RETRY,
): Promise<string[]> {
  if ((await nextStep(session, schema)) === undefined) return []
  const ran: string[] = []
  for (;;) {
    const name = await withLockRetry(session, patience, () => takeStep(session, schema))
    if (name === undefined) return ran
    ran.push(name)
  }
}

async function nextStep(session: SqlSession, schema: Schema) {
  const state = await readSchemaState(session, schema)
  if (state.beyond[0] !== undefined)
    throw new SchemaError(`${state.beyond[0]} ran on this database and is missing here, so a newer version has used it.`)
  return state.missing[0] ?? (state.bodiesInPlace ? undefined : schema.bodies)
}

async function takeStep(session: SqlSession, schema: Schema): Promise<string | undefined> {
  await session.exec(CREATE_NOTES)
  const step = await nextStep(session, schema)
  if (step === undefined) return undefined
  try {
    await session.exec(step.text)
  } catch (error) {
    if (error instanceof Error) error.message = `${step.name}: ${error.message}`
    throw error
  }
  if (step !== schema.bodies) {
    await session.query('insert into schema_migration (name, digest, version) values ($1, $2, $3)', [
      step.name,
      step.digest,
      schema.version,
    ])
    return step.name
  }
  await session.query(
    'insert into schema_bodies (digest, version) values ($1, $2) on conflict (digest) do update set ran_at = now(), version = excluded.version',
    [step.digest, schema.version],
  )
  return BODIES
}

/** Runs work in a separate transaction, in one process at a time. Retries while a table is locked. */
async function withLockRetry<T>(session: SqlSession, patience: typeof LOCK_RETRY, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.exec(`begin; set local lock_timeout = 0; set local statement_timeout = 0; select pg_advisory_xact_lock(${LOCK});
        set local lock_timeout = ${patience.lock}`)
      const result = await work()
      await session.exec('commit')
      return result
    } catch (error) {
      await session.exec('rollback').catch(() => undefined)
      if (attempt >= patience.attempts || !LOCK_ERRORS.has(sqlState(error) ?? '')) throw error
      await new Promise((resolve) => setTimeout(resolve, patience.pause))
    }
  }
}
