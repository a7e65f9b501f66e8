import { sql } from 'kysely'
import { type Db, sqlState } from '../platform/database.ts'

/** A database that only reads: a replica, or one that was opened so. */
const READ_ONLY = '25006'

/** Notes how a command ended, by the database's clock, for whoever watches the house. A replica keeps no note. */
export async function noteCommandRun(
  db: Db,
  name: 'audit' | 'audit-chain' | 'backup' | 'ledger-check',
  good: boolean,
  detail: string,
): Promise<void> {
  try {
    await sql`
      insert into command_run (name, finished_at, good, detail) values (${name}, clock_timestamp(), ${good}, ${detail.slice(0, 300)})
      on conflict (name) do update set finished_at = excluded.finished_at, good = excluded.good, detail = excluded.detail`.execute(db)
  } catch (error) {
    if (sqlState(error) !== READ_ONLY) throw error
  }
}
