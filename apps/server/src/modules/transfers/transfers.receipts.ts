import type { ReceiptFinder } from '../wallets/index.ts'
import { receiptFromTransfers } from '../wallets/index.ts'

/** The receipt of an exchange from the ICO wallet. */
export const findExchangeReceipt: ReceiptFinder = async (db, memberId, id) => {
  const row = await db
    .selectFrom('wallet_exchange')
    .selectAll()
    .where('public_id', '=', id)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return receiptFromTransfers(db, memberId, row.posting_id, {
    kind: 'exchange',
    id,
    title: 'Exchange to my wallet',
    rule: '1:1, up to the share of the ICO wallet that the settings allow',
    ruleVersion: String(row.settings_version),
  })
}
