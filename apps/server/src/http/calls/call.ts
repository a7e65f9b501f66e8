import type { BodyOf, Envelope, ParamsOf, QueryOf, ReplyOf, Route } from '@tizara/contract'
import type { Units } from '@tizara/money'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AppError, mapOk } from '../../platform/runtime/app-error.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { toErrorReply } from './error-reply.ts'
import { callDigest, type CallKey, type StoredResponse } from './idempotency.ts'
import { writeJson } from '../server/json.ts'
import type { Viewer } from './session-guard.ts'
import type { UploadedFile } from '../server/upload.ts'

export interface Caller {
  ip: string
  userAgent: string
  /** Valid browser time zone (`Time-Zone`). */
  timeZone?: string | undefined
  requestId: string
  /** Raw token of the Authorization header (mailed links, log-out). */
  token: string | undefined
  /** The raw Idempotency-Key. */
  idempotencyKey: string | undefined
  /** Amount shown to the caller, in units (`Quoted-Amount`). */
  quoted: Units | undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** Context of one call for its handler. */
export interface Context<R extends Route> {
  deps: Deps
  body: BodyOf<R>
  query: QueryOf<R>
  params: ParamsOf<R>
  viewer: R['access'] extends 'public' | 'link' ? null : Viewer
  file: UploadedFile | undefined
  caller: Caller
}

/** A handler's answer: data and message of the envelope. */
export interface Answer<T> {
  data: T
  message: string
}

export const answer = <T>(data: T, message = 'Success'): Answer<T> => ({ data, message })

/** Maps the results of a batch to answers. Refusals pass unchanged. */
export const answers = <In, Out>(results: readonly (In | AppError)[], say: (result: In) => Answer<Out>): (Answer<Out> | AppError)[] =>
  mapOk(results, say)

/** Serializes an answer in the envelope (API-10), or bare if the route says so. */
export function storedResponse<R extends Route>(route: R, result: Answer<ReplyOf<R>>): StoredResponse {
  if (route.bare === true) return { status: 200, text: typeof result.data === 'string' ? result.data : writeJson(result.data) }
  const envelope: Envelope<ReplyOf<R>> = { success: true, statusCode: 200, message: result.message, data: result.data }
  return { status: 200, text: writeJson(envelope) }
}

/** Serializes an error for storage under the call's key. */
export function errorResponse(error: AppError): StoredResponse {
  const { body, headers } = toErrorReply(error)
  return { status: error.statusCode, text: writeJson(body), headers }
}

/** Returns the idempotency key of a money call; undefined for other calls and calls without a key. */
export function moneyCall(route: Route, viewer: Viewer | null, caller: Caller): CallKey | undefined {
  if (route.money !== true || viewer === null || caller.idempotencyKey === undefined) return undefined
  return { ...callShape(route, viewer, caller), key: caller.idempotencyKey }
}

/** Identifies equal calls: route, caller and body. */
export function callShape(route: Route, viewer: Viewer, caller: Caller): Omit<CallKey, 'key'> {
  return {
    memberId: viewer.memberId,
    operation: route.name,
    digest: callDigest(route.method, route.path, JSON.stringify(caller.request.params ?? {}), JSON.stringify(caller.request.body ?? {})),
  }
}

export function sendStored(reply: FastifyReply, result: StoredResponse): FastifyReply {
  if (reply.sent) return reply
  if (!reply.hasHeader('content-type')) reply.type('application/json; charset=utf-8')
  return reply
    .code(result.status)
    .headers(result.headers ?? {})
    .send(result.text)
}

/** Returns a route's address: `/api/v1`, or `/invoice-api` for the invoice service (API-01, API-97). */
export const urlOf = (route: Route): string => `${route.base === 'invoice' ? '/invoice-api' : '/api/v1'}${route.path}`
