import { sql } from 'kysely'
import { type Db, sqlState } from '../platform/db/database.ts'

/** What is noted when it has run. */
type Command = 'audit' | 'audit-chain' | 'audit-heads' | 'backup' | 'ledger-check'

/** A database that only reads: a replica, or one that was opened so. */
const READ_ONLY = '25006'

/** Notes how a command ended, by the database's clock, for whoever watches the house. A replica keeps no note. */
export async function recordCommandRun(db: Db, name: Command, good: boolean, detail: string): Promise<void> {
  try {
    await sql`
      insert into command_run (name, finished_at, good, detail) values (${name}, clock_timestamp(), ${good}, ${detail.slice(0, 300)})
      on conflict (name) do update set finished_at = excluded.finished_at, good = excluded.good, detail = excluded.detail`.execute(db)
  } catch (error) {
    if (sqlState(error) !== READ_ONLY) throw error
  }
}

/**
 * Whether a command ended within so many seconds, by the database's clock. A moment that is still to come was noted before that clock was
 * set back, and says nothing about now.
 */
export async function ranWithin(db: Db, name: Command, seconds: number): Promise<boolean> {
  const { rows } = await sql`select from command_run where name = ${name}
    and finished_at between clock_timestamp() - make_interval(secs => ${seconds}) and clock_timestamp()`.execute(db)
  return rows.length > 0
}
