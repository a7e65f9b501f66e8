import type { Db } from '../platform/db/database.ts'

/** Result from a job's last runs. */
export interface RecurringJobState {
  name: string
  lastDoneAt: Date | null
  /** Error from the last run, start and length of the current failure series. */
  error: string | null
  failingSince: Date | null
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
