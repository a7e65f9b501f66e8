import { sql } from 'kysely'
import { LEVELS } from '../programme/rewards.rules.ts'

/*
 * SQL of the level rewards of sources (RW-02, RW-07) for what a draft would hold. It stands in a recursive `with` behind a
 * relation `sold`. `reward_open_sources` says the same of what is held, as a function, whose plan is kept: planning it for each
 * group of sales took longer than running it. `levelReward` and `shareOf` say it of one.
 */

/** The five above each buyer of `sold`, with the buyers themselves as level 0. Whoever does not earn keeps the place in the line. */
export const lineAbove = sql`line as (
  select distinct member_id as below, member_id as place, 0 as level from sold
  union all
  select line.below, t.sponsor_id, line.level + 1 from line
  -- One by one: a join of some hundred people would read everybody.
  cross join lateral (select sponsor_id from team_member where member_id = line.place limit 1) t
  where t.sponsor_id is not null and line.level < ${LEVELS}
)`

/**
 * The columns by which the source `s` pays under a programme: shares by level, and its days of how many.
 * @param rules name of a relation with the columns of `reward_programme`
 */
export function levelTerms(rules: string) {
  const of = (column: string) => sql.ref(`${rules}.${column}`)
  return sql`
    case s.stream when 0 then ${of('level_percents')} when 1 then ${of('stake_log_level_percents')} else ${of('nft_level_percents')} end as percents,
    case s.stream when 2 then 1 else least(s.times, ${of('full_level_share_days')}) end as days,
    case s.stream when 2 then 1 else ${of('full_level_share_days')} end as full_days`
}

/**
 * The reward of the source `s` for `line.level`, in units, rounded down.
 * @param terms name of a relation with the columns of {@link levelTerms}
 */
export function levelAmount(terms: string) {
  const of = (column: string) => sql.ref(`${terms}.${column}`)
  return sql`div(s.principal::numeric * ${of('percents')}[line.level] * ${of('days')}, 10000000000::numeric * ${of('full_days')})::bigint`
}
