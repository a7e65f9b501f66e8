import type { Route } from '@tizara/contract'
import { parseUnits, type Units } from '@tizara/money'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { Reads } from '../../platform/db/replica.ts'
import type { Caller, Context } from './call.ts'
import { callerNetwork } from '../server/caller-network.ts'
import { invalidInput } from './error-reply.ts'
import { readKey } from './idempotency.ts'
import { AUTH_LIMIT, registerCall, scaled } from './rate-limit.ts'
import { assertAccess, type Authenticate, mayCall, needsTerms, readToken, type Viewer } from './session-guard.ts'
import { MalformedJson } from '../server/json.ts'
import { readUpload } from '../server/upload.ts'

export interface BindOptions {
  app: FastifyInstance
  db: Db
  deps: Deps
  authenticate: Authenticate
  /** Source of reading calls; the primary by default. */
  reads?: Reads | undefined
  /** Records a refused call of a blocked member or a suspended staff member. */
  onSuspended?: ((call: SuspendedCall, error: AppError) => Promise<void>) | undefined
  /** Called after a money call of a member who has not accepted the terms of use was refused. */
  onTermsDue?: ((db: Db, deps: Deps, memberId: bigint) => Promise<void>) | undefined
}

/**
 * Returns true for an automatic refresh. Such a call does not extend the session, so that an idle page signs out on time. A client with a
 * false claim only shortens its own session.
 */
const isBackground = (route: Route, request: FastifyRequest): boolean =>
  (route.method === 'GET' || route.background === true) && request.headers['background-read'] !== undefined

export const needsSession = (route: Route): boolean => route.access !== 'public' && route.access !== 'link'

/** A staff call that the viewer's role may not make. The input is not parsed. */
export interface DeniedCall {
  db: Db
  deps: Deps
  viewer: Viewer
  params: unknown
  caller: Pick<Caller, 'ip' | 'requestId'>
}

/** A refused call of a blocked member or a suspended staff member. */
export type SuspendedCall = Omit<DeniedCall, 'params'> & { route: Pick<Route, 'name'> }

/** Access rules of a route beyond the contract. */
export interface AccessRules {
  /** True if blocked members may make the call. */
  blockedMayCall?: boolean | undefined
  /** Records a call that the viewer's role may not make. */
  onDenied?: ((call: DeniedCall, error: AppError) => Promise<void>) | undefined
}

/**
 * Checks session, access and role of a call, in this order and before its input. Records a call of a blocked or suspended person.
 * @throws AppError as `authenticate` and `assertAccess`; TERMS_NOT_ACCEPTED; STAFF_ONLY, NOT_FOUND if the role may not make the call
 */
export async function admit(
  { db, deps, authenticate, onSuspended, onTermsDue }: BindOptions,
  route: Route,
  { blockedMayCall = false, onDenied }: AccessRules,
  request: FastifyRequest,
): Promise<Viewer> {
  const token = readToken(request.headers.authorization)
  if (token === undefined) throw new AppError('UNAUTHENTICATED')
  const viewer = await authenticate(db, token, deps.clock.now(), {
    quiet: isBackground(route, request),
    call: { name: route.name, ip: request.ip },
  })
  const caller = { ip: request.ip, requestId: request.id }
  try {
    assertAccess(viewer, route, blockedMayCall)
  } catch (error) {
    const isSuspended = !viewer.isActive || viewer.suspendedUntil !== undefined
    if (isSuspended && error instanceof AppError) await onSuspended?.({ db, deps, viewer, route, caller }, error)
    throw error
  }
  if (viewer.termsDue !== undefined && needsTerms(route)) {
    await onTermsDue?.(db, deps, viewer.memberId)
    throw new AppError('TERMS_NOT_ACCEPTED', { link: `${deps.config.publicUrl}/terms` })
  }
  if (mayCall(viewer, route)) return viewer
  const denial = new AppError('STAFF_ONLY')
  await onDenied?.({ db, deps, viewer, params: parseParams(route, request.params), caller }, denial)
  throw denial
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Checks session and role before the error for a body that is too large or of another type. No handler gets such a call. */
    admit?: (request: FastifyRequest) => Promise<unknown>
  }
}

