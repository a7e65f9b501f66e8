import type { ReplyOf, Route } from '@tizara/contract'
import { CompiledQuery } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { withFrozenClock } from '../../platform/runtime/clock.ts'
import { type Db, executeDeferred, inTransaction, limitTime, sqlState, type Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { faultPoint } from '../../platform/runtime/fault-point.ts'
import { type Answer, callShape, type Context, storedResponse, moneyCall, errorResponse } from './call.ts'
import { toErrorReply } from './error-reply.ts'
import { type StoredResponse, onceEach } from './idempotency.ts'
import type { BindOptions, DeniedCall } from './read-call.ts'
import { oncePerWindow } from './duplicate-window.ts'
import type { Viewer } from './session-guard.ts'

/** Answers the calls of a batch, in order. A refused call must leave no rows behind; throwing rolls back the whole batch. */
export type BatchHandler<R extends Route> = (tx: Tx, deps: Deps, calls: Context<R>[]) => Promise<(Answer<ReplyOf<R>> | Error)[]>

/** Options of a call with writes. */
export interface WriteOptions<R extends Route> {
  /**
   * Runs after a refusal by the rules, when the call's changes are rolled back, such as to record the attempt. Does not run for a repeated
   * key.
   */
  onRejection?(context: Context<R> & { db: Db }, error: AppError): Promise<void>
  /** Runs after a staff call was rejected by the viewer's role, before its input was read. */
  onDenied?(call: DeniedCall, error: AppError): Promise<void>
}

export interface MoneyRoute<R extends Route> extends WriteOptions<R> {
  route: R
  together: BatchHandler<R>
  /** Maximum number of calls per transaction, and of concurrent transactions. While one transaction waits for the disk, others continue. */
  maxCalls: number
  maxTransactions: number
}

/** Parallel calls after a failed batch, when each call runs alone. */
const MAX_SINGLE_CALLS = 4
/** Maximum wait of a batch for a locked row in ms. After this time each call runs alone, and only the calls that need the row wait. */
const BATCH_LOCK_MS = 300
/** Time limit in ms for a batch including single retries, so each call is answered in time. */
const GROUP_MS = 8_000

/** The result of a call, and its new refusal. A stored refusal is not new. */
export interface Outcome {
  result: StoredResponse | Error
  refused: AppError | undefined
}

/**
 * Runs the calls in one transaction. If the transaction fails without a commit, or waits too long for a row, each call runs alone.
 * @param onOutcome gets the result of each call that runs alone as soon as the call ends
 */
export async function runBatch<R extends Route>(
  options: BindOptions,
  money: MoneyRoute<R>,
  calls: Context<R>[],
  onOutcome?: (index: number, outcome: Outcome) => void,
): Promise<Outcome[]> {
  const end = performance.now() + GROUP_MS
  let committing = false
  try {
    return await inTransaction(options.db, async (tx) => {
      committing = false
      if (calls.length > 1) await executeDeferred(tx, `select set_config('lock_timeout', $1, true)`, [String(BATCH_LOCK_MS)])
      const outcomes = await work(tx, options, money, calls)
      faultPoint('before_commit')
      committing = true
      return outcomes
    })
  } catch (error) {
    if (calls.length === 1 || !worthRetrying(error, committing)) return calls.map(() => failed(error))
    return runSingly(calls, async (call, index) => {
      const outcome = await runSingleCall(options, money, call, end)
      onOutcome?.(index, outcome)
      return outcome
    })
  }
}

async function runSingleCall<R extends Route>(options: BindOptions, money: MoneyRoute<R>, call: Context<R>, end: number): Promise<Outcome> {
  const left = end - performance.now()
  if (left <= 0) return failed(new AppError('BUSY'))
  const limited: BatchHandler<R> = async (tx, deps, calls) => {
    await limitTime(tx, left)
    return money.together(tx, deps, calls)
  }
  const [outcome] = await runBatch(options, { ...money, together: limited }, [call])
  return outcome ?? failed(new AppError('INTERNAL'))
}

const failed = (error: unknown): Outcome => ({ result: asError(error), refused: error instanceof AppError ? error : undefined })

async function work<R extends Route>(tx: Tx, { deps }: BindOptions, money: MoneyRoute<R>, calls: Context<R>[]): Promise<Outcome[]> {
  const keys = calls.map((call) => moneyCall(money.route, call.viewer, call.caller))
  const refusals = new Map<number, AppError>()
  const act = withFrozenClock(deps)
  const run = async (open: number[]) => {
    const answers = await money.together(
      tx,
      act,
      open.flatMap((index) => calls[index] ?? []),
    )
    if (answers.length !== open.length) throw new Error(`${open.length} calls got ${answers.length} answers`)
    return answers.map((one, index) => {
      if (!(one instanceof Error)) return storedResponse(money.route, one)
      // Temporary refusals are not stored under the key.
      if (!(one instanceof AppError) || one.statusCode >= 500 || one.statusCode === 429) return one
      refusals.set(open[index] ?? -1, one)
      return errorResponse(one)
    })
  }
  const now = deps.clock.now()
  const results = await onceEach(tx, keys, now, async (open) => {
    const keyless = open.flatMap((index) => {
      const call = calls[index]
      const viewer: Viewer | null | undefined = call?.viewer
      if (call === undefined || viewer === null || viewer === undefined || keys[index] !== undefined) return []
      return [{ ...callShape(money.route, viewer, call.caller), index }]
    })
    if (keyless.length === 0) return run(open)
    const keyed = open.filter((index) => keys[index] !== undefined)
    const outcomes = await oncePerWindow(tx, keyless, now, run, keyed)
    return open.map((index) => outcomes.get(index) ?? new AppError('INTERNAL'))
  })
  return results.map((result, index) => ({ result, refused: refusals.get(index) ?? (result instanceof AppError ? result : undefined) }))
}

/**
 * Runs a single call in a savepoint, so that its refusal can be stored under the idempotency key. A larger batch is rolled
 * back, and each call runs alone.
 */
export function withSavepoint<R extends Route>(batch: BatchHandler<R>): BatchHandler<R> {
  return async (tx, deps, calls) => {
    if (calls.length !== 1) return batch(tx, deps, calls)
    await tx.executeQuery(CompiledQuery.raw('savepoint call'))
    try {
      return await batch(tx, deps, calls)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await tx.executeQuery(CompiledQuery.raw('rollback to savepoint call'))
      return [error]
    }
  }
}

/**
 * Returns true if a failed transaction was certainly rolled back and single retries make sense. If the connection was lost at the commit,
 * the result is unknown. If the database is down, each retry would only wait again.
 */
export function worthRetrying(error: unknown, committing: boolean): boolean {
  const state = sqlState(error)
  if (state !== undefined && /^(?:[0-4]\d|55|57014|P0|TZ|XX)/.test(state) && !/^(?:08|53)/.test(state)) return true
  return !committing && toErrorReply(error).body.statusCode !== 503
}

async function runSingly<In, Out>(items: readonly In[], run: (item: In, index: number) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index]
      if (item !== undefined) results[index] = await run(item, index)
    }
  }
  await Promise.all(Array.from({ length: MAX_SINGLE_CALLS }, worker))
  return results
}

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
