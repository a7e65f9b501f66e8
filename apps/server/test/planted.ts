import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'

/** Opens a transaction as the database owner, so that no trigger prevents damage. */
export async function openForDamage(db: Db): Promise<{ connection: Db; close: () => Promise<void> }> {
  let release = () => {}
  const connection = await new Promise<Db>((ready) => {
    void db.connection().execute(async (own) => {
      ready(own)
      await new Promise<void>((done) => {
        release = done
      })
    })
  })
  await sql`begin`.execute(connection)
  for (const table of ['ledger_transfer', 'ledger_account', 'ledger_reversal', 'audit_event'])
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(connection)
  const constraints = await sql<{ text: string }>`select format('alter table %s drop constraint %I', conrelid::regclass, conname) as text
    from pg_constraint where contype = 'c' and conrelid::regclass::text !~ '\\.' and conrelid <> 0`.execute(connection)
  for (const { text } of constraints.rows) await sql.raw(text).execute(connection)
  const close = async () => {
    await sql`rollback`.execute(connection)
    release()
  }
  return { connection, close }
}

/** Plants damage, runs the check, and rolls back. */
export async function planted<T>(connection: Db, damage: string, look: () => Promise<T>): Promise<T> {
  await sql`savepoint sound`.execute(connection)
  try {
    await sql.raw(damage).execute(connection)
    return await look()
  } finally {
    await sql`rollback to savepoint sound`.execute(connection)
  }
}
