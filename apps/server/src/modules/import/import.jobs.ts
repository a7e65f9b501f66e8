import type { Job } from '../../jobs/job.ts'
import type { Retention } from '../../jobs/retention.ts'
import { applyImport } from './apply-import.ts'

/** Deletes imports that were not applied, when their proposals have expired, because they contain personal data. */
export const importRetention: readonly Retention[] = [
  { table: 'import_batch', moment: `case when status in ('STAGED', 'REFUSED') then staged_at end`, days: 14 },
]

/** Applies approved imports, in a group of its own, because a large one takes minutes. */
export const importJobs: Job[] = [
  { name: 'import', everySeconds: 10, group: 'import', run: (lease, deps) => lease.inTransaction((tx) => applyImport(tx, deps)) },
]
