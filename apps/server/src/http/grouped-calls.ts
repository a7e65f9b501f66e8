import type { ReplyOf, Route } from '@tizara/contract'
import { AppError } from '../platform/app-error.ts'
import { inTransaction, sqlState, type Tx } from '../platform/database.ts'
import type { Deps } from '../platform/deps.ts'
import { faultPoint } from '../platform/fault-point.ts'
import { createGroupCommit } from '../platform/group-commit.ts'
import { type Answer, type Context, given, moneyCall, refusal, sendGiven, urlOf } from './call.ts'
import { toErrorReply } from './error-reply.ts'
import type { GivenAnswer } from './idempotency.ts'
import { onceEach } from './idempotency-group.ts'
import { type BindOptions, needsSession, readInput } from './read-call.ts'
import { assertAccess, readToken } from './session-guard.ts'

/** Most calls that share a transaction, and transactions at a time: while one waits for the disk, the next one works. */
const MAX_CALLS = 100
const MAX_TRANSACTIONS = 2

/** Calls that run at a time when a group failed and each goes alone. */
const ALONE = 4

type GroupHandler<R extends Route> = (tx: Tx, deps: Deps, calls: Context<R>[]) => Promise<(Answer<ReplyOf<R>> | AppError)[]>

/** A call whose input has been read; its session comes with the group. */
interface Waiting {
  token: string
  input: Omit<Context<Route>, 'viewer'>
}

/**
 * Binds a money call of which many arrive together. A call is read and checked on arrival, then waits for its group:
 * one session look-up, one transaction, one answer each. When a group fails as a whole, each call of it runs in a
 * transaction of its own, so that a call that cannot work fails alone.
 * @param route a money route for members, without request limit and upload
 * @throws Error for a route of another kind
 */
export function bindGrouped<R extends Route>(options: BindOptions, route: R, handler: GroupHandler<R>): void {
  if (route.limited === true || route.upload !== undefined || !needsSession(route)) throw new Error(`${route.name} can't be grouped`)
  const group = createGroupCommit<Waiting, GivenAnswer>({
    run: (items) => runGroup(options, route, handler, items),
    maxBatch: MAX_CALLS,
    maxInFlight: MAX_TRANSACTIONS,
  })
  options.app.route({
    method: route.method,
    url: urlOf(route),
    handler: async (request, reply) => {
      const token = readToken(request.headers.authorization)
      if (token === undefined) throw new AppError('UNAUTHENTICATED')
      let input
      try {
        input = readInput(options.deps, route, request, reply, token)
      } catch (error) {
        // Who may not call at all is told that first.
        await admit(options, route, token)
        throw error
      }
      return sendGiven(reply, await group.submit({ token, input }))
    },
  })
}

async function admit({ db, deps, authenticate }: BindOptions, route: Route, token: string) {
  const viewer = await authenticate(db, token, deps.clock.now())
  assertAccess(viewer, route.access, false)
  return viewer
}

async function runGroup<R extends Route>(options: BindOptions, route: R, handler: GroupHandler<R>, items: Waiting[]) {
  // Asked for in one turn of the event loop, so that it is one query.
  const admitted = await Promise.allSettled(items.map((item) => admit(options, route, item.token)))
  const results: (GivenAnswer | Error)[] = admitted.map((one) =>
    one.status === 'rejected' ? asError(one.reason) : new AppError('INTERNAL'),
  )
  const places: number[] = []
  const calls: Context<R>[] = []
  admitted.forEach((one, place) => {
    const item = items[place]
    if (one.status === 'rejected' || item === undefined) return
    places.push(place)
    calls.push({ ...item.input, viewer: one.value } as Context<R>)
  })
  if (calls.length === 0) return results
  const done = await together(options, route, handler, calls)
  places.forEach((place, index) => (results[place] = done[index] ?? new AppError('INTERNAL')))
  faultPoint('after_commit_before_response')
  return results
}

/** Runs the calls in one transaction; if it is certain that nothing of it was kept, each one alone. */
async function together<R extends Route>(
  options: BindOptions,
  route: R,
  handler: GroupHandler<R>,
  calls: Context<R>[],
): Promise<(GivenAnswer | Error)[]> {
  let committing = false
  try {
    return await inTransaction(options.db, async (tx) => {
      committing = false
      const done = await work(tx, options, route, handler, calls)
      faultPoint('before_commit')
      committing = true
      return done
    })
  } catch (error) {
    if (calls.length === 1 || !worthRetrying(error, committing)) return calls.map(() => asError(error))
    return alone(calls, async (call) => (await together(options, route, handler, [call]))[0] ?? new AppError('INTERNAL'))
  }
}

function work<R extends Route>(tx: Tx, { deps }: BindOptions, route: R, handler: GroupHandler<R>, calls: Context<R>[]) {
  const keys = calls.map((call) => moneyCall(route, call.viewer, call.caller))
  return onceEach(tx, keys, deps.clock.now(), async (open) => {
    const answers = await handler(
      tx,
      deps,
      open.flatMap((place) => calls[place] ?? []),
    )
    if (answers.length !== open.length) throw new Error(`${open.length} calls got ${answers.length} answers`)
    return answers.map((one) => {
      if (!(one instanceof AppError)) return given(route, one)
      return one.statusCode >= 500 ? one : refusal(one)
    })
  })
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

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
