import { fillText } from '@tizara/contract/response-texts'
import { formatUnits } from '@tizara/money'
import { settingsOf } from '../settings/index.ts'
import type { ReceiptFinder } from '../histories/index.ts'
import { receiptFromTransfers } from '../wallets/index.ts'

export const findExchangeReceipt: ReceiptFinder = async (db, memberId, id) => {
  const row = await db
    .selectFrom('wallet_exchange')
    .selectAll()
    .where('public_id', '=', id)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { exchangeLimit } = await settingsOf(db, row.settings_version)
  return receiptFromTransfers(db, memberId, row.posting_id, {
    kind: 'exchange',
    id,
    title: 'Exchange to my wallet',
    rule: fillText("1 to 1, up to {limit} % of the ICO Wallet's balance", { limit: formatUnits(exchangeLimit) }),
    rate: exchangeLimit,
    rateUnit: 'percent of the balance before',
    ruleVersion: String(row.settings_version),
  })
}
