import { VIEW_MINUTES } from '@tizara/contract/staff-member-acts'
import { sql } from 'kysely'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { readViewToken, writeViewToken } from './access-token.ts'
import { isLive } from '../auth.rules.ts'

/**
 * Opens a read-only view of a member's pages for a staff session.
 * @returns the view's token, which is not stored, and its expiry
 */
export async function openView(
  tx: Tx,
  deps: Deps,
  input: { member: { id: bigint; public_id: string }; sessionId: bigint },
): Promise<{ token: string; endsAt: Date }> {
  const now = deps.clock.now()
  const seconds = VIEW_MINUTES * 60
  const endsAt = new Date(now.getTime() + seconds * 1000)
  const { id } = await tx
    .insertInto('member_view')
    .values({ member_id: input.member.id, session_id: input.sessionId, created_at: now, expires_at: endsAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { token: writeViewToken(deps.config, { id, memberPublicId: input.member.public_id, seconds }, now), endsAt }
}

interface ViewRow {
  memberId: bigint
  publicId: string
  email: string
  isVerified: boolean
  isActive: boolean
  isSpecialRcm: boolean
  isMember: boolean
  staffId: bigint
  mayView: boolean
  viewExpiresAt: Date
  endedAt: Date | null
  expiresAt: Date
  lastSeenAt: Date
  idleSeconds: number
}

/**
 * Returns the member of a view token, read-only for staff. A view cannot be renewed. It ends with the staff session, or when the viewer
 * loses the role or is blocked.
 * @throws AppError UNAUTHENTICATED
 */
export async function readView(db: Db, config: Config, token: string, now: Date): Promise<Viewer> {
  // The `sessionId` of a view token is the id of the view.
  const claims = readViewToken(config, token, now)
  if (claims === undefined || claims.expired) throw new AppError('UNAUTHENTICATED')
  const { rows } = await sql<ViewRow>`
    select m.id as "memberId", m.public_id as "publicId", m.email, m.is_verified as "isVerified", m.is_active as "isActive",
      m.is_special_rcm as "isSpecialRcm", m.role = 'MEMBER' as "isMember", s.member_id as "staffId",
      who.is_active and who.role <> 'MEMBER' as "mayView", v.expires_at as "viewExpiresAt",
      s.ended_at as "endedAt", s.expires_at as "expiresAt", s.last_seen_at as "lastSeenAt", s.idle_seconds as "idleSeconds"
    from member_view v join member m on m.id = v.member_id join session s on s.id = v.session_id join member who on who.id = s.member_id
    where v.id = ${claims.sessionId}`.execute(db)
  const [row] = rows
  if (row === undefined || row.publicId !== claims.publicId || row.viewExpiresAt <= now) throw new AppError('UNAUTHENTICATED')
  if (!row.isMember || !row.mayView || !isLive(row, now)) throw new AppError('UNAUTHENTICATED')
  return {
    memberId: row.memberId,
    publicId: row.publicId,
    email: row.email,
    sessionId: 0n,
    isVerified: row.isVerified,
    isActive: row.isActive,
    role: 'MEMBER',
    isStaff: false,
    isSpecialRcm: row.isSpecialRcm,
    viewedBy: row.staffId,
  }
}
