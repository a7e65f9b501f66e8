import { type Keeper, lostHead, sayBad } from '../modules/staff/index.ts'
import type { Db } from '../platform/db/database.ts'
import { about, type Finding } from './finding.ts'

/** Whether the audit log still holds the heads that are kept outside the database: a cut end shows nowhere else. */
export async function auditLogFindings(db: Db, config: Keeper): Promise<Finding[]> {
  const { good, bad } = about('audit log')
  const lost = await lostHead(db, config)
  return [lost === undefined ? good('holds every head that is kept outside') : bad(sayBad(lost), 'see docs/operations.md, “The audit log”')]
}
