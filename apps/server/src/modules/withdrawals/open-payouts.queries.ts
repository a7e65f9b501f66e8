import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'

/** Open payouts in one asset and state, by time since the request. */
export interface OpenPayouts {
  asset: 'usd' | 'coin'
  /** Awaits the owner's confirmation, a staff decision, or the end of its transaction on the chain. */
  state: 'unconfirmed' | 'pending' | 'sending'
  upToOneDay: number
  upToThreeDays: number
  older: number
  /** Requested amount, in units. */
  amount: Units
}

/** Counts the open withdrawals and bridges by state and age. Reads only open requests. */
export async function countOpenPayouts(db: Db, now: Date): Promise<OpenPayouts[]> {
  const [oneDay, threeDays] = [1, 3].map((days) => new Date(now.getTime() - days * DAY_MS))
  const { rows } = await sql<OpenPayouts>`
    select case p.kind when 'bridge' then 'coin' else 'usd' end as asset, p.state,
      count(*) filter (where p.created_at >= ${oneDay})::int as "upToOneDay",
      count(*) filter (where p.created_at < ${oneDay} and p.created_at >= ${threeDays})::int as "upToThreeDays",
      count(*) filter (where p.created_at < ${threeDays})::int as older, sum(p.amount)::bigint as amount
    from (
      select kind, created_at, amount, 'unconfirmed' as state from payout_request where status = 'PENDING' and confirmed_at is null
      union all select kind, created_at, amount, 'pending' from payout_request where status = 'PENDING' and confirmed_at is not null
      union all select r.kind, r.created_at, r.amount, 'sending' from payout_sending s join payout_request r on r.id = s.request_id
        where s.state in ('QUEUED', 'SIGNED', 'MINED')) p
    where p.kind <> 'transfer' group by 1, 2 order by 1 desc, 2`.execute(db)
  return rows
}
