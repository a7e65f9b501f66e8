import type { Db } from '../platform/db/database.ts'

/** How a sweep did last. */
export interface RecurringJobState {
  name: string
  lastDoneAt: Date | null
  /** What failed, if its last run did; since when each run fails, and how many did. */
  error: string | null
  failingSince: Date | null
  tries: number
}

/** How the sweeps of the worker did last: when one was done, and what failed if its last run did. */
export async function jobStates(db: Db): Promise<RecurringJobState[]> {
  const rows = await db
    .selectFrom('job_lease')
    .select(['name', 'last_finished_at', 'last_error', 'failing_since', 'tries'])
    .orderBy('name')
    .execute()
  return rows.map((row) => ({
    name: row.name,
    lastDoneAt: row.last_finished_at,
    error: row.last_error,
    failingSince: row.failing_since,
    tries: row.tries,
  }))
}
