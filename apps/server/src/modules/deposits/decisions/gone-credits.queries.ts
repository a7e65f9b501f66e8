import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

/** Credit of a transfer that has left the chain. */
export interface GoneCredit {
  /** Public deposit id. */
  deposit: string
  asset: 'USD' | 'COIN'
  amount: Units
  /** Ledger transfer, reversible by two people. */
  transferId: bigint
}

/**
 * Returns the credits of the given transfers that were not reversed.
 * @param transfers transaction, address and ordinal of each, separated by spaces; the query reads at most 100
 */
export async function creditsOf(db: Db, transfers: readonly string[]): Promise<GoneCredit[]> {
  if (transfers.length === 0) return []
  const { rows } = await sql<GoneCredit>`
    select d.public_id as deposit, t.asset, t.amount, t.transfer_id as "transferId"
    from invoice_transfer t join deposit d on d.id = t.deposit_id
    where lower(t.tx_hash) = any(${transfers.map((one) => one.split(' ')[0] ?? '')}::text[]) and t.credited_at is not null and not t.is_live
      and concat_ws(' ', t.tx_hash, split_part(t.transfer_key, ':', 4), split_part(split_part(t.transfer_key, '#', 1), ':', 5)) = any(${transfers}::text[])
      and not exists (select from ledger_reversal r where r.reverses = t.transfer_id)
    order by t.transfer_id limit 100`.execute(db)
  return rows
}
