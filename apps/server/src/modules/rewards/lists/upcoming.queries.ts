import type { Units } from '@tizara/money'
import { type RawBuilder, sql } from 'kysely'

/** A future payment, or the sum of several payments on one UTC day. */
export interface UpcomingReward {
  at: Date
  kind: 'daily-reward' | 'stake-log-reward' | 'nft-reward' | 'release'
  label: string
  asset: 'usd' | 'coin'
  amount: Units
  /** The stake's or NFT's public id; null for releases, which have many sources. */
  source_id: string | null
  sources: number
}

/** Release labels by reward kind. */
const HELD_LABELS = {
  referral: 'Held referral rewards',
  level: 'Held level rewards',
  'nft-level': 'Held NFT level bonuses',
  rank: 'Held rank bonus',
}

/**
 * SQL for a member's payments after now and until a time. A running stake or NFT has one row per step (RW-03, RW-06). Pending rewards have
 * one row per UTC day and kind (RW-01, RW-02, RW-05, RW-07), because a leader has thousands. Daily steps are generated only within the
 * range, because an NFT has only few months.
 */
export function upcomingRewards(memberId: bigint, now: Date, until: Date): RawBuilder<UpcomingReward> {
  return sql<UpcomingReward>`
    select due.at, case s.stream when 0 then 'daily-reward' when 1 then 'stake-log-reward' else 'nft-reward' end as kind, s.label,
      case s.stream when 2 then 'usd' else 'coin' end as asset, s.amount, s.public_id as source_id, 1 as sources
    from reward_source s
    cross join lateral generate_series(
      greatest(s.processed + 1, case when s.stream < 2 then ceil(extract(epoch from ${now}::timestamptz - s.starts_at) / 86400)::int end),
      least(s.steps, case when s.stream < 2 then floor(extract(epoch from ${until}::timestamptz - s.starts_at) / 86400)::int end)) n
    cross join lateral (select reward_step(s.stream = 2, s.starts_at, n) as at) due
    where s.member_id = ${memberId} and s.ends_at >= ${now}::timestamptz and s.reversed_at is null and s.amount > 0
      and due.at >= ${now}::timestamptz and due.at <= ${until}::timestamptz
    union all
    select min(i.release_at), 'release', l.label, lower(i.asset), sum(i.amount - i.reversed)::bigint, null, count(*)::int
    from reward_instant i join jsonb_each_text(${JSON.stringify(HELD_LABELS)}::jsonb) l (kind, label) on l.kind = i.kind
    where i.beneficiary_id = ${memberId} and i.status = 'held'
      and i.release_at >= ${now}::timestamptz and i.release_at <= ${until}::timestamptz
    group by (i.release_at at time zone 'UTC')::date, l.label, i.asset`
}
