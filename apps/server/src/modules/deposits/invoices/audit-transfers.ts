import { numberBefore, verifyMacsAfter } from '../../../gateways/chain/index.ts'
import { type AuditResult, auditRows, type AuditWindow } from '../../../ledger/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { DataKeys } from '../../../platform/crypto/encrypt.ts'

const BATCH = 1000

/**
 * Checks the watcher's MACs for `ledger:audit`. SQL cannot, because the database does not hold the key.
 * @param window starts at the oldest transfer in its blocks; everything if omitted
 */
export async function auditFinalTransfers(db: Db, keys: DataKeys, window?: AuditWindow): Promise<AuditResult> {
  const first = window === undefined ? 0n : await numberBefore(db, window.from)
  return auditRows(
    { invariant: 'I8', title: 'each final transfer from the chain matches the record of the watcher, in the same block' },
    (after) => verifyMacsAfter(db, keys, after, BATCH),
    first,
  )
}
