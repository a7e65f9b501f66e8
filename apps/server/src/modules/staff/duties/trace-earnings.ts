import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { type DownlineMember, earnedFrom } from '../../rewards/index.ts'

/** Maximum coin purchases summed per member and request. */
const MAX_PURCHASES = 200

/** Sums earnings from possibly self-referred members; undefined above the purchase limit. */
export async function earnedFromBelow(
  db: Db,
  pairs: readonly DownlineMember[],
): Promise<readonly ({ coin: Units; usd: Units } | undefined)[]> {
  const [sources, referrals] = await Promise.all([earnedFrom(db, pairs), referralsFrom(db, pairs)])
  return pairs.map((_, index) => {
    const [own, coin] = [sources[index], referrals[index]]
    return own === undefined || coin === undefined ? undefined : { coin: own.coin + coin, usd: own.usd }
  })
}

/** Sums referral rewards, which only the sponsor earns. */
async function referralsFrom(db: Db, pairs: readonly DownlineMember[]): Promise<readonly (Units | undefined)[]> {
  const { rows } = await sql<{ bought: number; coin: Units }>`
    with pair as (
      select * from unnest(${pairs.map((pair) => pair.memberId)}::bigint[], ${pairs.map((pair) => pair.uplineId)}::bigint[])
        with ordinality p (member_id, upline_id, ordinal)
    )
    select count(c.id)::int as bought, coalesce(sum(i.amount - i.reversed), 0)::bigint as coin
    from pair
    left join lateral (
      select id from coin_purchase where member_id = pair.member_id order by id desc limit ${MAX_PURCHASES + 1}) c on true
    left join reward_instant i on i.cause_id = c.id and i.kind = 'referral' and i.beneficiary_id = pair.upline_id
    group by pair.ordinal order by pair.ordinal`.execute(db)
  return rows.map(({ bought, coin }) => (bought > MAX_PURCHASES ? undefined : coin))
}
