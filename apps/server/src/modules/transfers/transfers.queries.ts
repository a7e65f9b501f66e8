import type { ListQuery } from '@tizara/contract'
import type { Db } from '../../platform/db/database.ts'
import { readHistory } from '../histories/index.ts'
import { exchanges } from './history.ts'

/** Lists a member's exchanges, newest first (API-52, EN-17). */
export async function listExchanges(db: Db, member: { memberId: bigint; email: string }, query: ListQuery) {
  const { rows, counters, meta } = await readHistory(db, exchanges, member.memberId, query)
  const data = rows.map((row) => ({
    id: row.public_id,
    createdAt: row.created_at,
    user: { email: member.email },
    amount: row.amount,
    receipt: { kind: exchanges.kind, id: row.public_id },
  }))
  return { data, meta: { ...meta, sum: counters.sum } }
}
