import type { ReplyOf, Route } from '@tizara/contract'
import { AppError } from '../platform/app-error.ts'
import { type Db, inTransaction, type Tx } from '../platform/database.ts'
import type { Deps } from '../platform/deps.ts'
import { faultPoint } from '../platform/fault-point.ts'
import { type Answer, type Context, given, moneyCall, refusal, sendGiven, urlOf } from './call.ts'
import { bindGrouped } from './grouped-calls.ts'
import { type GivenAnswer, once } from './idempotency.ts'
import { type BindOptions, readContext } from './read-call.ts'
import { FORM_BYTES } from './upload.ts'

export { type Answer, answer, type Caller, type Context } from './call.ts'
export type { BindOptions } from './read-call.ts'

type Handler<R extends Route, Extra> = (context: Context<R> & Extra) => Promise<Answer<ReplyOf<R>>>

/** What a call that writes may want besides. */
export interface WriteOptions<R extends Route> {
  /** Runs after a refusal by the rules has rolled the call's transaction back, such as to note the attempt; not on a repeat. */
  onRefusal?(context: Context<R> & { db: Db }, error: AppError): Promise<void>
}

/** Binds contract routes to use cases. */
export interface Bind {
  /** A call that reads: gets the pool. */
  read<R extends Route>(route: R, handler: Handler<R, { db: Db }>, options?: { blockedMayCall?: boolean }): void
  /** A call that writes: one call, one transaction; money calls run at most once per idempotency key. */
  write<R extends Route>(route: R, handler: Handler<R, { tx: Tx }>, options?: WriteOptions<R>): void
  /**
   * A money call of which many arrive together: the calls of one group share a transaction, with the same rules for each
   * as `write` has. The handler answers call by call, in order; a call that it refuses must leave nothing behind.
   */
  grouped<R extends Route>(route: R, handler: (tx: Tx, deps: Deps, calls: Context<R>[]) => Promise<(Answer<ReplyOf<R>> | AppError)[]>): void
  /** A call that talks to the outside or computes for long: gets the pool and opens short transactions itself. */
  outside<R extends Route>(route: R, handler: Handler<R, { db: Db }>): void
}

type Run = (context: Context<Route>) => Promise<GivenAnswer>

/** Makes the binder of an app. */
export function createBind(options: BindOptions): Bind {
  const { db, deps } = options
  return {
    read: (route, handler, extra) =>
      mount(options, route, extra?.blockedMayCall ?? false, async (context) =>
        given(route, await handler({ ...(context as never as Context<typeof route>), db })),
      ),
    outside: (route, handler) =>
      mount(options, route, false, async (context) => given(route, await handler({ ...(context as never as Context<typeof route>), db }))),
    grouped: (route, handler) => bindGrouped(options, route, handler),
    write: (route, handler, extra) =>
      mount(options, route, false, async (context) => {
        const typed = context as never as Context<typeof route>
        const noted = async (error: AppError) => extra?.onRefusal?.({ ...typed, db }, error)
        let refused: AppError | undefined
        const refuse = (error: AppError) => {
          refused = error
          return refusal(error)
        }
        const result = await inTransaction(db, async (tx) => {
          const run = async () => given(route, await handler({ ...typed, tx }))
          const call = moneyCall(route, context.viewer, context.caller)
          const done = call === undefined ? await run() : await once(tx, call, deps.clock.now(), run, refuse)
          faultPoint('before_commit')
          return done
        }).catch(async (error: unknown) => {
          if (error instanceof AppError) await noted(error)
          throw error
        })
        if (refused !== undefined) await noted(refused)
        faultPoint('after_commit_before_response')
        return result
      }),
  }
}

function mount(options: BindOptions, route: Route, blockedMayCall: boolean, run: Run): void {
  options.app.route({
    method: route.method,
    url: urlOf(route),
    ...(route.upload === undefined ? {} : { bodyLimit: route.upload.maxBytes + FORM_BYTES }),
    handler: async (request, reply) => {
      const context = await readContext(options, route, blockedMayCall, request, reply)
      return sendGiven(reply, await run(context))
    },
  })
}
