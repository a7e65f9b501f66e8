import { sql } from 'kysely'
import { type Db, sqlState, type Tx } from '../platform/db/database.ts'

/** Commands whose runs are recorded. */
type Command = 'audit' | 'audit-chain' | 'audit-heads' | 'backup' | 'ledger-check' | 'weekly-report'

/** SQLSTATE for a read-only database, such as a replica. */
const READ_ONLY = '25006'

/** Records the end of a command, with the time of the database, for monitoring. Does nothing on a replica. */
export async function recordCommandRun(db: Db, name: Command, succeeded: boolean, detail: string): Promise<void> {
  try {
    await sql`
      insert into command_last_run (name, finished_at, succeeded, detail) values (${name}, clock_timestamp(), ${succeeded}, ${detail.slice(0, 300)})
      on conflict (name) do update set finished_at = excluded.finished_at, succeeded = excluded.succeeded, detail = excluded.detail`.execute(
      db,
    )
  } catch (error) {
    if (sqlState(error) !== READ_ONLY) throw error
  }
}

/**
 * Returns true if a command ended within the given seconds, by the database's clock. A later time is ignored: it is from
 * before that clock was set back.
 */
export async function hasRunWithin(db: Db, name: Command, seconds: number): Promise<boolean> {
  const { rows } = await sql`select from command_last_run where name = ${name}
    and finished_at between clock_timestamp() - make_interval(secs => ${seconds}) and clock_timestamp()`.execute(db)
  return rows.length > 0
}

/**
 * Records a run for a day, once. A second call for the same or an earlier day changes nothing.
 * @param day UTC day, `2026-11-22`
 * @returns true for the first call
 */
export async function claimRunOf(tx: Tx, name: Command, day: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into command_last_run (name, finished_at, succeeded, detail) values (${name}, clock_timestamp(), true, ${day})
    on conflict (name) do update set finished_at = excluded.finished_at, detail = excluded.detail
    where command_last_run.detail < excluded.detail`.execute(tx)
  return numAffectedRows === 1n
}
