import type { Job } from '../../jobs/job.ts'
import type { Retention } from '../../jobs/retention.ts'
import { applyImport, rejectImport, startImport } from './apply-import.ts'
import { ImportRejected } from './faults.ts'
import { importMailJob } from './import-mails.ts'
import { IMPORT_JOB } from './import-progress.ts'

/** Deletes imports that were not applied, when their proposals have expired, because they contain personal data. */
export const importRetention: readonly Retention[] = [
  { table: 'import_batch', moment: `case when status in ('STAGED', 'REFUSED') then staged_at end`, days: 14 },
]

/** Applies approved imports, in a group of its own, because a large one takes minutes, and sends their mails. */
export const importJobs: Job[] = [
  {
    name: IMPORT_JOB,
    everySeconds: 10,
    group: 'import',
    run: async (lease, deps) => {
      const id = await lease.inTransaction(startImport)
      if (id === undefined) return 0
      try {
        return await lease.inLongTransaction((tx) => applyImport(tx, deps, id))
      } catch (error) {
        if (!(error instanceof ImportRejected)) throw error
        await lease.inTransaction((tx) => rejectImport(tx, deps, { id, refusal: error.message }))
        return 0
      }
    },
  },
  importMailJob,
]
