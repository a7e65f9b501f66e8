import * as wire from '@tizara/contract/coin'
import type { History } from '../histories/index.ts'
import { findPurchaseReceipt } from './coin.receipts.ts'

export const purchases = {
  kind: 'buy-token',
  lists: [wire.buyTokenHistory],
  counted: { table: 'coin_purchase', bucket: "case when row.reversed_at is null then '' else 'REVERSED' end", amount: 'row.coin_amount' },
  receipt: findPurchaseReceipt,
} as const satisfies History
export const coinHistories: readonly History[] = [purchases]
