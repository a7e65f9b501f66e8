import type { Db } from '../platform/db/database.ts'

/** Result of a job's last runs. */
export interface RecurringJobState {
  name: string
  lastDoneAt: Date | null
  /** Error of the last run. */
  error: string | null
  /** Start of the current series of failed runs. */
  failingSince: Date | null
  /** Number of runs in this series. */
  failures: number
}

/** Reads time and error of the last run of each recurring job. */
export async function jobStates(db: Db): Promise<RecurringJobState[]> {
  const rows = await db
    .selectFrom('job_lease')
    .select(['name', 'last_finished_at', 'last_error', 'failing_since', 'failures'])
    .orderBy('name')
    .execute()
  return rows.map((row) => ({
    name: row.name,
    lastDoneAt: row.last_finished_at,
    error: row.last_error,
    failingSince: row.failing_since,
    failures: row.failures,
  }))
}
