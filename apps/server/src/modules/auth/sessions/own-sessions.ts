import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { memberById } from '../../members/index.ts'
import { auditAuth } from '../audit-auth.ts'
import { isLive } from '../auth.rules.ts'
import { revokeSession, type Origin } from './sessions.ts'

/** Lists a member's live sessions, newest first (ASVS 7.5.2). */
export async function listSessions(db: Db, viewer: { memberId: bigint; sessionId: bigint }, now: Date) {
  const rows = await db
    .selectFrom('session')
    .selectAll()
    .where('member_id', '=', viewer.memberId)
    .where('ended_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  return rows
    .filter((row) =>
      isLive({ endedAt: row.ended_at, expiresAt: row.expires_at, lastSeenAt: row.last_seen_at, idleSeconds: row.idle_seconds }, now),
    )
    .map((row) => ({
      id: row.public_id,
      device: row.device,
      ip: row.ip,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      current: row.id === viewer.sessionId,
    }))
}

/**
 * Ends a session of the member.
 * @throws AppError NOT_FOUND, also for another member's session
 */
export async function endOwnSession(tx: Tx, deps: Deps, input: { memberId: bigint; id: string }, origin: Origin): Promise<void> {
  const session = await tx
    .selectFrom('session')
    .select('id')
    .where('public_id', '=', input.id)
    .where('member_id', '=', input.memberId)
    .executeTakeFirst()
  if (session === undefined || !(await revokeSession(tx, session.id, 'ended-by-member', deps.clock.now()))) throw new AppError('NOT_FOUND')
  await auditAuth(tx, deps, { action: 'end-session', member: await memberById(tx, input.memberId), origin })
}
