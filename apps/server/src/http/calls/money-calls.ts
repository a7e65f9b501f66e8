import type { Route } from '@tizara/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/runtime/fault-point.ts'
import { createGroupCommit } from '../../platform/db/group-commit.ts'
import { ANSWER_MS, answerWithin } from './request-timeout.ts'
import { type Context, sendStored, urlOf } from './call.ts'
import type { StoredResponse } from './idempotency.ts'
import { asError, type MoneyRoute, runBatch } from './money-group.ts'
import { admit, admitBeforeBody, type BindOptions, needsSession, readInput } from './read-call.ts'
import { readToken } from './session-guard.ts'

/** A validated call that waits for its batch. The batch loads its session. */
interface QueuedCall {
  /** Deadline of the caller's answer. Work that has not begun by then is skipped. */
  until: number
  input: Omit<Context<Route>, 'viewer'>
}

/**
 * Binds a call that moves money. The call is checked on arrival and then waits for its batch, which has one session look-up and one
 * transaction; each call gets its own response. A single call is a batch of one.
 * @throws Error for a route that moves no money, with a request limit, an upload or without a session
 */
export function bindMoney<R extends Route>(options: BindOptions, money: MoneyRoute<R>): void {
  const { route } = money
  if (route.money !== true) throw new Error(`${route.name} moves no money`)
  if (route.limited === true || route.upload !== undefined || !needsSession(route)) throw new Error(`${route.name} can't be grouped`)
  const group = createGroupCommit<QueuedCall, StoredResponse>({
    run: (items, answerNow) => runGroup(options, money, items, answerNow),
    maxBatch: money.maxCalls,
    maxInFlight: money.maxTransactions,
  })
  options.app.route({
    method: route.method,
    url: urlOf(route),
    ...answerWithin(ANSWER_MS),
    ...admitBeforeBody(options, route, money),
    handler: async (request, reply) => {
      const until = performance.now() + ANSWER_MS
      const token = readToken(request.headers.authorization)
      if (token === undefined) throw new AppError('UNAUTHENTICATED')
      let input
      try {
        input = readInput(options.deps, route, request, reply, token)
      } catch (error) {
        // Access and role are checked before the body.
        await admit(options, route, money, request)
        throw error
      }
      return sendStored(reply, await group.submit({ until, input }))
    },
  })
}

async function runGroup<R extends Route>(
  options: BindOptions,
  money: MoneyRoute<R>,
  items: QueuedCall[],
  answerNow: (index: number, result: StoredResponse | Error) => void,
) {
  // Requests that arrive in one turn of the event loop share one query.
  const now = performance.now()
  const admitted = await Promise.allSettled(
    items.map(({ until, input: { caller } }) =>
      until <= now ? Promise.reject(new AppError('BUSY')) : admit(options, money.route, money, caller.request),
    ),
  )
  const results: (StoredResponse | Error | undefined)[] = admitted.map((one) =>
    one.status === 'rejected' ? asError(one.reason) : undefined,
  )
  const indexes: number[] = []
  const calls: Context<R>[] = []
  admitted.forEach((one, index) => {
    const item = items[index]
    if (one.status === 'rejected' || item === undefined) return
    indexes.push(index)
    calls.push({ ...item.input, viewer: one.value } as Context<R>)
  })
  if (calls.length > 0) {
    const single = new Map<number, Promise<StoredResponse | Error>>()
    const outcomes = await runBatch(options, money, calls, (index, outcome) => {
      const result = recordRejections(options.db, money, calls[index], outcome)
      single.set(index, result)
      void result.then((one) => answerNow(indexes[index] ?? -1, one))
    })
    for (const [index, position] of indexes.entries()) {
      const one = outcomes[index]
      if (one !== undefined) results[position] = await (single.get(index) ?? recordRejections(options.db, money, calls[index], one))
    }
    faultPoint('after_commit_before_response')
  }
  return results.map((result) => result ?? new AppError('INTERNAL'))
}

/** Calls the route's `onRejection` after the rollback of the call. */
async function recordRejections<R extends Route>(
  db: Db,
  { onRejection }: MoneyRoute<R>,
  call: Context<R> | undefined,
  { result, refused }: { result: StoredResponse | Error; refused: AppError | undefined },
): Promise<StoredResponse | Error> {
  if (refused === undefined || onRejection === undefined || call === undefined) return result
  return onRejection({ ...call, db }, refused).then(() => result, asError)
}
