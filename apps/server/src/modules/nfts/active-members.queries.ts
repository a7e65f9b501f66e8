import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Returns the members with an NFT whose months are not over. */
export async function withActiveNft(db: Db, memberIds: readonly bigint[], now: Date): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`select m.id from unnest(${memberIds}::bigint[]) m (id)
    where exists (select from nft_purchase p where p.member_id = m.id and p.status = 'ACTIVE'
      and p.purchased_at + p.duration_months * interval '1 month' > ${now})`.execute(db)
  return rows.map(({ id }) => id)
}
