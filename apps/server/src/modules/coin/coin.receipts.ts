import type { ReceiptFinder } from '../histories/index.ts'
import { momentLine, receiptFromTransfers } from '../wallets/index.ts'

/** Finds the receipt for a coin purchase: price, total and credited wallet. */
export const findPurchaseReceipt: ReceiptFinder = async (db, memberId, id) => {
  const row = await db
    .selectFrom('coin_purchase')
    .selectAll()
    .where('public_id', '=', id)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const frame = {
    kind: 'buy-token' as const,
    id,
    title: 'Coin purchase',
    rule: 'coin amount × coin price, rounded up at the eighth decimal',
    ruleVersion: String(row.settings_version),
    rate: row.coin_price,
    rateUnit: 'USD for one coin',
    base: row.coin_amount,
    baseAsset: 'coin' as const,
    rounding: 'up',
    ...(row.reversed_at === null ? {} : { status: 'REVERSED', lines: [momentLine('Reversed', row.reversed_at)] }),
  }
  return receiptFromTransfers(db, memberId, row.posting_id, frame, { twoAssets: true })
}
