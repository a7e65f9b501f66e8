import type { ListQuery } from '@tizara/contract'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { readHistory, sumWithoutReversed } from '../histories/index.ts'
import { purchases } from './history.ts'

/** Lists a member's coin purchases, newest first (API-65). */
export async function listPurchases(db: Db, memberId: bigint, query: ListQuery) {
  const { rows, counters, meta } = await readHistory(db, purchases, memberId, query)
  const data = rows.map((row) => ({
    id: row.public_id,
    coinAmount: row.coin_amount,
    coinPrice: row.coin_price,
    totalPrice: row.total_price,
    createdAt: row.created_at,
    ...(row.reversed_at === null ? {} : { status: 'REVERSED' }),
    receipt: { kind: purchases.kind, id: row.public_id },
  }))
  return { data, meta: { ...meta, sum: sumWithoutReversed(counters) } }
}

/** Maximum purchases that a call adds up. */
const MAX_PURCHASES = 2000

/** Returns a member's USD spent on coin, without reversed purchases; undefined above `most` purchases. */
export async function spentOnCoin(db: Db, memberId: bigint, max = MAX_PURCHASES): Promise<Units | undefined> {
  const { rows } = await sql<{ count: number; spent: Units }>`
    select count(*)::int as count, coalesce(sum(charged) filter (where reversed_at is null), 0)::bigint as spent
    from (select charged, reversed_at from coin_purchase where member_id = ${memberId} order by id desc limit ${max + 1}) p`.execute(db)
  const [found] = rows
  return found === undefined || found.count > max ? undefined : found.spent
}
