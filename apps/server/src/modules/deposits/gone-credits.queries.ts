import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** What was credited for a transfer that is no longer on the chain. */
export interface GoneCredit {
  /** The deposit's id on the wire. */
  deposit: string
  asset: 'USD' | 'COIN'
  amount: Units
  /** The ledger's transfer, which two people can take back. */
  transferId: bigint
}

/**
 * What was credited for some transfers, and was not taken back.
 * @param transfers transaction, address and ordinal of each, with spaces between; at most 100 are looked up
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
