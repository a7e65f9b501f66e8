import { isGenuineJob } from '../jobs/job-mac.ts'
import { type AuditResult, auditRows } from '../ledger/index.ts'
import type { Db } from '../platform/db/database.ts'
import type { DataKeys } from '../platform/crypto/encrypt.ts'

const BATCH = 500

/** Verifies the MACs of all stored jobs for `ledger:audit`. A query cannot, because the database has no key. */
export const auditJobs = (db: Db, keys: DataKeys): Promise<AuditResult> =>
  auditRows({ invariant: 'I17', title: 'each background job was started by the application' }, async (after) => {
    const rows = await db.selectFrom('background_job').selectAll().where('id', '>', after).orderBy('id').limit(BATCH).execute()
    return rows.map((row) => ({ id: row.id, name: row.public_id, isValid: isGenuineJob(keys, row) }))
  })
