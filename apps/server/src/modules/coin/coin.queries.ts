import type { ListQuery } from '@tizara/contract'
import type { Db } from '../../platform/database.ts'
import { readHistory, sumOfStanding } from '../members/index.ts'
import { purchases } from './history.ts'

/** A member's purchases of coin, newest first (API-65). */
export async function listPurchases(db: Db, memberId: bigint, query: ListQuery) {
  const { rows, tally, meta } = await readHistory(db, purchases, memberId, query)
  const data = rows.map((row) => ({
    id: row.public_id,
    coinAmount: row.coin_amount,
    coinPrice: row.coin_price,
    totalPrice: row.total_price,
    createdAt: row.created_at,
    ...(row.undone_at === null ? {} : { status: 'UNDONE' }),
    receipt: { kind: purchases.kind, id: row.public_id },
  }))
  return { data, meta: { ...meta, sum: sumOfStanding(tally) } }
}
