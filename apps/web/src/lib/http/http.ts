import { t } from '@tizara/languages'
import { type BodyOf, type ParamsOf, type QueryOf, REQUEST_TIMEOUT_MS, type ReplyOf, type Route } from '@tizara/contract'
import type { RequestHeader } from '@tizara/contract/request-headers'
import { takePrefetched } from '../prefetched.ts'
import { ApiError, failureOf } from './api-error.ts'
import { metaContent } from './meta.ts'
import { randomHex } from '../proofs/random-hex.ts'
import { readReply, readPartialReply } from './read-reply.ts'
import { writeJson, writeText } from './wire-json.ts'

type PartOf<R extends Route, Key extends 'body' | 'query' | 'params', Value> = R[Key] extends object ? Value : undefined

/** Call input, limited to the route's fields. */
export type CallInput<R extends Route> = {
  /** Sent and returned unchanged; a money route has at most one effect per key. */
  idempotencyKey?: string | undefined
  /** Quote shown in the form, in units. The server rejects the call if its own figure differs. */
  quoted?: bigint | null | undefined
  signal?: AbortSignal | undefined
  /** Background refetch, which does not count as session activity. */
  quiet?: boolean | undefined
  /** Sends the request even if the page is closed. */
  keepalive?: boolean | undefined
  /** Token from a mailed link, replacing the stored one (RO-05). */
  token?: string | undefined
  file?: File | null | undefined
  query?: PartOf<R, 'query', Partial<QueryOf<R>>>
} & (R['body'] extends object ? { body: BodyOf<R> } : { body?: undefined }) &
  (R['params'] extends object ? { params: ParamsOf<R> } : { params?: undefined })

/** Call response: data in units and Dates, and the server's message. */
export interface Answer<R extends Route> {
  data: ReplyOf<R>
  message: string
}

/** Input for any route, as `send` reads it. */
export interface LooseInput {
  body?: object | undefined
  query?: object | undefined
  params?: object | undefined
  file?: File | null | undefined
  idempotencyKey?: string | undefined
  quoted?: bigint | null | undefined
  signal?: AbortSignal | undefined
  quiet?: boolean | undefined
  keepalive?: boolean | undefined
}

const slashless = (base: string) => base.replace(/\/+$/, '')

/** Returns an API path's URL (API-01, API-02). */
export const apiAddress = (path: string): string => slashless(metaContent('api-base-url', '/api/v1')) + path

/** Returns a route's base URL (API-01, API-02, API-96). */
const baseOf = (route: Route): string =>
  route.base === 'invoice' ? slashless(metaContent('invoice-base-url', '/invoice-api')) : apiAddress('')

/** Joins base, path and query with single slashes (API-13). */
export function addressOf(route: Route, input: LooseInput): string {
  const params = new Map(Object.entries(input.params ?? {}))
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(writeText(params.get(name))))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, writeText(value))
  }
  const search = query.toString()
  return `${baseOf(route)}/${path.replace(/^\/+/, '')}${search === '' ? '' : `?${search}`}`
}

function multipart(route: Route, input: LooseInput): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(input.body ?? {})) {
    if (value !== undefined && value !== null) form.set(name, writeText(value))
  }
  if (route.upload !== undefined && input.file) form.set(route.upload.field, input.file)
  return form
}

function requestOf(route: Route, address: string, input: LooseInput, token: string | null): RequestInit {
  const invoice = route.base === 'invoice'
  const headers = new Headers({ Accept: 'application/json' })
  const setHeader = (name: RequestHeader, value: string) => headers.set(name, value)
  // Sends the bare token without a scheme (API-06, API-07). The invoice service gets neither token nor cookies.
  if (token !== null && !invoice) setHeader('Authorization', token)
  if (input.idempotencyKey !== undefined) setHeader('Idempotency-Key', input.idempotencyKey)
  if (input.quiet) setHeader('Background-Read', '1')
  if (input.quoted) setHeader('Quoted-Amount', writeText(input.quoted))
  // Same origin only: other servers may reject unknown headers.
  if (!invoice && /^\/(?!\/)/.test(address)) {
    // Starts this call's W3C trace.
    headers.set('traceparent', `00-${randomHex(16)}-${randomHex(8)}-01`)
    // The call may open a session. Support staff see the member's time zone.
    if (route.path.startsWith('/auth')) setHeader('Time-Zone', Intl.DateTimeFormat().resolvedOptions().timeZone)
  }
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  const init: RequestInit = {
    method: route.method,
    headers,
    credentials: invoice ? 'omit' : 'include',
    keepalive: input.keepalive === true,
    signal: input.signal === undefined ? timeout : AbortSignal.any([timeout, input.signal]),
  }
  if (route.upload !== undefined) return { ...init, body: multipart(route, input) }
  if (route.method !== 'GET') setHeader('Content-Type', 'application/json')
  return input.body === undefined ? init : { ...init, body: writeJson(input.body) }
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Detects refusals with status 200: `success: false`, or a `statusCode` where the requirement reads only that (API-16, API-36). */
function isRejected(body: object): boolean {
  if ('success' in body && typeof body.success === 'boolean') return !body.success
  return 'statusCode' in body && typeof body.statusCode === 'number' && body.statusCode >= 400
}

/**
 * Sends one request and reads its response; does not handle sessions.
 * @param token bare token for Authorization, or null
 * @throws ApiError for every failure; rethrows an AbortError from the caller's signal
 */
export async function send<R extends Route>(route: R, input: LooseInput, token: string | null): Promise<Answer<R>> {
  let response: Response
  let body: unknown
  try {
    const address = addressOf(route, input)
    response = await (takePrefetched(address, token) ?? fetch(address, requestOf(route, address, input, token)))
    body = await readBody(response)
  } catch (error) {
    if (input.signal?.aborted === true) throw error
    throw new ApiError()
  }
  const fields = typeof body === 'object' && body !== null ? body : {}
  if (!response.ok || (route.bare !== true && isRejected(fields))) throw failureOf(response.status, body, response.headers)
  const read = readReply(route, body) ?? (await readPartialReply(route, body))
  if (read === undefined) throw new ApiError({ fromServer: true, unreadable: true })
  return { data: read.data, message: 'message' in fields && typeof fields.message === 'string' ? t(fields.message) : '' }
}
