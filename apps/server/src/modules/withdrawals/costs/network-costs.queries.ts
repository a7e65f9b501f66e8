import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'

/** Final transaction signed by the platform, with its gas cost. */
export interface FinalTransaction {
  hash: string
  /** Origin of the fee: a payout, a token sweep or its gas, or an adopted transaction that moved no money. */
  source: 'PAYOUT' | 'MOVE' | 'EMPTY'
  wei: bigint
  endedAt: Date
}

/**
 * SQL: time from which to search for fees that are not booked: one day before the newest booking, because rows may be stored out of order.
 */
const since = (source: FinalTransaction['source']) => sql`
  coalesce((select max(ended_at) from network_cost where source = ${source}) - interval '1 day', timestamptz '-infinity')`

/**
 * Returns final, unbooked transactions, oldest first. Gas sent to an address stays with the platform and is no cost.
 */
export async function unbookedTransactions(db: Db, limit: number): Promise<FinalTransaction[]> {
  const { rows } = await sql<Omit<FinalTransaction, 'wei'> & { wei: string }>`
    select * from (
      select t.hash, 'PAYOUT' as source, t.gas_paid::text as wei, s.ended_at as "endedAt"
      from payout_sending s join signed_transaction t on t.request_id = s.request_id and t.block is not null
      where s.ended_at > ${since('PAYOUT')}
      union all select t.hash, 'MOVE', t.gas_paid::text, m.ended_at
      from chain_move m join signed_transaction t on t.move_id = m.id and t.block is not null where m.ended_at > ${since('MOVE')}
      union all select e.hash, 'EMPTY', e.gas_paid::text, e.ended_at from hot_wallet_empty e where e.ended_at > ${since('EMPTY')}) final
    where not exists (select from network_cost c where c.hash = final.hash) order by "endedAt", hash limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, wei: BigInt(row.wei) }))
}

/** Network costs, and the fees paid by members. */
export interface NetworkCosts {
  transactions: number
  /** Total in wei, and its booked value. */
  wei: bigint
  usd: Units
  /** Network fees from approved withdrawals, in USD units. */
  networkFees: Units
}

/** Returns the costs on the days before a time. */
export async function networkCosts(db: Db, now: Date, days: number): Promise<NetworkCosts> {
  const from = new Date(now.getTime() - days * DAY_MS)
  const { rows } = await sql<{ transactions: number; wei: string; usd: Units; networkFees: Units }>`
    select count(*)::int as transactions, coalesce(sum(wei), 0)::text as wei, coalesce(sum(usd), 0)::bigint as usd,
      (select coalesce(sum(network_fee), 0)::bigint from payout_request
        where kind = 'withdrawal' and status = 'APPROVED' and decided_at > ${from}) as "networkFees"
    from network_cost where source in ('PAYOUT', 'MOVE', 'EMPTY') and ended_at > ${from}`.execute(db)
  const [row] = rows
  return { transactions: row?.transactions ?? 0, wei: BigInt(row?.wei ?? '0'), usd: row?.usd ?? 0n, networkFees: row?.networkFees ?? 0n }
}
