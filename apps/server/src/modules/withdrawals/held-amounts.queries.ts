import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/**
 * Returns a member's open holds in units, just before each of these times: payouts and transfers that were requested and not decided.
 */
export async function heldAt(db: Db, memberId: bigint, times: readonly Date[]): Promise<{ usd: Units; coin: Units }[]> {
  const earliest = new Date(Math.min(...times.map((time) => time.getTime())))
  const { rows } = await sql<{ usd: bigint; coin: bigint }>`
    select coalesce(sum(r.amount) filter (where r.kind <> 'bridge'), 0)::bigint as usd,
      coalesce(sum(r.amount) filter (where r.kind = 'bridge'), 0)::bigint as coin
    from unnest(${times}::timestamptz[]) with ordinality m (at, ordinal)
    left join (
      select kind, amount, created_at, decided_at from payout_request
      where member_id = ${memberId} and (decided_at is null or decided_at >= ${earliest})) r
      on r.created_at < m.at and (r.decided_at is null or r.decided_at >= m.at)
    group by m.ordinal order by m.ordinal`.execute(db)
  return rows
}

/**
 * Sums the amounts that left a member's holds from a time on, by UTC day: approved payouts, fees included. A payout that was returned later
 * counts as negative on the day of the return. A confirmed transfer is not included, because the amount returns to the wallet before it
 * leaves.
 */
export async function paidOutSince(
  db: Db,
  memberId: bigint,
  since: Date,
): Promise<{ day: string; asset: 'USD' | 'COIN'; amount: Units }[]> {
  const { rows } = await sql<{ day: string; asset: 'USD' | 'COIN'; amount: bigint }>`
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, case kind when 'bridge' then 'COIN' else 'USD' end as asset,
      sum(amount)::bigint as amount
    from (
      select decided_at as at, kind, amount from payout_request
      where member_id = ${memberId} and kind <> 'transfer' and decided_at >= ${since} and (status = 'APPROVED' or returned_at is not null)
      union all
      select returned_at, kind, -amount from payout_request where member_id = ${memberId} and returned_at >= ${since}) moved
    group by 1, 2`.execute(db)
  return rows
}
