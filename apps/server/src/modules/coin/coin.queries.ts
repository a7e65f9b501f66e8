import type { ListQuery } from '@tizara/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import { readPage, readSlice } from '../../platform/paging.ts'
import { listTally, sumOfStanding } from '../members/index.ts'

/** A member's purchases of coin, newest first (API-65). */
export async function listPurchases(db: Db, memberId: bigint, query: ListQuery) {
  const slice = readSlice(query)
  const { since, before } = slice
  const mine = db
    .selectFrom('coin_purchase')
    .where('member_id', '=', memberId)
    .$if(since !== undefined, (q) => q.where('created_at', '>=', since ?? new Date(0)))
    .$if(before !== undefined, (q) => q.where('created_at', '<', before ?? new Date(0)))
  const tally = await listTally(db, memberId, 'buy-token')
  const total =
    since === undefined && before === undefined
      ? tally.total
      : (await mine.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()).total
  const rows = await readPage(slice, total, (order, offset, limit) =>
    mine
      .select(['public_id', 'coin_amount', 'coin_price', 'total_price', 'created_at', 'undone_at'])
      .orderBy('id', order)
      .limit(limit)
      .offset(offset)
      .execute(),
  )
  const data = rows.map((row) => ({
    id: row.public_id,
    coinAmount: row.coin_amount,
    coinPrice: row.coin_price,
    totalPrice: row.total_price,
    createdAt: row.created_at,
    ...(row.undone_at === null ? {} : { status: 'UNDONE' }),
    receipt: { kind: 'buy-token' as const, id: row.public_id },
  }))
  return { data, meta: { total, page: slice.page, limit: slice.limit, sum: sumOfStanding(tally) } }
}
