import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'

const FOLDER = new URL('../../db/', import.meta.url)

/** One migration file. */
export interface Migration {
  name: string
  text: string
}

/** The migrations in the order of their numbers. */
export function readMigrations(): Migration[] {
  return readdirSync(fileURLToPath(FOLDER))
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .toSorted()
    .map((name) => ({ name, text: readFileSync(new URL(name, FOLDER), 'utf8') }))
}

/**
 * Brings the database to the newest schema. Each migration and the note that it ran are one transaction; two processes
 * that start together do it once.
 * @returns names of the migrations that ran now
 */
export async function migrate(pool: Pool): Promise<string[]> {
  const client = await pool.connect()
  const ran: string[] = []
  try {
    await client.query('create table if not exists schema_migration (name text primary key, ran_at timestamptz not null default now())')
    for (const migration of readMigrations()) {
      await client.query('begin')
      await client.query('lock table schema_migration in exclusive mode')
      const known = await client.query('select 1 from schema_migration where name = $1', [migration.name])
      if (known.rowCount === 0) {
        await client.query('set local lock_timeout = 0')
        await client.query('set local statement_timeout = 0')
        await client.query(migration.text)
        await client.query('insert into schema_migration (name) values ($1)', [migration.name])
        ran.push(migration.name)
      }
      await client.query('commit')
    }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
  return ran
}
