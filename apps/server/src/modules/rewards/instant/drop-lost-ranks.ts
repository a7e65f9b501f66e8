import { sql } from 'kysely'
import type { Tx } from '../../../platform/database.ts'
import { currentProgramme } from '../programme/programme.ts'

/**
 * Sets everyone above a member, whose undone stake has made the teams smaller, back to the rank that the team still
 * reaches. The bonus of a lost rank stays held: it is released when the team stands there again (RW-05, once per rank).
 */
export async function dropLostRanks(tx: Tx, memberId: bigint, at: Date): Promise<void> {
  const { ranks } = await currentProgramme(tx, at)
  await sql`
    with recursive line as (
      select sponsor_id as id from team_member where member_id = ${memberId} and sponsor_id is not null
      union all
      select t.sponsor_id from line join team_member t on t.member_id = line.id where t.sponsor_id is not null
    ), rank as (
      select * from unnest(${ranks.map((one) => one.rank)}::text[], ${ranks.map((one) => one.teamStake)}::bigint[]) r (name, team_stake)
    ), ranked as (
      select m.id, had.team_stake from line join member m on m.id = line.id join rank had on had.name = m.rank
    ), pending as (
      select p.member_id, sum(p.stake)::bigint as stake from team_pending(0) p where p.member_id in (select id from ranked) group by 1
    ), team as (
      select ranked.id, ranked.team_stake, coalesce(t.stake, 0) + coalesce(p.stake, 0) as stake
      from ranked left join team_total t on t.member_id = ranked.id left join pending p on p.member_id = ranked.id
    )
    update member m set updated_at = ${at},
      rank = (select name from rank where rank.team_stake <= team.stake order by rank.team_stake desc limit 1)
    from team where m.id = team.id and team.stake < team.team_stake`.execute(tx)
}
