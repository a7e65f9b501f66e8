import { dueSeal } from '../src/ledger/index.ts'
import { sealAndTell } from '../src/main/seal-ledger.ts'
import { type Db, inTransaction } from '../src/platform/db/database.ts'
import type { Deps } from '../src/platform/runtime/deps.ts'

/**
 * Closes each past month without waiting for open transactions, because other tests share the server.
 * @returns the number of closed months
 */
export async function sealMonths(db: Db, deps: Pick<Deps, 'clock'>): Promise<number> {
  for (let sealed = 0; ; sealed += 1) {
    const due = await dueSeal(db, deps.clock.now())
    if (due === undefined) return sealed
    await inTransaction(db, (tx) => sealAndTell(tx, deps, due))
  }
}
