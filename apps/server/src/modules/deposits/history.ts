import * as wire from '@tizara/contract/deposits'
import type { History } from '../histories/index.ts'
import { findDepositsOnChain } from './decisions/find-on-chain.ts'
import { findDepositReceipt } from './deposit-receipt.ts'

export const deposits = {
  kind: 'deposit',
  lists: [wire.depositRequests, wire.myDeposits],
  counted: { table: 'deposit', bucket: 'row.status', amount: 'row.usd_amount - row.reversed_usd' },
  receipt: findDepositReceipt,
  findOnChain: findDepositsOnChain,
} as const satisfies History
export const depositHistories: readonly History[] = [deposits]
