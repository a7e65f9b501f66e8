import type { ReceiptFinder } from '../histories/index.ts'

/** Finds the receipt of a movement before the move: a text of the earlier platform, without any transfer of the ledger. */
export const findEarlierReceipt: ReceiptFinder = async (db, memberId, id) => {
  if (!/^\d{1,18}$/.test(id)) return undefined
  const row = await db
    .selectFrom('import_history')
    .selectAll()
    .where('id', '=', BigInt(id))
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const [earlier, own] = [{ label: 'Earlier platform' }, { label: 'Your account there' }]
  return {
    kind: 'earlier',
    id,
    title: 'Before the move',
    asset: row.asset === 'USD' ? 'usd' : 'coin',
    amount: row.amount,
    ...(row.is_incoming ? { from: earlier, to: own } : { from: own, to: earlier }),
    rule: 'A record of the earlier platform. It has already been counted in the balance that moved.',
    createdAt: row.happened_at,
    lines: [{ label: 'Movement', value: row.title }, ...(row.reference === '' ? [] : [{ label: 'Reference', value: row.reference }])],
  }
}
