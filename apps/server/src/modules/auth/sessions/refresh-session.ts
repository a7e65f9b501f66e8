import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import { type Member, memberById } from '../../members/index.ts'
import { writeAccessToken } from './access-token.ts'
import { auditAuth } from '../audit-auth.ts'
import { REFRESH_GRACE_MS } from '../auth.rules.ts'
import { isLive } from '../auth.rules.ts'
import { addRefreshToken, revokeSession, type Origin } from './sessions.ts'

export interface RefreshedTokens {
  accessToken: string
  /** Next refresh token; undefined if another tab has just received it. */
  refreshToken: string | undefined
}

/**
 * Exchanges a refresh token for an access token and a new refresh token (API-20, ST-12). A token used moments ago is still accepted,
 * because several tabs share one cookie. A token used earlier shows that a thief has a copy, so the session ends.
 * @throws AppError UNAUTHENTICATED
 */
export async function refreshSession(db: Db, deps: Deps, token: string | undefined, origin: Origin): Promise<RefreshedTokens> {
  if (token === undefined) throw new AppError('UNAUTHENTICATED')
  // Throws after the transaction, because a refusal that ends the session must be committed.
  const refreshed = await inTransaction(db, (tx) => replace(tx, deps, digest(token), origin))
  if (refreshed === undefined) throw new AppError('UNAUTHENTICATED')
  return refreshed
}

async function replace(tx: Tx, deps: Deps, tokenDigest: string, origin: Origin): Promise<RefreshedTokens | undefined> {
  const now = deps.clock.now()
  const found = await tx.selectFrom('refresh_token').select('session_id').where('token_digest', '=', tokenDigest).executeTakeFirst()
  if (found === undefined) return undefined
  const session = await tx.selectFrom('session').selectAll().where('id', '=', found.session_id).forUpdate().executeTakeFirstOrThrow()
  const token = await tx.selectFrom('refresh_token').selectAll().where('token_digest', '=', tokenDigest).executeTakeFirst()
  if (token === undefined) return undefined
  const live = isLive(
    { endedAt: session.ended_at, expiresAt: session.expires_at, lastSeenAt: session.last_seen_at, idleSeconds: session.idle_seconds },
    now,
  )
  const member = await memberById(tx, session.member_id)
  if (member?.is_active === false) await recordBlocked(tx, deps, { member, sessionId: session.id, origin })
  if (!live || member === undefined || !member.is_active) return undefined
  const accessToken = writeAccessToken(deps.config, { id: session.id, memberPublicId: member.public_id }, now)
  if (token.used_at !== null) {
    if (now.getTime() - token.used_at.getTime() <= REFRESH_GRACE_MS) return { accessToken, refreshToken: undefined }
    await revokeSession(tx, session.id, 'reuse', now)
    await auditAuth(tx, deps, { action: 'refresh-reuse', member, origin, outcome: 'UNAUTHENTICATED' })
    return undefined
  }
  await tx.updateTable('refresh_token').set({ used_at: now }).where('id', '=', token.id).execute()
  await tx.updateTable('session').set({ last_seen_at: now }).where('id', '=', session.id).execute()
  return { accessToken, refreshToken: await addRefreshToken(tx, deps, session.id) }
}

/** Records the first refused refresh of a blocked member's session. Without its tokens, later calls leave no further entries. */
async function recordBlocked(
  tx: Tx,
  deps: Deps,
  { member, sessionId, origin }: { member: Member; sessionId: bigint; origin: Origin },
): Promise<void> {
  await tx.deleteFrom('refresh_token').where('session_id', '=', sessionId).execute()
  await auditAuth(tx, deps, { action: 'refresh-blocked', member, origin, outcome: 'UNAUTHENTICATED' })
}
