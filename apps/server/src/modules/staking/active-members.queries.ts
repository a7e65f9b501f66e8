import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Returns those of the members who have a running stake. */
export async function withRunningStake(db: Db, memberIds: readonly bigint[]): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`select m.id from unnest(${memberIds}::bigint[]) m (id)
    where exists (select from stake s where s.member_id = m.id and s.status = 'ACTIVE')`.execute(db)
  return rows.map(({ id }) => id)
}
