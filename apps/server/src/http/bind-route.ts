import type { BodyOf, Envelope, ParamsOf, QueryOf, ReplyOf, Route } from '@tizara/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { AppError } from '../platform/app-error.ts'
import { type Db, inTransaction, type Tx } from '../platform/database.ts'
import type { Deps } from '../platform/deps.ts'
import { faultPoint } from '../platform/fault-point.ts'
import { invalidInput, toErrorReply } from './error-reply.ts'
import { callDigest, type GivenAnswer, once, readKey } from './idempotency.ts'
import { writeJson } from './json.ts'
import { AUTH_LIMIT, countCall } from './rate-limit.ts'
import { assertAccess, type Authenticate, readToken, type Viewer } from './session-guard.ts'
import { readUpload, type UploadedFile } from './upload.ts'

/** Where a call comes from. */
export interface Caller {
  ip: string
  userAgent: string
  requestId: string
  /** The token of the Authorization header as it came (mailed links, log-out). */
  token: string | undefined
  /** The raw Idempotency-Key. */
  idempotencyKey: string | undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** What every handler gets. */
export interface Context<R extends Route> {
  deps: Deps
  body: BodyOf<R>
  query: QueryOf<R>
  params: ParamsOf<R>
  viewer: R['access'] extends 'public' | 'link' ? null : Viewer
  file: UploadedFile | undefined
  caller: Caller
}

/** The answer of a handler: the envelope's data and message. */
export interface Answer<T> {
  data: T
  message: string
}

/**
 * An answer.
 * @param data the envelope's data
 * @param message the envelope's message
 */
export const answer = <T>(data: T, message = 'Success'): Answer<T> => ({ data, message })

type Handler<R extends Route, Extra> = (context: Context<R> & Extra) => Promise<Answer<ReplyOf<R>>>

/** Binds contract routes to use cases. */
export interface Bind {
  /** A call that reads: gets the pool. */
  read<R extends Route>(route: R, handler: Handler<R, { db: Db }>, options?: { blockedMayCall?: boolean }): void
  /** A call that writes: one call, one transaction; money calls run at most once per idempotency key. */
  write<R extends Route>(route: R, handler: Handler<R, { tx: Tx }>): void
  /** A call that talks to the outside or computes for long: gets the pool and opens short transactions itself. */
  outside<R extends Route>(route: R, handler: Handler<R, { db: Db }>): void
}

/** What the shell needs to bind. */
export interface BindOptions {
  app: FastifyInstance
  db: Db
  deps: Deps
  authenticate: Authenticate
}

type Run = (context: Context<Route>, raw: { digestBody: string }) => Promise<GivenAnswer>

/**
 * Makes the binder of an app. Paths hang on `/api/v1`, or on `/invoice-api` for the invoice service (API-01, API-97).
 * @param options the app and what calls need
 */
export function createBind(options: BindOptions): Bind {
  const { db, deps } = options
  return {
    read: (route, handler, extra) =>
      mount(options, route, extra?.blockedMayCall ?? false, async (context) => given(route, await handler({ ...(context as never as Context<typeof route>), db }))),
    outside: (route, handler) =>
      mount(options, route, false, async (context) => given(route, await handler({ ...(context as never as Context<typeof route>), db }))),
    write: (route, handler) =>
      mount(options, route, false, async (context, raw) => {
        const result = await inTransaction(db, async (tx) => {
          const run = async () => given(route, await handler({ ...(context as never as Context<typeof route>), tx }))
          const call = moneyCall(route, context, raw.digestBody)
          const done = call === undefined ? await run() : await once(tx, call, deps.clock.now(), run, refusal)
          faultPoint('before_commit')
          return done
        })
        faultPoint('after_commit_before_response')
        return result
      }),
  }
}

function moneyCall(route: Route, context: Context<Route>, digestBody: string) {
  const viewer = context.viewer as Viewer | null
  if (route.money !== true || viewer === null || context.caller.idempotencyKey === undefined) return undefined
  return {
    memberId: viewer.memberId,
    operation: route.name,
    key: context.caller.idempotencyKey,
    digest: callDigest(route.method, route.path, digestBody),
  }
}

function given<T>(route: Route, result: Answer<T>): GivenAnswer {
  if (route.bare === true) return { status: 200, text: typeof result.data === 'string' ? result.data : writeJson(result.data) }
  const envelope: Envelope<T> = { success: true, statusCode: 200, message: result.message, data: result.data }
  return { status: 200, text: writeJson(envelope) }
}

function refusal(error: AppError): GivenAnswer {
  return { status: error.statusCode, text: writeJson(toErrorReply(error).body) }
}

function mount(options: BindOptions, route: Route, blockedMayCall: boolean, run: Run): void {
  const prefix = route.base === 'invoice' ? '/invoice-api' : '/api/v1'
  options.app.route({
    method: route.method,
    url: `${prefix}${route.path}`,
    ...(route.upload === undefined ? {} : { bodyLimit: route.upload.maxBytes + 64 * 1024 }),
    handler: async (request, reply) => {
      const context = await readContext(options, route, blockedMayCall, request, reply)
      const result = await run(context, { digestBody: writeJson(request.body ?? {}) })
      if (reply.sent) return reply
      if (!reply.hasHeader('content-type')) reply.type('application/json; charset=utf-8')
      return reply.code(result.status).send(result.text)
    },
  })
}

async function readContext(
  { db, deps, authenticate }: BindOptions,
  route: Route,
  blockedMayCall: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Context<Route>> {
  const token = readToken(request.headers.authorization)
  const now = deps.clock.now()
  if (route.limited === true) await countCall(db, `${route.name}:ip:${request.ip}`, scaled(deps), now)
  let viewer: Viewer | null = null
  if (route.access !== 'public' && route.access !== 'link') {
    if (token === undefined) throw new AppError('UNAUTHENTICATED')
    viewer = await authenticate(db, token, now)
    assertAccess(viewer, route.access, blockedMayCall)
  }
  const upload = route.upload === undefined ? undefined : await readUpload(request, route.upload)
  const body = parse(route.body, upload === undefined ? request.body : upload.fields)
  if (route.limited === true) await countAccount(db, route, viewer, body, deps, now)
  return {
    deps,
    body: body as never,
    query: parse(route.query, request.query) as never,
    params: parseParams(route, request.params) as never,
    viewer: viewer as never,
    file: upload?.file,
    caller: {
      ip: request.ip,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
      requestId: request.id,
      token,
      idempotencyKey: route.money === true ? readKey(request.headers['idempotency-key']) : undefined,
      request,
      reply,
    },
  }
}

const scaled = (deps: Deps) => ({ ...AUTH_LIMIT, hits: Math.max(1, Math.round(AUTH_LIMIT.hits * deps.config.rateLimitScale)) })

/** The account that a limited call is about: the session's, else the e-mail address that was typed. */
async function countAccount(db: Db, route: Route, viewer: Viewer | null, body: unknown, deps: Deps, now: Date): Promise<void> {
  const typed = typeof body === 'object' && body !== null && 'email' in body ? String(body.email) : undefined
  const account = viewer === null ? typed : String(viewer.memberId)
  if (account !== undefined) await countCall(db, `${route.name}:account:${account}`, scaled(deps), now)
}

function parse(schema: v.GenericSchema | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined
  const result = v.safeParse(schema, value ?? {})
  if (!result.success) throw invalidInput(result.issues)
  return result.output
}

function parseParams(route: Route, value: unknown): unknown {
  if (route.params === undefined) return undefined
  const result = v.safeParse(route.params, value)
  if (!result.success) throw new AppError('NOT_FOUND')
  return result.output
}
