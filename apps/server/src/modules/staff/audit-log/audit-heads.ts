import type { Db } from '../../../platform/db/database.ts'
import { auditHead, hashesOf, listRestores } from '../../audit/index.ts'
import { type AnchorConfig, savedAnchors } from './audit-anchor-file.ts'

/** A row that breaks the audit log: changed, deleted with all later rows, or different from its saved hash. */
export interface AuditLogFault {
  row: string
  what: 'CHANGED' | 'CUT' | 'FORGED' | 'UNSIGNED'
}

/**
 * Compares the saved heads with the log. A head beyond the last row proves a cut end, which no chain reveals. A missing or
 * different row proves a rewritten log, unless a later restore has reused the numbers of the lost rows.
 * A head with a wrong signature proves that someone changed the file.
 * @param upTo the log's last row, if known
 * @returns the oldest head that does not match; undefined if all do
 */
export async function firstHeadMismatch(db: Db, config: AnchorConfig, upTo?: bigint): Promise<AuditLogFault | undefined> {
  const anchors = savedAnchors(config)
  if (anchors.length === 0) return undefined
  const last = upTo ?? (await auditHead(db))?.id ?? 0n
  const hashes = await hashesOf(
    db,
    anchors.map((anchor) => anchor.row),
  )
  const bad = anchors.find(({ row, hash, isSigned }) => !isSigned || hashes.get(row) !== hash)
  if (bad === undefined) return undefined
  if (!bad.isSigned) return { row: String(bad.row), what: 'UNSIGNED' }
  const isLost = bad.row > last || (await listRestores(db)).some(({ at, head }) => bad.row > head && bad.at <= at)
  return { row: String(bad.row), what: isLost ? 'CUT' : 'FORGED' }
}

const DESCRIPTIONS: Readonly<Record<AuditLogFault['what'], string>> = {
  CHANGED: 'was changed, or an earlier row is missing',
  CUT: 'is missing: the end of the log was cut off',
  FORGED: 'does not match its hash stored outside the database',
  UNSIGNED: 'has a hash stored outside the database that was changed, or signed with another DATA_KEY',
}

/** Describes a finding: `row 29 is missing: the end of the log was cut off`. */
export const describeFault = ({ row, what }: AuditLogFault): string => `row ${row} ${DESCRIPTIONS[what]}`
