import type { Db } from '../../platform/database.ts'
import { listSessions } from './own-sessions.ts'

/** How many live sessions a member has. */
export async function countLiveSessions(db: Db, memberId: bigint, now: Date): Promise<number> {
  return (await listSessions(db, { memberId, sessionId: 0n }, now)).length
}
