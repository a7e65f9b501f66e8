import type { Access, Route } from '@tizara/contract'
import { type RoleGroup, roleGroups } from '@tizara/contract/role-groups'
import type { StaffRole } from '@tizara/contract/staff'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'

/** Session of a call. */
export interface Viewer {
  memberId: bigint
  /** Public id of the member. */
  publicId: string
  email: string
  sessionId: bigint
  /** True if the email address is verified. */
  isVerified: boolean
  /** False for a member blocked by staff (RO-08). */
  isActive: boolean
  /** Role of the session. MEMBER also for staff without the required second factor, or suspended by a colleague. */
  role: 'MEMBER' | StaffRole
  /** True if the account is a staff account, whatever rights the session has. */
  isStaff: boolean
  isSpecialRcm: boolean
  /** End of the suspension of a staff member's rights; absent without one. */
  suspendedUntil?: Date
  /** Version of the terms of use that the member has not accepted; absent if there is none. */
  termsDue?: number
  /** Staff member who views this member's pages. Such a session is read-only. */
  viewedBy?: bigint
}

/** A call that an API key may make if it has the right. */
export interface KeyCall {
  /** Name of the route. */
  name: string
  ip: string
}

/**
 * Loads a session by access token, or an API key. Every call does this, so that a log-out or block takes effect at once (invariant I14).
 * Throws AppError TOKEN_EXPIRED for an expired token of a live session, API_KEY_NETWORK_REFUSED, API_KEY_RIGHT_MISSING or TOO_MANY_REQUESTS
 * for a live API key, otherwise UNAUTHENTICATED. With `quiet` the call does not extend the session. Without `call` no API key has the right.
 */
export type Authenticate = (db: Db, accessToken: string, now: Date, how?: { quiet: boolean; call?: KeyCall }) => Promise<Viewer>

/** The token of an Authorization header, bare or after `Bearer ` (API-07). */
export function readToken(header: string | undefined): string | undefined {
  const token = header?.replace(/^Bearer\s+/i, '').trim()
  return token === undefined || token === '' || token.length > 4096 ? undefined : token
}

/**
 * Applies the rules of RO-01 to RO-08 and RO-16 to a live session.
 * @param blockedMayCall true if blocked members may call the route (only the profile)
 * @throws AppError VIEW_ONLY, UNAUTHENTICATED, EMAIL_NOT_VERIFIED, STAFF_ONLY, STAFF_SUSPENDED, STAFF_SECOND_FACTOR or STAFF_HAVE_NO_WALLETS
 */
export function assertAccess(
  viewer: Viewer,
  { access, money, method }: { access: Access; money?: boolean; method: Route['method'] },
  blockedMayCall: boolean,
): void {
  if (viewer.viewedBy !== undefined && method !== 'GET') throw new AppError('VIEW_ONLY')
  if (!viewer.isActive && !blockedMayCall) throw new AppError('UNAUTHENTICATED')
  if (access === 'staff' && !viewer.isStaff) throw new AppError('STAFF_ONLY')
  if ((access === 'member' || access === 'staff') && !viewer.isVerified) throw new AppError('EMAIL_NOT_VERIFIED')
  if (access === 'staff' && viewer.suspendedUntil !== undefined)
    throw new AppError('STAFF_SUSPENDED', { at: viewer.suspendedUntil.toISOString() })
  if (access === 'staff' && viewer.role === 'MEMBER') throw new AppError('STAFF_SECOND_FACTOR')
  if (access === 'member' && money === true && viewer.isStaff) throw new AppError('STAFF_HAVE_NO_WALLETS')
}

/** Returns true if a member must have accepted the terms of use for a call (docs/decisions/0072-terms-of-use.md). */
export const needsTerms = (route: Pick<Route, 'access' | 'money' | 'needsTerms'>): boolean =>
  route.access === 'member' && (route.needsTerms ?? route.money === true)

/** Returns true if the viewer's role may make a staff call. The server checks this before it reads the call's input. */
export const mayCall = (viewer: Viewer, { access, role }: { access: Access; role?: RoleGroup }): boolean =>
  access !== 'staff' || (role !== undefined && roleGroups[role].some((one) => one === viewer.role))
