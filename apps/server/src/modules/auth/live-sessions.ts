import type { Db } from '../../platform/database.ts'
import { listSessions } from './own-sessions.ts'

/** How long a session may rest, and when it ends in any case. */
export async function sessionLimits(db: Db, sessionId: bigint): Promise<{ idleSeconds: number; endsAt: Date } | undefined> {
  const row = await db.selectFrom('session').select(['idle_seconds', 'expires_at']).where('id', '=', sessionId).executeTakeFirst()
  return row === undefined ? undefined : { idleSeconds: row.idle_seconds, endsAt: row.expires_at }
}

/** How many live sessions a member has. */
export async function countLiveSessions(db: Db, memberId: bigint, now: Date): Promise<number> {
  return (await listSessions(db, { memberId, sessionId: 0n }, now)).length
}
