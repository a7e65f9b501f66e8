import { formatUnits, type Units } from '@tizara/money'
import { AppError } from '../platform/runtime/app-error.ts'
import type { AccountRef, AnyAccountRef } from './chart-of-accounts.ts'
import type { TransferKindName } from './transfer-kinds.ts'

/** Cause of a transfer: the table and id of its row. */
export interface Cause {
  type: string
  id: string
}

/** Transfer of an amount between two accounts of the same asset. */
export interface Transfer {
  from: AccountRef
  to: AccountRef
  /** Units, above 0. */
  amount: Units
  /** Kind of the transfer; the posting's kind if omitted. */
  kind?: TransferKindName | undefined
  /** New money (RW-01) moved first, in units. A wallet adds new money if its other money does not cover the amount. */
  newMoney?: Units | undefined
}

/** Transfers posted together or not at all, in order. Each must be covered at its turn. */
export interface Posting {
  /** Kind of the posting, such as `stake` or `buyToken`. */
  kind: TransferKindName
  cause: Cause
  /** Time of the posting, by the instance's clock. */
  at: Date
  /** Version of the rule (price, plan, rate) for the amounts. */
  ruleVersion?: number | undefined
  /** Posted at most once under this key; a repeat gets the first result (invariant I10). */
  key?: string | undefined
  transfers: readonly Transfer[]
}

/** A posted transfer, with both balances after the transfer. */
interface PostedTransfer {
  id: bigint
  fromBalance: Units
  toBalance: Units
  /** New-money part of the amount, in units. */
  newMoney: Units
}

export interface Posted {
  postingId: bigint
  /** One transfer per requested transfer, in the same order. */
  transfers: PostedTransfer[]
  /** True if the key was used for the same posting before. */
  repeated: boolean
}

/** Why a posting was refused, by the codes of the contract's catalogue. */
export interface Rejection {
  refused: 'INSUFFICIENT_BALANCE' | 'COIN_SOLD_OUT' | 'SALES_FUND_SHORT' | 'NOT_COVERED' | 'BUSY' | 'IDEMPOTENCY_KEY_REUSED' | 'STOPPED'
  /** The account without sufficient balance, if this is the reason. */
  account: AnyAccountRef | null
  /** Units in the sales fund at this posting's turn, if it lacks the amount. */
  available?: Units
  /** Reason of the emergency pause, if this is the reason. */
  why?: string
}

/** Returns true if a result of `postBatch` is a refusal. */
export function isRejected(result: Posted | Rejection): result is Rejection {
  return 'refused' in result
}

/** Converts the refusal to the error of use cases. */
export function rejectionError(rejection: Rejection): AppError {
  const { refused: code, why, available } = rejection
  return new AppError(code, {
    ...(why === undefined ? {} : { why }),
    ...(available === undefined ? {} : { available: formatUnits(available) }),
  })
}

/** Converts a refusal of `postBatch` to an error, and returns any other result unchanged. */
export const orError = (result: Posted | Rejection): Posted | AppError => (isRejected(result) ? rejectionError(result) : result)

/**
 * Returns the error code for an account with too low a balance. Coin stock, sales fund and reward pool have separate codes.
 * @param available sum of all shards of a system account, in units
 */
export function rejectionFor(account: AnyAccountRef, available: Units | null): Rejection {
  if ('system' in account && account.system === 'SYS-COIN') return { refused: 'COIN_SOLD_OUT', account }
  if ('system' in account && account.system === 'SYS-SALES') return { refused: 'SALES_FUND_SHORT', account, available: available ?? 0n }
  if ('system' in account && account.system === 'SYS-REWARD') return { refused: 'NOT_COVERED', account }
  return { refused: 'INSUFFICIENT_BALANCE', account }
}
