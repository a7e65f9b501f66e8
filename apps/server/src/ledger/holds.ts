import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { AppError, forEachOk, unwrapSingle } from '../platform/runtime/app-error.ts'
import type { Db } from '../platform/db/database.ts'
import { type AccountRef, systemAccountId, type WalletKind, WALLETS } from './chart-of-accounts.ts'
import { firstOf, accountIdOf, postResolved, shardOf } from './post.ts'
import { type Cause, isRejected, type Posted, rejectionError } from './posting.ts'
import type { TransferKindName } from './transfer-kinds.ts'

/** Input of a hold: the amount leaves the wallet at once and stays in SYS-HOLD until the end of the hold. */
export interface HoldInput {
  from: { owner: bigint; kind: WalletKind }
  amount: Units
  kind: TransferKindName
  cause: Cause
  at: Date
  ruleVersion?: number | undefined
  key?: string | undefined
}

/** An amount on hold. `settle` and `release` require the `holdId`. */
export interface Hold {
  holdId: bigint
  /** Balance of the wallet after the hold. */
  fromBalance: Units
  repeated: boolean
}

/** Settles a hold: moves its amount to the given accounts, leg by leg. */
export interface SettleInput {
  holdId: bigint
  kind: TransferKindName
  cause: Cause
  at: Date
  ruleVersion?: number | undefined
  /** The amounts sum to the amount on hold. */
  legs: readonly { to: AccountRef; amount: Units; kind?: TransferKindName | undefined }[]
}

/** Releases a hold: returns the whole amount to its source, with its new money. */
export interface ReleaseInput {
  holdId: bigint
  kind: TransferKindName
  cause: Cause
  at: Date
}

/**
 * Puts an amount on hold (MF-03, MF-04): wallet → SYS-HOLD. Exactly one `settle` or `release` ends the hold.
 * @throws AppError INSUFFICIENT_BALANCE; IDEMPOTENCY_KEY_REUSED when the key was used for something else
 */
export async function hold(tx: Db, input: HoldInput): Promise<Hold> {
  return unwrapSingle(await holdEach(tx, [input]))
}

/**
 * Puts several amounts on hold, like `hold`. The use case may have rejected some inputs already.
 * @returns one result per input, in order: the hold, or the refusal; a refused input has no effect
 */
export async function holdEach(tx: Db, requested: readonly (HoldInput | AppError)[]): Promise<(Hold | AppError)[]> {
  return forEachOk(requested, async (inputs) => {
    const spread = shardOf(inputs.map(({ from }) => from))
    const postings = inputs.map(({ from, amount, ...posting }) => ({
      ...posting,
      pending: true,
      transfers: [{ debit: accountIdOf(from, spread), credit: systemAccountId('SYS-HOLD', WALLETS[from.kind].asset, spread), amount }],
    }))
    return (await postResolved(tx, postings)).map((result) => {
      if (isRejected(result)) return rejectionError(result)
      const posted = firstOf(result.transfers)
      return { holdId: posted.id, fromBalance: posted.fromBalance, repeated: result.repeated }
    })
  })
}

/**
 * Settles a hold: pays the amount to the given accounts (invariant I7).
 * @throws AppError ALREADY_DECIDED when it was ended before; NOT_FOUND when there is no such hold
 * @throws RangeError when the legs do not add up to the amount on hold
 */
export async function settle(tx: Db, input: SettleInput): Promise<Posted> {
  const held = await findHold(tx, input.holdId)
  const { legs, holdId, ...posting } = input
  if (legs.reduce((sum, leg) => sum + leg.amount, 0n) !== held.amount) throw new RangeError(`the legs of hold ${holdId} do not add up`)
  const transfers = legs.map((leg) => ({
    debit: held.credit_account,
    credit: accountIdOf(leg.to, held.debit_account / 16n),
    amount: leg.amount,
    kind: leg.kind,
  }))
  return end(tx, { ...posting, key: resolutionKey(holdId), resolves: holdId, transfers })
}

/**
 * Releases a hold: returns the whole amount to the wallet (invariant I7).
 * @throws AppError ALREADY_DECIDED when it was ended before; NOT_FOUND when there is no such hold
 */
export async function release(tx: Db, input: ReleaseInput): Promise<Posted> {
  const held = await findHold(tx, input.holdId)
  const { holdId, ...posting } = input
  const transfer = { debit: held.credit_account, credit: held.debit_account, amount: held.amount, newMoney: held.new_money ?? undefined }
  return end(tx, { ...posting, key: resolutionKey(holdId), resolves: holdId, transfers: [transfer] })
}

const resolutionKey = (holdId: bigint) => `hold:${holdId}`

async function end(tx: Db, posting: Parameters<typeof postResolved>[1][number]): Promise<Posted> {
  const result = firstOf(await postResolved(tx, [posting]))
  if (isRejected(result)) throw result.refused === 'IDEMPOTENCY_KEY_REUSED' ? new AppError('ALREADY_DECIDED') : rejectionError(result)
  if (result.repeated) throw new AppError('ALREADY_DECIDED')
  return result
}

async function findHold(tx: Db, holdId: bigint) {
  const found = await sql<{ debit_account: bigint; credit_account: bigint; amount: bigint; new_money: bigint | null }>`
    select debit_account, credit_account, amount, new_money from ledger_transfer where id = ${holdId} and pending`.execute(tx)
  const row = found.rows[0]
  if (row === undefined) throw new AppError('NOT_FOUND')
  return row
}
