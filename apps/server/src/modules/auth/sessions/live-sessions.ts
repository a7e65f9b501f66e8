import type { Db } from '../../../platform/db/database.ts'
import { isLive } from '../auth.rules.ts'
import { listSessions } from './own-sessions.ts'

/** Returns a session's idle timeout and its absolute expiry. */
export async function sessionLimits(db: Db, sessionId: bigint): Promise<{ idleSeconds: number; endsAt: Date } | undefined> {
  const row = await db.selectFrom('session').select(['idle_seconds', 'expires_at']).where('id', '=', sessionId).executeTakeFirst()
  return row === undefined ? undefined : { idleSeconds: row.idle_seconds, endsAt: row.expires_at }
}

export async function countLiveSessions(db: Db, memberId: bigint, now: Date): Promise<number> {
  return (await listSessions(db, { memberId, sessionId: 0n }, now)).length
}

/** Returns the time zone name reported by the browser of the newest sign-in, or undefined. */
export async function timeZoneOf(db: Db, memberId: bigint): Promise<string | undefined> {
  const row = await db
    .selectFrom('session')
    .select('time_zone')
    .where('member_id', '=', memberId)
    .where('time_zone', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.time_zone ?? undefined
}

/** Lists stored sessions of a member below a given id, newest first. */
export async function pageOfSessions(
  db: Db,
  memberId: bigint,
  { before, limit, now }: { before?: bigint | undefined; limit: number; now: Date },
) {
  let found = db.selectFrom('session').selectAll().where('member_id', '=', memberId)
  if (before !== undefined) found = found.where('id', '<', before)
  const rows = await found.orderBy('id', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    rowId: row.id,
    session: {
      id: row.public_id,
      device: row.device,
      ip: row.ip,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      live: isLive({ endedAt: row.ended_at, expiresAt: row.expires_at, lastSeenAt: row.last_seen_at, idleSeconds: row.idle_seconds }, now),
      ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
      ...(row.end_reason === null ? {} : { endReason: row.end_reason }),
      secondFactor: row.second_factor_at !== null,
    },
  }))
}

/** Returns the members' live sessions with the time of last use. */
export async function liveSessionsOf(db: Db, memberIds: readonly bigint[], now: Date): Promise<{ memberId: bigint; lastSeenAt: Date }[]> {
  const rows = await db
    .selectFrom('session')
    .select(['member_id', 'ended_at', 'expires_at', 'last_seen_at', 'idle_seconds'])
    .where('member_id', 'in', memberIds.length === 0 ? [0n] : [...memberIds])
    .where('ended_at', 'is', null)
    .execute()
  return rows
    .filter((row) =>
      isLive({ endedAt: row.ended_at, expiresAt: row.expires_at, lastSeenAt: row.last_seen_at, idleSeconds: row.idle_seconds }, now),
    )
    .map((row) => ({ memberId: row.member_id, lastSeenAt: row.last_seen_at }))
}
