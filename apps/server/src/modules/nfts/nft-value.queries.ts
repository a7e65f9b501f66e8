import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Returns the USD prices paid for a member's running NFTs, in units, just before each of these times. An NFT ends with its last month. */
export async function nftValueAt(db: Db, memberId: bigint, times: readonly Date[]): Promise<Units[]> {
  const { rows } = await sql<{ value: bigint }>`
    select coalesce(sum(p.price), 0)::bigint as value
    from unnest(${times}::timestamptz[]) with ordinality m (at, ordinal)
    left join nft_purchase p on p.member_id = ${memberId} and p.purchased_at < m.at and (p.reversed_at is null or p.reversed_at >= m.at)
      and p.purchased_at + p.duration_months * interval '1 month' >= m.at
    group by m.ordinal order by m.ordinal`.execute(db)
  return rows.map(({ value }) => value)
}
