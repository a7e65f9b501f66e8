import * as wire from '@tizara/contract/withdrawals'
import type { History } from '../histories/index.ts'
import { findBridgeReceipt, findWithdrawalReceipt } from './withdrawals.receipts.ts'

const COUNTED = { table: 'payout_request', bucket: 'row.status', amount: 'row.amount' } as const

export const withdrawals = {
  kind: 'withdrawal',
  lists: [wire.withdrawalHistory],
  counted: { ...COUNTED, where: "row.kind = 'withdrawal'" },
  receipt: findWithdrawalReceipt,
} as const satisfies History
export const bridges = {
  kind: 'bridge',
  lists: [wire.bridgeHistory],
  counted: { ...COUNTED, where: "row.kind = 'bridge'" },
  receipt: findBridgeReceipt,
} as const satisfies History
export const withdrawalHistories: readonly History[] = [withdrawals, bridges]
