import * as wire from '@tizara/contract/staking'
import { walletsMark } from '../../ledger/index.ts'
import type { History } from '../histories/index.ts'
import { findStakeLogReceipt, findStakeReceipt } from './stake-receipt.ts'

const COUNTED = { table: 'stake', at: 'started_at', bucket: 'row.status', amount: 'row.amount' } as const
/** A paid day changes a row and the wallets, but no count or sum of the list. */
const PAID_DAILY = { also: [wire.upcoming], follows: walletsMark }

export const stakes = {
  kind: 'stake',
  lists: [wire.myStakes],
  counted: { ...COUNTED, where: 'not row.is_omega' },
  receipt: findStakeReceipt,
  ...PAID_DAILY,
} as const satisfies History
export const stakeLogs = {
  kind: 'stake-log',
  lists: [wire.myStakeLogs],
  counted: { ...COUNTED, where: 'row.is_omega' },
  receipt: findStakeLogReceipt,
  ...PAID_DAILY,
} as const satisfies History
export const stakingHistories: readonly History[] = [stakes, stakeLogs]
