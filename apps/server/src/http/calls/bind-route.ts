import type { ReplyOf, Route } from '@tizara/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import { withFrozenClock } from '../../platform/runtime/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db/database.ts'
import { type Reads, readsOf } from '../../platform/db/replica.ts'
import { ANSWER_MS, answerWithin, FILE_MS, UPLOAD_MS } from './request-timeout.ts'
import { type Answer, type Context, storedResponse, sendStored, urlOf } from './call.ts'
import type { StoredResponse } from './idempotency.ts'
import { bindMoney } from './money-calls.ts'
import { type BatchHandler, withSavepoint, type WriteOptions } from './money-group.ts'
import { type AccessRules, admitBeforeBody, type BindOptions, readContext } from './read-call.ts'
import { sendFile, type SentFile } from '../pages/send-file.ts'
import { FORM_BYTES } from '../server/upload.ts'

export { answer, answers, type Caller } from './call.ts'

export type { BindOptions } from './read-call.ts'

type Handler<R extends Route, Extra> = (context: Context<R> & Extra) => Promise<Answer<ReplyOf<R>>>

interface ReadOptions<R extends Route> {
  blockedMayCall?: boolean
  /**
   * Records a view on the primary, before the answer is sent. A refusal is sent instead of the answer. `data` is the answer; undefined
   * for a file.
   */
  onRead?: ((context: Context<R> & { db: Db; data?: unknown }) => Promise<void>) | undefined
  /** True if the call needs rows of the primary. */
  onPrimary?: boolean
}

/** Binds contract routes to use cases. */
export interface Bind {
  /** Binds a call that only reads. The call may run on a replica that has all earlier commits, unless `onPrimary` is set. */
  read<R extends Route>(route: R, handler: Handler<R, { db: Db }>, options?: ReadOptions<R>): void
  /** Binds a call that writes and moves no money. A call has one transaction and one time for all its rows. */
  write<R extends Route>(route: R, handler: Handler<R, { tx: Tx }>, options?: WriteOptions<R>): void
  /** Binds a money call, in its own transaction: at most once per idempotency key. */
  money<R extends Route>(route: R, handler: Handler<R, { tx: Tx }>, options?: WriteOptions<R>): void
  /**
   * Binds a money call with a handler for batches. Calls that arrive together share a transaction, and each succeeds or fails separately. A
   * refused call must not leave rows. If the handler cannot ensure this, it throws, and each call runs alone.
   */
  moneyBatch<R extends Route>(route: R, handler: BatchHandler<R>, options?: WriteOptions<R>): void
  /** Binds a call with external requests or long computation. The handler gets the pool and opens short transactions. */
  withoutTransaction<R extends Route>(route: R, handler: Handler<R, { db: Db }>, options?: Pick<WriteOptions<R>, 'onDenied'>): void
  /** Binds a file download. The handler returns parts, which are read while they are sent. */
  file<R extends Route>(
    route: R,
    handler: (context: Context<R> & { reads: Reads }) => Promise<SentFile>,
    options?: Pick<ReadOptions<R>, 'onRead'>,
  ): void
}

type Run = (context: Context<Route>) => Promise<StoredResponse | SentFile>

export function createBind(options: BindOptions): Bind {
  const { db, reads = readsOf(db) } = options
  return {
    read: (route, handler, extra) => {
      if (route.money === true) throw new Error(`${route.name} moves money`)
      mount(options, route, { blockedMayCall: extra?.blockedMayCall }, async (context) => {
        const typed = context as never as Context<typeof route>
        const on = (from: Db) => handler({ ...typed, db: from })
        const answered = extra?.onPrimary === true ? await on(db) : await reads.read(on)
        await extra?.onRead?.({ ...typed, db, data: answered.data })
        return storedResponse(route, answered)
      })
    },
    withoutTransaction: (route, handler, extra) =>
      mount(options, route, { onDenied: extra?.onDenied }, async (context) =>
        storedResponse(route, await handler({ ...(context as never as Context<typeof route>), db })),
      ),
    file: (route, handler, extra) =>
      mount(
        options,
        route,
        {},
        async (context) => {
          const typed = context as never as Context<typeof route>
          const file = await handler({ ...typed, reads })
          await extra?.onRead?.({ ...typed, db })
          return file
        },
        FILE_MS,
      ),
    money: (route, handler, extra) => {
      const batch: BatchHandler<typeof route> = (tx, deps, calls) => Promise.all(calls.map((call) => handler({ ...call, deps, tx })))
      bindMoney(options, { ...extra, ...SINGLE, route, together: withSavepoint(batch) })
    },
    moneyBatch: (route, batch, extra) => bindMoney(options, { ...extra, ...BATCH_LIMITS, route, together: withSavepoint(batch) }),
    write: (route, handler, extra) => {
      if (route.money === true) throw new Error(`${route.name} moves money`)
      mount(options, route, { onDenied: extra?.onDenied }, async (context) => {
        const typed = context as never as Context<typeof route>
        try {
          return storedResponse(route, await inTransaction(db, (tx) => handler({ ...typed, deps: withFrozenClock(typed.deps), tx })))
        } catch (error) {
          if (error instanceof AppError) await extra?.onRejection?.({ ...typed, db }, error)
          throw error
        }
      })
    },
  }
}

/** Limits of batched calls. While one batch waits for the disk, the next one runs. */
const BATCH_LIMITS = { maxCalls: 100, maxTransactions: 2 }
/** Limits of single calls. A shared transaction is not used, because each call would keep its rows locked until the end of the others. */
const SINGLE = { maxCalls: 1, maxTransactions: 16 }

function mount(
  options: BindOptions,
  route: Route,
  rules: AccessRules,
  run: Run,
  limit = route.upload === undefined ? ANSWER_MS : UPLOAD_MS,
): void {
  options.app.route({
    method: route.method,
    url: urlOf(route),
    ...answerWithin(limit),
    ...admitBeforeBody(options, route, rules),
    ...(route.upload === undefined ? {} : { bodyLimit: route.upload.maxBytes + FORM_BYTES }),
    handler: async (request, reply) => {
      const context = await readContext(options, route, rules, request, reply)
      const result = await run(context)
      return 'parts' in result ? sendFile(reply, result) : sendStored(reply, result)
    },
  })
}
