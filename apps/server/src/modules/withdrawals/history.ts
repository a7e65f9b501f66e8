import { walletHistory, walletHoldings } from '@tizara/contract/wallets'
import * as wire from '@tizara/contract/withdrawals'
import type { History } from '../histories/index.ts'
import { findPayoutsOnChain } from './decisions/find-on-chain.ts'
import { findBridgeReceipt, findWithdrawalReceipt } from './withdrawals.receipts.ts'

/** An approved payout leaves the held money, which moves no wallet. */
const also = [walletHoldings, walletHistory]
const COUNTED = { table: 'payout_request', bucket: 'row.status', amount: 'row.amount' } as const

export const withdrawals = {
  kind: 'withdrawal',
  lists: [wire.withdrawalHistory],
  counted: { ...COUNTED, where: "row.kind = 'withdrawal'" },
  receipt: findWithdrawalReceipt,
  // Bridges are in the same table.
  findOnChain: findPayoutsOnChain,
  also,
} as const satisfies History
export const bridges = {
  kind: 'bridge',
  lists: [wire.bridgeHistory],
  counted: { ...COUNTED, where: "row.kind = 'bridge'" },
  receipt: findBridgeReceipt,
  also,
} as const satisfies History
export const withdrawalHistories: readonly History[] = [withdrawals, bridges]
