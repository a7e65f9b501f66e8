import type { Db } from '../../platform/db/database.ts'

/** Returns the last comparison's time, or null before the first. */
export async function lastReconciled(db: Db, chainId: number): Promise<Date | null> {
  const row = await db.selectFrom('chain_check').select('checked_at').where('chain_id', '=', BigInt(chainId)).executeTakeFirst()
  return row?.checked_at ?? null
}
