import { sql } from 'kysely'
import type { Tx } from '../../../platform/database.ts'
import type { HeldPromise } from '../pool/promises.ts'
import { LEVELS } from '../programme/rewards.rules.ts'
import { releaseOf } from './hold-reward.ts'

/**
 * Holds the level rewards of sources that have just been sold (RW-02, RW-07): of each, for the five above its buyer who earn,
 * by the programme that it names, rounded down. Whoever does not earn keeps the place in the line. It is one statement beside
 * the rows, as a group of sales makes hundreds of them: `levelReward` and `shareOf` say the same of one.
 * @param sources their rows' ids
 * @returns what is held now, by kind
 */
export async function holdLevels(tx: Tx, at: Date, sources: readonly bigint[]): Promise<HeldPromise[]> {
  if (sources.length === 0) return []
  const releaseAt = await releaseOf(tx, at)
  const held = await sql<Omit<HeldPromise, 'releaseAt'>>`
    with recursive sold as materialized (
      select s.id, s.public_id, s.member_id, s.principal, s.programme_version, s.stream = 2 as is_nft,
        case s.stream when 0 then p.level_percents when 1 then p.stake_log_level_percents else p.nft_level_percents end as percents,
        case s.stream when 2 then 1 else least(s.times, p.full_level_share_days) end as days, case s.stream when 2 then 1 else p.full_level_share_days end as full_days
      from reward_source s join reward_programme p on p.version = s.programme_version where s.id = any (${sources}::bigint[])
    ), line as (
      select distinct member_id as below, member_id as place, 0 as level from sold
      union all
      select line.below, t.sponsor_id, line.level + 1 from line
      -- One by one: a join of some hundred people would read everybody.
      cross join lateral (select sponsor_id from team_member where member_id = line.place limit 1) t
      where t.sponsor_id is not null and line.level < ${LEVELS}
    ), held as (
      insert into reward_instant (kind, beneficiary_id, source_member_id, cause_type, cause_id, cause_public_id, cause_amount, level, base, percent,
        amount, asset, programme_version, status, created_at, release_at)
      select case when s.is_nft then 'nft-level' else 'level' end, line.place, s.member_id, 'source', s.id, s.public_id, s.principal, line.level,
        s.principal, s.percents[line.level], share.amount, case when s.is_nft then 'USD' else 'COIN' end, s.programme_version, 'held', ${at}, ${releaseAt}
      from sold s join line on line.below = s.member_id and line.level > 0
      cross join lateral (select is_verified and is_active as ok from member where id = line.place limit 1) earns
      cross join lateral (select div(s.principal::numeric * s.percents[line.level] * s.days, 10000000000::numeric * s.full_days)::bigint as amount) share
      where earns.ok and share.amount > 0 order by s.id, line.level
      returning kind, amount
    )
    select kind, sum(amount)::bigint as amount from held group by kind`.execute(tx)
  return held.rows.map((one) => ({ ...one, releaseAt }))
}
