import { sql } from 'kysely'
import { LEVELS } from '../programme/rewards.rules.ts'

/**
 * SQL for the level rewards under a draft (RW-02, RW-07), used in a recursive `with` after a relation `sold`. `reward_open_sources`
 * computes the same for real sales; it is a function with a kept plan, because planning took longer than the execution. `levelReward` and
 * `shareOf` compute a single reward.
 */

/** Relation with the five uplines above each buyer in `sold`, and the buyer as level 0. An upline who does not earn keeps the level. */
export const lineAbove = sql`line as (
  select distinct member_id as below, member_id as upline_id, 0 as level from sold
  union all
  select line.below, t.sponsor_id, line.level + 1 from line
  -- Reads members one by one, because a join of some hundred members would read the whole table.
  cross join lateral (select sponsor_id from team_member where member_id = line.upline_id limit 1) t
  where t.sponsor_id is not null and line.level < ${LEVELS}
)`

/**
 * Returns the columns by which a programme rewards the source `s`: shares, counted days and days for a full share.
 * @param rules name of a relation with the `reward_programme` columns
 */
export function levelTerms(rules: string) {
  const of = (column: string) => sql.ref(`${rules}.${column}`)
  return sql`
    case s.stream when 0 then ${of('level_percents')} when 1 then ${of('stake_log_level_percents')} else ${of('nft_level_percents')} end as percents,
    case s.stream when 2 then 1 else least(s.steps, ${of('full_level_share_days')}) end as days,
    case s.stream when 2 then 1 else ${of('full_level_share_days')} end as full_days`
}

/**
 * Returns the source's level reward for `line.level`, in units, rounded down.
 * @param terms name of a relation with the columns of {@link levelTerms}
 */
export function levelAmount(terms: string) {
  const of = (column: string) => sql.ref(`${terms}.${column}`)
  return sql`div(s.principal::numeric * ${of('percents')}[line.level] * ${of('days')}, 10000000000::numeric * ${of('full_days')})::bigint`
}
