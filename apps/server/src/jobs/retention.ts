import { sql } from 'kysely'
import { DAY_MS } from '../platform/runtime/clock.ts'
import type { DB } from '../platform/db/tables.generated.ts'
import type { Job } from './job.ts'

/** Rule for expired rows: the job deletes each row a number of days after its given time. */
export interface Retention {
  table: keyof DB
  /** SQL expression for the time of a row, identical to the index's expression. Rows with null are not deleted. */
  moment: string
  days: number
}

/** Rows deleted per transaction, so that locks are short. */
const BATCH = 1000

/**
 * The job that deletes expired rows of all modules.
 * @param retentions retention periods; each time column has an index, so that an idle run is cheap
 */
export function retentionJob(retentions: readonly Retention[]): Job {
  return {
    name: 'forget-old-rows',
    everySeconds: 30,
    run: async (lease, deps) => {
      let forgotten = 0
      for (const { table, moment, days } of retentions) {
        const before = new Date(deps.clock.now().getTime() - days * DAY_MS)
        forgotten += await lease.untilDone(async (tx) => {
          const result = await sql`
            delete from ${sql.table(table)} where ctid = any(array(
              select ctid from ${sql.table(table)} where ${sql.raw(moment)} < ${before} limit ${BATCH} for update skip locked))`.execute(tx)
          const deleted = Number(result.numAffectedRows ?? 0n)
          return { done: deleted, more: deleted === BATCH }
        })
      }
      return forgotten
    },
  }
}
