import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { TeamStake } from '../team/index.ts'

/** Reads the newest stakes per member, without reversed stakes. */
export async function newestStakes(db: Db, memberIds: readonly bigint[], limit: number): Promise<Map<bigint, TeamStake[]>> {
  const { rows } = await sql<TeamStake & { memberId: bigint }>`
    select w.id as "memberId", s.amount as "stakeAmount", s.started_at as "createdAt"
    from unnest(${memberIds}::bigint[]) w (id) cross join lateral (
      select id, amount, started_at from stake where member_id = w.id and reversed_at is null order by id desc limit ${limit}
    ) s order by s.id desc`.execute(db)
  return Map.groupBy(rows, ({ memberId }) => memberId)
}
