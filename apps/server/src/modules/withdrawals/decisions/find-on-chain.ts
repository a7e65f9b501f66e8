import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

/** Finds the holds of the member's newest 50 payouts with this transaction hash or address, in lower case. */
export async function findPayoutsOnChain(db: Db, memberId: bigint, text: string): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`select hold_id as id from payout_request
    where member_id = ${memberId} and (lower(tx_hash) = ${text} or lower(address) = ${text}) order by hold_id desc limit 50`.execute(db)
  return rows.map(({ id }) => id)
}
