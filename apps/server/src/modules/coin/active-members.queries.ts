import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Returns the members with a coin purchase since a time that was not reversed. */
export async function withCoinPurchase(db: Db, memberIds: readonly bigint[], since: Date): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`select m.id from unnest(${memberIds}::bigint[]) m (id)
    cross join lateral (select p.created_at from coin_purchase p where p.member_id = m.id and p.reversed_at is null
      order by p.id desc limit 1) newest
    where newest.created_at >= ${since}`.execute(db)
  return rows.map(({ id }) => id)
}
