import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

/** Finds the newest 50 credits of the member's deposits with this transaction hash or payment address, in lower case. */
export async function findDepositsOnChain(db: Db, memberId: bigint, text: string): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`select t.transfer_id as id from invoice_transfer t join deposit d on d.id = t.deposit_id
    where d.member_id = ${memberId} and t.transfer_id is not null and (lower(t.tx_hash) = ${text} or lower(d.address) = ${text})
    order by t.transfer_id desc limit 50`.execute(db)
  return rows.map(({ id }) => id)
}
