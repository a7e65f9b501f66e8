import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { ASSET_OF_KIND, type MonthSum } from '../instant/earned.ts'

/** Months listed one by one, the current one included. */
const MONTHS = 12

/**
 * Sums a member's future rewards by UTC month: remaining payments of own stakes and NFTs, and pending rewards (RW-02, RW-03, RW-06). The
 * first month includes overdue payments. The payments of a month are computed by arithmetic, so the cost depends on the number of running
 * sources and not on their days.
 */
export async function promisedTo(db: Db, memberId: bigint, now: Date) {
  const { rows } = await sql<Omit<MonthSum, 'month'> & { month: string | null }>`
    with first as (select date_trunc('month', ${now}::timestamptz at time zone 'UTC') as at),
    range as (
      select n, to_char(first.at + n * interval '1 month', 'YYYY-MM') as month,
        case when n > 0 then (first.at + n * interval '1 month') at time zone 'UTC' end as since,
        (first.at + (n + 1) * interval '1 month') at time zone 'UTC' as until
      from first, generate_series(0, ${MONTHS} - 1) n
      union all
      select ${MONTHS}, null, (first.at + ${MONTHS} * interval '1 month') at time zone 'UTC', 'infinity' from first
    ), source as (
      select * from reward_source where member_id = ${memberId} and ends_at >= ${now}::timestamptz - interval '1 month'
        and reversed_at is null and amount > 0 and processed < steps
    ), promised as (
      select range.month, case s.stream when 0 then 'daily' else 'stake-log' end as kind, s.amount * (due.upto - due.before) as amount
      from source s cross join range cross join lateral (
        select greatest(s.processed, least(s.steps, steps.upto)) as upto, greatest(s.processed, least(s.steps, steps.before)) as before
        from (select
          case when range.until = 'infinity' then s.steps else ceil(extract(epoch from range.until - s.starts_at) / 86400)::int - 1 end as upto,
          case when range.since is null then 0 else ceil(extract(epoch from range.since - s.starts_at) / 86400)::int - 1 end as before) steps
      ) due where s.stream < 2 and due.upto > due.before
      union all
      select range.month, 'nft-monthly', s.amount from source s cross join lateral generate_series(s.processed + 1, s.steps) n
      cross join lateral (select reward_step(true, s.starts_at, n) as at) due
      join range on (range.since is null or due.at >= range.since) and due.at < range.until
      where s.stream = 2
      union all
      select range.month, i.kind, i.amount - i.reversed from reward_instant i
      join range on (range.since is null or i.release_at >= range.since) and i.release_at < range.until
      where i.beneficiary_id = ${memberId} and i.status = 'held'
    )
    select month, kind, ${ASSET_OF_KIND}, sum(amount)::bigint as amount from promised group by 1, 2 having sum(amount) > 0
    order by month nulls last, kind`.execute(db)
  return {
    months: rows.flatMap(({ month, ...sum }) => (month === null ? [] : [{ month, ...sum }])),
    later: rows.flatMap(({ month, ...sum }) => (month === null ? [sum] : [])),
  }
}
