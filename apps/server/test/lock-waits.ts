import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'

/** Lists the locks for which transactions of this database wait. */
export const lockWaits = async (db: Db): Promise<unknown[]> => {
  const sessions = sql`select pid from pg_stat_activity where datname = current_database()`
  return (await sql`select from pg_locks where not granted and pid in (${sessions})`.execute(db)).rows
}
