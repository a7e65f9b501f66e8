import * as wire from '@tizara/contract/transfers'
import type { History } from '../histories/index.ts'
import { findExchangeReceipt } from './transfers.receipts.ts'

export const exchanges = {
  kind: 'exchange',
  lists: [wire.exchangeHistory],
  counted: { table: 'wallet_exchange', amount: 'row.amount' },
  receipt: findExchangeReceipt,
} as const satisfies History
export const transferHistories: readonly History[] = [exchanges]
