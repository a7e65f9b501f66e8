import { ONE, type Units } from '@tizara/money'
import type { Db, Tx } from '../src/platform/db/database.ts'

/** Covers the liabilities of any test, in units of each asset. */
const AMPLE = 10_000_000_000n * ONE

/**
 * Sets the operator's commitment in both assets, in units. By default it covers every sale, and the pool stays as it is.
 * Unlike `setRewardPolicy` it accepts an amount below the liabilities, which sales can meet when a blocked member returns.
 */
export async function setCommitment(db: Db | Tx, amount: Units = AMPLE): Promise<void> {
  const policy = {
    committed_coin: amount,
    committed_usd: amount,
    reason: 'test',
    created_by: null,
    created_at: new Date('2026-01-05T08:00:00Z'),
  }
  await db.insertInto('reward_policy').values(policy).execute()
}
