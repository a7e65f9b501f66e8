import * as v from 'valibot'
import type { ErrorCode } from './errors.ts'
import type { HistoryKind } from './history-kinds.ts'
import type { RoleGroup } from './role-groups.ts'

type Schema = v.GenericSchema
type ObjectSchema = v.GenericSchema<unknown, object>

/**
 * Route access.
 * - `public`: anyone, no token read
 * - `link`: a mailed link's token in the Authorization header, read by the use case (RO-05, API-26)
 * - `session`: a live session, verified or not (RO-16)
 * - `member`: a verified, active member's live session
 * - `staff`: a staff account's live session
 */
export type Access = 'public' | 'link' | 'session' | 'member' | 'staff'

/** Declaration of one API call. The server binds the call, the web app uses it, and tests replace it. */
export interface Route {
  /** Unique camelCase name: the operation id on the API page. */
  name: string
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path below the base, with a leading slash and `:name` parameters (API-13). */
  path: string
  /** The path's base: the API (default) or the invoice service (API-96). */
  base?: 'api' | 'invoice'
  access: Access
  /** Roles that may make a staff call. The server does not serve a staff call without roles. */
  role?: RoleGroup
  /**
   * Personal data of members in the response. The server records each view by staff and limits views per hour.
   * - `page`: one page of a list or object
   * - `member`: a page of one member, recorded as a view of the member
   * - `reveal`: masked data, a member's own pages, or a whole list
   */
  personal?: 'page' | 'member' | 'reveal'
  /**
   * What an operator's API key learns from a staff read. Without it, no key has the right to the call: a new read gives no right, and neither
   * does one of personal data, staff, access, limits that an attacker would stay below, or drafts.
   * - `figures`: sums and prices of the platform
   * - `events`: kinds and public ids of what happened
   * - `state`: health of the platform and of its audit log
   */
  keyReads?: 'figures' | 'events' | 'state'
  /** True if the call moves money: it accepts an `Idempotency-Key` and has at most one effect per key. */
  money?: boolean
  /**
   * True if a member must have accepted the terms of use. The default is true for money calls of members: false for those that only take
   * the member's own money out, or closer to the way out.
   */
  needsTerms?: boolean
  /** The amount depends on a price or fee: accepts the displayed figure as `Quoted-Amount`. */
  quoted?: boolean
  /** History kind for a member's list. */
  history?: HistoryKind
  /** Pages may call it in the background (`Background-Read`), like every read, without extending the session. */
  background?: boolean
  /** True if the call counts towards the limits of API-17. */
  limited?: boolean
  /** One sentence for the API page. */
  summary: string
  body?: ObjectSchema
  query?: ObjectSchema
  params?: ObjectSchema
  /** Multipart upload file (API-92, API-93); the body schema then describes the text fields. */
  upload?: { field: string; required: boolean; maxBytes: number }
  /** Called by email programs with a form body, which the server ignores. */
  form?: boolean
  /** The envelope's `data`. */
  reply: Schema
  /** The reply is the whole body, without the envelope (invoice service, feeds). */
  bare?: boolean
  /** A bare reply's media type other than JSON. */
  media?: string
  /** This route's further refusals, apart from access, input and limits. */
  errors?: readonly ErrorCode[]
}

/** Defines a route and passes its schema types to the server's handler and the web's caller. */
/*#__NO_SIDE_EFFECTS__*/
export function route<const R extends Route>(definition: R): R {
  return definition
}

type Way = 'method' | 'access'

/** Defines a read by members. */
/*#__NO_SIDE_EFFECTS__*/
export function memberRead<const R extends Omit<Route, Way>>(read: R) {
  return route({ method: 'GET', access: 'member', ...read })
}

/** Defines a write by members. */
/*#__NO_SIDE_EFFECTS__*/
export function memberAct<const R extends Omit<Route, Way>>(act: R) {
  return route({ method: 'POST', access: 'member', ...act })
}

type StaffRoute = Omit<Route, Way> & { role: RoleGroup }

/** Defines a read by staff, with the allowed roles. */
/*#__NO_SIDE_EFFECTS__*/
export function staffRead<const R extends StaffRoute>(read: R) {
  return route({ method: 'GET', access: 'staff', ...read })
}

/** Defines a write by staff, with the allowed roles. */
/*#__NO_SIDE_EFFECTS__*/
export function staffAct<const R extends StaffRoute>(act: R) {
  return route({ method: 'POST', access: 'staff', ...act })
}

/** A route's parsed body. */
export type BodyOf<R extends Route> = R['body'] extends Schema ? v.InferOutput<R['body']> : undefined
export type QueryOf<R extends Route> = R['query'] extends Schema ? v.InferOutput<R['query']> : undefined
export type ParamsOf<R extends Route> = R['params'] extends Schema ? v.InferOutput<R['params']> : undefined
/** Parsed response `data`: amounts are bigint units, times are Dates. */
export type ReplyOf<R extends Route> = v.InferOutput<R['reply']>
/** Response `data` in JSON form. */
export type WireReplyOf<R extends Route> = v.InferInput<R['reply']>
export type WireBodyOf<R extends Route> = R['body'] extends Schema ? v.InferInput<R['body']> : undefined

/** Envelope around every response (API-10). */
export interface Envelope<T> {
  success: true
  statusCode: number
  message: string
  data: T
}

/** No data apart from the message. */
export const nothing = v.nullish(v.unknown())
