import type { upcomingItem } from '@tizara/contract/staking'
import { type RawBuilder, sql } from 'kysely'
import type { InferOutput } from 'valibot'
import { DAY_MS } from '../../platform/clock.ts'
import type { Db } from '../../platform/database.ts'
import type { DueDay } from './calendar.rules.ts'

/** Most items of one answer; the soonest are kept. */
const MAX_ITEMS = 1000

interface DueRow {
  at: Date
  kind: DueDay['kind']
  label: string
  asset: 'usd' | 'coin'
  amount: bigint
  /** Null for released rewards, which have many. */
  source_id: string | null
}

/** What a release is called, by kind of reward. */
const HELD_LABELS = sql`(values ('referral', 'Held referral rewards'), ('level', 'Held level rewards'), ('nft-level', 'Held NFT level bonuses'), ('rank', 'Held rank bonus'))`

/**
 * Everything that a member's running stakes and NFTs will pay after now and until a moment, one row each (RW-03, RW-06,
 * RW-11), and the held rewards that are paid by then (RW-01, RW-02, RW-05, RW-07), one row a UTC day and kind: a leader
 * has thousands. A reward day k is due k x 24 hours after the start, an NFT's month k on the same day k months later.
 */
function dueRows(memberId: bigint, now: Date, until: Date): RawBuilder<DueRow> {
  return sql<DueRow>`
    select started_at + k * interval '24 hours' as at,
           case when is_omega then 'stake-log-reward' else 'daily-reward' end as kind,
           plan_name as label, 'coin' as asset, daily_reward as amount, public_id as source_id, 1 as sources
    from stake, lateral generate_series(
      greatest(paid_days + 1, ceil(extract(epoch from ${now}::timestamptz - started_at) / 86400)::int),
      least(duration_days, floor(extract(epoch from ${until}::timestamptz - started_at) / 86400)::int)) as k
    where member_id = ${memberId} and status = 'ACTIVE' and daily_reward > 0
    union all
    select matures_at, 'maturity', plan_name, 'coin', amount, public_id, 1
    from stake
    where member_id = ${memberId} and status = 'ACTIVE' and matures_at >= ${now}::timestamptz and matures_at <= ${until}::timestamptz
    union all
    select at, 'nft-reward', name, 'usd', monthly_reward, public_id, 1
    from nft_purchase, lateral generate_series(months_paid + 1, duration_months) as m,
      lateral (select ((purchased_at at time zone 'UTC') + m * interval '1 month') at time zone 'UTC' as at) as due
    where member_id = ${memberId} and status = 'ACTIVE' and monthly_reward > 0
      and at >= ${now}::timestamptz and at <= ${until}::timestamptz
    union all
    select min(i.release_at), 'release', l.label, lower(i.asset), sum(i.amount - i.reversed)::bigint, null, count(*)::int
    from reward_instant i join ${HELD_LABELS} l (kind, label) on l.kind = i.kind
    where i.beneficiary_id = ${memberId} and i.status = 'held'
      and i.release_at >= ${now}::timestamptz and i.release_at <= ${until}::timestamptz
    group by (i.release_at at time zone 'UTC')::date, l.label, i.asset`
}

const until = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS)

/** The items of the days to come, soonest first. */
export async function upcomingItems(db: Db, memberId: bigint, now: Date, days: number): Promise<InferOutput<typeof upcomingItem>[]> {
  const due = await sql<DueRow>`
    select * from (${dueRows(memberId, now, until(now, days))}) as due order by at, kind, source_id, label limit ${MAX_ITEMS}`.execute(db)
  return due.rows.map((row) => ({
    at: row.at,
    kind: row.kind,
    label: row.label,
    asset: row.asset,
    amount: row.amount,
    ...(row.source_id === null ? {} : { sourceId: row.source_id }),
  }))
}

/** The same, added up per UTC day and kind. */
export async function upcomingByDay(db: Db, memberId: bigint, now: Date, days: number): Promise<DueDay[]> {
  const due = await sql<DueDay>`
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, kind, asset, sum(amount)::bigint as amount, sum(sources)::int as sources
    from (${dueRows(memberId, now, until(now, days))}) as due group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return due.rows
}