/** Returns the route configuration that checks session and role of a staff call with an invalid body. */
export const admitBeforeBody = (options: BindOptions, route: Route, rules: AccessRules) =>
  route.access === 'staff' ? { config: { admit: (request: FastifyRequest) => admit(options, route, rules, request) } } : {}

/**
 * Reads and checks a call: limits, session, role, input, in this order.
 * @throws MalformedJson; AppError TOO_MANY_REQUESTS, UNAUTHENTICATED, TOKEN_EXPIRED, EMAIL_NOT_VERIFIED, STAFF_ONLY, INVALID_INPUT,
 * NOT_FOUND, IDEMPOTENCY_KEY_INVALID, INVALID_AMOUNT
 */
export async function readContext(
  options: BindOptions,
  route: Route,
  rules: AccessRules,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Context<Route>> {
  const { db, deps } = options
  const now = deps.clock.now()
  if (route.limited === true) await registerCall(db, `${route.name}:ip:${callerNetwork(request.ip)}`, scaled(deps, AUTH_LIMIT), now)
  const viewer = needsSession(route) ? await admit(options, route, rules, request) : null
  const upload = route.upload === undefined ? undefined : await readUpload(request, route.upload)
  const body = parseBody(route, upload === undefined ? request.body : upload.fields)
  if (route.limited === true) await countAccount(db, route, viewer, body, deps, now)
  return {
    deps,
    body: body as never,
    query: parse(route.query, request.query) as never,
    params: parseParams(route, request.params) as never,
    viewer: viewer as never,
    file: upload?.file,
    caller: readCaller(route, request, reply, readToken(request.headers.authorization)),
  }
}

/**
 * Reads the input of a call. The call's session is loaded later with the batch.
 * @param route a route without limit and upload
 * @throws MalformedJson; AppError INVALID_INPUT, NOT_FOUND, IDEMPOTENCY_KEY_INVALID, INVALID_AMOUNT
 */
export function readInput(
  deps: Deps,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Omit<Context<Route>, 'viewer'> {
  return {
    deps,
    body: parseBody(route, request.body) as never,
    query: parse(route.query, request.query) as never,
    params: parseParams(route, request.params) as never,
    file: undefined,
    caller: readCaller(route, request, reply, token),
  }
}

function readCaller(route: Route, request: FastifyRequest, reply: FastifyReply, token: string | undefined): Caller {
  return {
    ip: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    timeZone: readTimeZone(request.headers['time-zone']),
    requestId: request.id,
    token,
    idempotencyKey: route.money === true ? readKey(request.headers['idempotency-key']) : undefined,
    quoted: route.quoted === true ? readQuoted(request.headers['quoted-amount']) : undefined,
    request,
    reply,
  }
}

/** Reads the Time-Zone header. An unknown zone is ignored, because no rule depends on it. */
function readTimeZone(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || !/^[A-Z][\w+-]{1,19}(\/[\w+-]{1,30}){0,2}$/.test(header)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: header }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Reads the Quoted-Amount header: a plain decimal, as the form showed it (docs/decisions/0007-quoted-amount.md). */
function readQuoted(header: string | string[] | undefined): Units | undefined {
  if (header === undefined) return undefined
  const units = typeof header === 'string' ? parseUnits(header) : null
  if (units === null) throw new AppError('INVALID_AMOUNT')
  return units
}

/**
 * Counts a limited call per session, or per typed email address. An address that comes with a password counts only for the caller's
 * network and for the limit of wrong passwords. A stranger can therefore not lock the member out.
 */
async function countAccount(db: Db, route: Route, viewer: Viewer | null, body: unknown, deps: Deps, now: Date): Promise<void> {
  const limit = scaled(deps, AUTH_LIMIT)
  if (viewer !== null) return registerCall(db, `${route.name}:session:${viewer.sessionId}`, limit, now)
  if (typeof body !== 'object' || body === null || !('email' in body) || 'password' in body) return
  await registerCall(db, `${route.name}:account:${String(body.email)}`, limit, now)
}

/** Checks a body, also one that the call ignores. */
function parseBody(route: Route, body: unknown): unknown {
  if (body instanceof MalformedJson) throw body
  return parse(route.body, body)
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
