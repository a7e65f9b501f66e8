import type { ReplyOf, Route } from '@tizara/contract'
import { CompiledQuery } from 'kysely'
import { AppError } from '../platform/app-error.ts'
import { inTransaction, isRepeatable, sqlState, type Tx } from '../platform/database.ts'
import { faultPoint } from '../platform/fault-point.ts'
import { type Answer, type Context, given, moneyCall, refusal } from './call.ts'
import { toErrorReply } from './error-reply.ts'
import { type GivenAnswer, onceEach } from './idempotency.ts'
import type { MoneyRoute, Together } from './money-calls.ts'
import type { BindOptions } from './read-call.ts'

/** Calls that run at a time when a group failed and each goes alone. */
const ALONE = 4

/** What became of a call, and the refusal that it met just now: a stored one is none. */
export interface Outcome {
  result: GivenAnswer | Error
  refused: AppError | undefined
}

/**
 * Runs the calls in one transaction. If it fails as a whole and it is certain that nothing of it was kept, each call goes
 * alone; so does one that only lost against another transaction.
 */
export async function runTogether<R extends Route>(options: BindOptions, money: MoneyRoute<R>, calls: Context<R>[]): Promise<Outcome[]> {
  let committing = false
  try {
    const done = await inTransaction(options.db, async (tx) => {
      committing = false
      const outcomes = await work(tx, options, money, calls)
      faultPoint('before_commit')
      committing = true
      return outcomes
    })
    const lost = done.flatMap(({ result }, place) => (isRepeatable(result) ? [place] : []))
    const again = await alone(lost, (place) => runAlone(options, money, calls[place]))
    lost.forEach((place, index) => (done[place] = again[index] ?? done[place] ?? failed(new AppError('INTERNAL'))))
    return done
  } catch (error) {
    if (calls.length === 1 || !worthRetrying(error, committing)) return calls.map(() => failed(error))
    return alone(calls, (call) => runAlone(options, money, call))
  }
}

const failed = (error: unknown): Outcome => ({ result: asError(error), refused: error instanceof AppError ? error : undefined })

async function runAlone<R extends Route>(options: BindOptions, money: MoneyRoute<R>, call: Context<R> | undefined): Promise<Outcome> {
  const [outcome] = call === undefined ? [] : await runTogether(options, money, [call])
  return outcome ?? failed(new AppError('INTERNAL'))
}

async function work<R extends Route>(tx: Tx, { deps }: BindOptions, money: MoneyRoute<R>, calls: Context<R>[]): Promise<Outcome[]> {
  const keys = calls.map((call) => moneyCall(money.route, call.viewer, call.caller))
  const refusals = new Map<number, AppError>()
  const results = await onceEach(tx, keys, deps.clock.now(), async (open) => {
    const answers = await money.together(
      tx,
      deps,
      open.flatMap((place) => calls[place] ?? []),
    )
    if (answers.length !== open.length) throw new Error(`${open.length} calls got ${answers.length} answers`)
    return answers.map((one, index) => {
      if (!(one instanceof Error)) return given(money.route, one)
      if (!(one instanceof AppError) || one.statusCode >= 500) return one
      refusals.set(open[index] ?? -1, one)
      return refusal(one)
    })
  })
  return results.map((result, place) => ({ result, refused: refusals.get(place) ?? (result instanceof AppError ? result : undefined) }))
}

/**
 * Makes a handler of single calls work for a group: each call has a savepoint, so that one that is refused or fails leaves
 * nothing behind and the others go on. They go in the order of the rows that they lock: by slot of the house's accounts,
 * then by member.
 */
export function oneByOne<R extends Route>(handler: (context: Context<R> & { tx: Tx }) => Promise<Answer<ReplyOf<R>>>): Together<R> {
  return async (tx, _, calls) => {
    const results: (Answer<ReplyOf<R>> | Error)[] = []
    let savepoint = SAVEPOINT
    for (const { call, place } of calls.map((call, place) => ({ call, place })).toSorted((a, b) => lockOrder(a.call, b.call))) {
      if (savepoint !== undefined) await tx.executeQuery(savepoint)
      try {
        results[place] = await handler({ ...call, tx })
        savepoint = NEXT_SAVEPOINT
      } catch (error) {
        if (calls.length === 1 && !(error instanceof AppError)) throw error
        await tx.executeQuery(UNDO)
        savepoint = undefined
        results[place] = asError(error)
      }
    }
    return results
  }
}

const SAVEPOINT: CompiledQuery | undefined = CompiledQuery.raw('savepoint call')
const NEXT_SAVEPOINT = CompiledQuery.raw('release savepoint call; savepoint call')
/** Leaves the savepoint where it is, for the next call. */
const UNDO = CompiledQuery.raw('rollback to savepoint call')

/** Rows that a house account is spread over. */
const SLOTS = 16n

function lockOrder<R extends Route>(a: Context<R>, b: Context<R>): number {
  const [one, other] = [a.viewer?.memberId ?? 0n, b.viewer?.memberId ?? 0n]
  return Number((one % SLOTS) - (other % SLOTS)) || (one < other ? -1 : one > other ? 1 : 0)
}

/**
 * Whether nothing of a failed transaction was kept and trying its calls one by one makes sense. A lost connection says
 * nothing about a commit that was under way; and while the database is away, each try would only wait once more.
 */
function worthRetrying(error: unknown, committing: boolean): boolean {
  const state = sqlState(error)
  if (state !== undefined && /^(?:[0-4]\d|55|57014|P0|XX)/.test(state) && !/^(?:08|53)/.test(state)) return true
  return !committing && toErrorReply(error).body.statusCode !== 503
}

async function alone<In, Out>(items: readonly In[], run: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = []
  let next = 0
  const lane = async () => {
    for (let place = next++; place < items.length; place = next++) {
      const item = items[place]
      if (item !== undefined) results[place] = await run(item)
    }
  }
  await Promise.all(Array.from({ length: ALONE }, lane))
  return results
}

/** Whatever was thrown, as an Error. */
export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
