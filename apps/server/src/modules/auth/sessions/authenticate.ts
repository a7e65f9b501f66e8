import { sql } from 'kysely'
import type { Authenticate, Viewer } from '../../../http/calls/session-guard.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { readAccessToken } from './access-token.ts'
import { isApiKey, readApiKey } from '../api-keys/api-keys.ts'
import { readView } from './member-views.ts'
import { isLive, LAST_SEEN_MIN_AGE_MS } from '../auth.rules.ts'

interface SessionRow {
  sessionId: bigint
  memberId: bigint
  publicId: string
  email: string
  isVerified: boolean
  isActive: boolean
  role: Viewer['role']
  isSpecialRcm: boolean
  provedFactor: boolean
  suspendedUntil: Date | null
  termsDue: number | null
  endedAt: Date | null
  endReason: string | null
  lastSeenAt: Date
  idleSeconds: number
  expiresAt: Date
}

interface PendingLookup {
  sessionId: bigint
  resolve(row: SessionRow | undefined): void
  reject(error: unknown): void
}

/**
 * Creates the session look-up of the HTTP server. Look-ups in one turn of the event loop share a query. No result is used in a later turn,
 * so that a log-out or block applies to the next call (invariant I14).
 */
export function createAuthenticate(deps: Deps): Authenticate {
  const queues = new WeakMap<Db, PendingLookup[]>()

  const findSession = (db: Db, sessionId: bigint) =>
    new Promise<SessionRow | undefined>((resolve, reject) => {
      const queue = queues.get(db)
      if (queue !== undefined) {
        queue.push({ sessionId, resolve, reject })
        return
      }
      const fresh: PendingLookup[] = [{ sessionId, resolve, reject }]
      queues.set(db, fresh)
      setImmediate(() => {
        queues.delete(db)
        void answerAll(db, deps.clock.now(), fresh)
      })
    })

  return async (db, accessToken, now, how) => {
    if (isApiKey(accessToken)) return readApiKey(db, deps, accessToken, now, how?.call)
    const claims = readAccessToken(deps.config, accessToken, now)
    if (claims === undefined) return readView(db, deps.config, accessToken, now)
    const row = await findSession(db, claims.sessionId)
    if (row === undefined || row.publicId !== claims.publicId) throw new AppError('UNAUTHENTICATED')
    if (!row.isActive) return blockedViewer(row, claims.expired, now)
    if (!isLive(row, now)) throw new AppError('UNAUTHENTICATED')
    if (claims.expired) throw new AppError('TOKEN_EXPIRED')
    if (how?.quiet !== true && now.getTime() - row.lastSeenAt.getTime() >= LAST_SEEN_MIN_AGE_MS) await markSeen(db, row.sessionId, now)
    const viewer = viewerOf(row, row.provedFactor || !deps.config.staffSecondFactor)
    return row.suspendedUntil === null || row.suspendedUntil <= now
      ? viewer
      : { ...viewer, role: 'MEMBER', suspendedUntil: row.suspendedUntil }
  }
}

const viewerOf = (row: SessionRow, mayUseRole: boolean): Viewer => ({
  memberId: row.memberId,
  publicId: row.publicId,
  email: row.email,
  sessionId: row.sessionId,
  isVerified: row.isVerified,
  isActive: row.isActive,
  role: mayUseRole ? row.role : 'MEMBER',
  isStaff: row.role !== 'MEMBER',
  isSpecialRcm: row.isSpecialRcm,
  ...(row.termsDue === null ? {} : { termsDue: row.termsDue }),
})

/**
 * Returns a blocked member, for the profile call only: the response's status false makes the app log out (RO-16, ST-35). The session must
 * have ended by the block and not for another reason.
 */
function blockedViewer(row: SessionRow, expired: boolean, now: Date): Viewer {
  const endedAt = row.endReason === 'blocked' ? null : row.endedAt
  if (expired || !isLive({ ...row, endedAt }, now)) throw new AppError('UNAUTHENTICATED')
  return viewerOf(row, false)
}

async function answerAll(db: Db, now: Date, waiting: PendingLookup[]): Promise<void> {
  try {
    const ids = [...new Set(waiting.map((one) => one.sessionId))]
    const found = await sql<SessionRow>`select * from sessions_by_id(${ids}::bigint[], ${now})`.execute(db)
    const byId = new Map(found.rows.map((row) => [row.sessionId, row]))
    for (const one of waiting) one.resolve(byId.get(one.sessionId))
  } catch (error) {
    for (const one of waiting) one.reject(error)
  }
}

async function markSeen(db: Db, sessionId: bigint, now: Date): Promise<void> {
  await db.updateTable('session').set({ last_seen_at: now }).where('id', '=', sessionId).where('last_seen_at', '<', now).execute()
}
