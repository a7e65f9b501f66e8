import * as v from 'valibot'
import type { ErrorCode } from './errors.ts'
import type { HistoryKind } from './history-kinds.ts'
import type { RoleGroup } from './role-groups.ts'

type Schema = v.GenericSchema
type ObjectSchema = v.GenericSchema<unknown, object>

/**
 * Who may call a route.
 * - `public`: anyone, no token read
 * - `link`: the Authorization header carries a mailed link's token, which the use case reads itself (RO-05, API-26)
 * - `session`: a live session, verified or not (RO-16)
 * - `member`: a live session of a verified, active member
 * - `staff`: a live session of a staff account
 */
export type Access = 'public' | 'link' | 'session' | 'member' | 'staff'

/** One call of the wire, as data: the server binds it, the web calls it, the tests stand in for it. */
export interface Route {
  /** Name of the operation, unique, camelCase: the operation id of the API page. */
  name: string
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Path below the base, with a leading slash and `:name` for parameters (API-13). */
  path: string
  /** Which base the path hangs on: the API (default) or the invoice service (API-96). */
  base?: 'api' | 'invoice'
  access: Access
  /** Of a staff call: the roles that may make it. A staff call without one is not served. */
  role?: RoleGroup
  /** A route that moves money: takes an `Idempotency-Key` and has at most one effect per key. */
  money?: boolean
  /** A money route whose outcome hangs on a price or a fee: takes the figure that was shown as `Quoted-Amount`. */
  quoted?: boolean
  /** A list of a member's own rows: the kind that it lists. */
  history?: HistoryKind
  /** A page may make it by itself (`Background-Read`), as every read: such a call is no use of the session. */
  background?: boolean
  /** Counts towards the limits of API-17. */
  limited?: boolean
  /** One sentence for the API page. */
  summary: string
  body?: ObjectSchema
  query?: ObjectSchema
  params?: ObjectSchema
  /** The file of a multipart upload (API-92, API-93); the body schema then describes the text fields. */
  upload?: { field: string; required: boolean; maxBytes: number }
  /** Mail programs make it, with a form instead of JSON, which says nothing. */
  form?: boolean
  /** The `data` of the envelope. */
  reply: Schema
  /** The whole body is the reply, without the envelope (invoice service, feeds). */
  bare?: boolean
  /** What a bare reply is, where it is no JSON. */
  media?: string
  /** Refusals that this route can give besides those of its access, input and limits; none when left out. */
  errors?: readonly ErrorCode[]
}

/** Defines a route. The types of its schemas flow to the server's handler and to the web's caller. */
/*#__NO_SIDE_EFFECTS__*/
export function route<const R extends Route>(definition: R): R {
  return definition
}

type Way = 'method' | 'access'

/** A call by which a member reads. */
/*#__NO_SIDE_EFFECTS__*/
export function memberRead<const R extends Omit<Route, Way>>(read: R) {
  return route({ method: 'GET', access: 'member', ...read })
}

/** A call by which a member does something. */
/*#__NO_SIDE_EFFECTS__*/
export function memberAct<const R extends Omit<Route, Way>>(act: R) {
  return route({ method: 'POST', access: 'member', ...act })
}

type StaffRoute = Omit<Route, Way> & { role: RoleGroup }

/** A call by which staff read; it names the roles that may. */
/*#__NO_SIDE_EFFECTS__*/
export function staffRead<const R extends StaffRoute>(read: R) {
  return route({ method: 'GET', access: 'staff', ...read })
}

/** A call by which staff do something; it names the roles that may. */
/*#__NO_SIDE_EFFECTS__*/
export function staffAct<const R extends StaffRoute>(act: R) {
  return route({ method: 'POST', access: 'staff', ...act })
}

/** What a handler gets, or what a caller gets back, from a route's schema. */
export type BodyOf<R extends Route> = R['body'] extends Schema ? v.InferOutput<R['body']> : undefined
export type QueryOf<R extends Route> = R['query'] extends Schema ? v.InferOutput<R['query']> : undefined
export type ParamsOf<R extends Route> = R['params'] extends Schema ? v.InferOutput<R['params']> : undefined
/** The `data` of an answer as both sides hold it: amounts are bigint units, moments are Dates. */
export type ReplyOf<R extends Route> = v.InferOutput<R['reply']>
/** The same as it stands in JSON. */
export type WireReplyOf<R extends Route> = v.InferInput<R['reply']>
export type WireBodyOf<R extends Route> = R['body'] extends Schema ? v.InferInput<R['body']> : undefined

/** The envelope of every answer (API-10). */
export interface Envelope<T> {
  success: true
  statusCode: number
  message: string
  data: T
}

/** No data besides the message. */
export const nothing = v.nullish(v.unknown())
