import { dueClose } from '../src/ledger/index.ts'
import { closeAndAudit } from '../src/modules/audit/close-months.ts'
import { type Db, inTransaction } from '../src/platform/db/database.ts'
import type { Deps } from '../src/platform/runtime/deps.ts'

/**
 * Closes each past month without waiting for open transactions, because other tests share the server.
 * @returns the number of closed months
 */
export async function closeMonths(db: Db, deps: Pick<Deps, 'clock'>): Promise<number> {
  for (let closed = 0; ; closed += 1) {
    const due = await dueClose(db, deps.clock.now())
    if (due === undefined) return closed
    await inTransaction(db, (tx) => closeAndAudit(tx, deps, due))
  }
}
