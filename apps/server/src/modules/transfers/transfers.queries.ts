import type { ListQuery } from '@tizara/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import { readPage, readSlice } from '../../platform/paging.ts'
import { listTally } from '../members/index.ts'

/** A member's exchanges, newest first (API-52, EN-17). */
export async function listExchanges(db: Db, member: { memberId: bigint; email: string }, query: ListQuery) {
  const slice = readSlice(query)
  const { since, before } = slice
  const mine = db
    .selectFrom('wallet_exchange')
    .where('member_id', '=', member.memberId)
    .$if(since !== undefined, (q) => q.where('created_at', '>=', since ?? new Date(0)))
    .$if(before !== undefined, (q) => q.where('created_at', '<', before ?? new Date(0)))
  const tally = await listTally(db, member.memberId, 'exchange')
  const total =
    since === undefined && before === undefined
      ? tally.total
      : (await mine.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()).total
  const rows = await readPage(slice, total, (order, offset, limit) =>
    mine.select(['public_id', 'amount', 'created_at']).orderBy('id', order).limit(limit).offset(offset).execute(),
  )
  const data = rows.map((row) => ({
    id: row.public_id,
    createdAt: row.created_at,
    user: { email: member.email },
    amount: row.amount,
    receipt: { kind: 'exchange' as const, id: row.public_id },
  }))
  return { data, meta: { total, page: slice.page, limit: slice.limit, sum: tally.sum } }
}
