import type { Db } from '../platform/database.ts'

/** How the sweeps of the worker did last: when one was done, and what failed if its last run did. */
export async function jobStates(db: Db): Promise<{ name: string; lastDoneAt: Date | null; error: string | null }[]> {
  const rows = await db.selectFrom('job_lease').select(['name', 'last_finished_at', 'last_error']).orderBy('name').execute()
  return rows.map((row) => ({ name: row.name, lastDoneAt: row.last_finished_at, error: row.last_error }))
}
