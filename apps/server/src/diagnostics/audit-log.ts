import { type AnchorConfig, firstHeadMismatch, describeFault } from '../modules/staff/index.ts'
import type { Db } from '../platform/db/database.ts'
import { findingsFor, type Finding } from './finding.ts'

/** Checks that the audit log contains the hashes stored outside the database, because only this reveals a truncated log. */
export async function auditLogFindings(db: Db, config: AnchorConfig): Promise<Finding[]> {
  const { good, bad } = findingsFor('audit log')
  const lost = await firstHeadMismatch(db, config)
  return [
    lost === undefined
      ? good('contains every hash that is stored outside the database')
      : bad(describeFault(lost), 'follow “The audit log” in docs/operations.md'),
  ]
}
