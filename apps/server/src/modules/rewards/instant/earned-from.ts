import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

/** A member and the upline at a level above. */
export interface DownlineMember {
  memberId: bigint
  uplineId: bigint
  level: number
}

/** Maximum stakes and NFTs per member that a call adds up. */
const MAX_SOURCES = 200

/**
 * Returns the level rewards and bounties that uplines earned from the stakes and NFTs of downline members. Bounties are computed for every
 * counted step, as if both members had always been eligible. The entry is undefined for a member with too many sources.
 */
export async function earnedFrom(
  db: Db,
  pairs: readonly DownlineMember[],
  max = MAX_SOURCES,
): Promise<readonly ({ coin: Units; usd: Units } | undefined)[]> {
  if (pairs.length === 0) return []
  const { rows } = await sql<{ sources: number; coin: Units; usd: Units }>`
    with pair as (
      select * from unnest(${pairs.map((pair) => pair.memberId)}::bigint[], ${pairs.map((pair) => pair.uplineId)}::bigint[],
        ${pairs.map((pair) => pair.level)}::int[]) with ordinality p (member_id, upline_id, level, ordinal)
    )
    select count(s.id)::int as sources, coalesce(sum(e.amount) filter (where s.stream < 2), 0)::bigint as coin,
      coalesce(sum(e.amount) filter (where s.stream = 2), 0)::bigint as usd
    from pair
    left join lateral (
      select id, stream, amount, processed, programme_version from reward_source where member_id = pair.member_id
      order by ends_at desc limit ${max + 1}) s on true
    left join reward_programme p on p.version = s.programme_version
    left join lateral (
      select s.processed * reward_share(s.amount, (case s.stream when 0 then p.bounty_percents when 1 then p.stake_log_bounty_percents
          else p.nft_bounty_percents end)[pair.level])
        + coalesce((select i.amount - i.reversed from reward_instant i where i.cause_id = s.id
          and i.kind = case s.stream when 2 then 'nft-level' else 'level' end and i.beneficiary_id = pair.upline_id
          and i.level = pair.level), 0) as amount) e on true
    group by pair.ordinal order by pair.ordinal`.execute(db)
  return rows.map(({ sources, coin, usd }) => (sources > max ? undefined : { coin, usd }))
}
