import type { QueryOf, ReplyOf } from '@tizara/contract'
import { earlierMovements } from '@tizara/contract/wallets-movements'
import type { Db } from '../../platform/db/database.ts'
import type { History } from '../histories/index.ts'
import { findEarlierReceipt } from './earlier-receipt.ts'

const earlier = { kind: 'earlier', lists: [earlierMovements], receipt: findEarlierReceipt } as const satisfies History
export const importHistories: readonly History[] = [earlier]

/** Lists a member's movements before the move, newest first. The cost depends on the page. A cursor of another member finds nothing. */
export async function listEarlier(
  db: Db,
  memberId: bigint,
  { before, limit }: QueryOf<typeof earlierMovements>,
): Promise<ReplyOf<typeof earlierMovements>> {
  const own = db.selectFrom('import_history').selectAll().where('member_id', '=', memberId)
  const cursor = before === undefined ? undefined : await own.where('id', '=', BigInt(before)).executeTakeFirst()
  if (before !== undefined && cursor === undefined) return { data: [] }
  const from =
    cursor === undefined
      ? own
      : own.where(({ eb, refTuple, tuple }) => eb(refTuple('happened_at', 'id'), '<', tuple(cursor.happened_at, cursor.id)))
  const rows = await from
    .orderBy('happened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    data: page.map(({ id, happened_at, title, is_incoming, asset, amount }) => ({
      id: String(id),
      receipt: { kind: earlier.kind, id: String(id) },
      createdAt: happened_at,
      title,
      direction: is_incoming ? 'in' : 'out',
      asset: asset === 'USD' ? 'usd' : 'coin',
      amount,
    })),
    ...(last === undefined ? {} : { next: String(last.id) }),
  }
}
