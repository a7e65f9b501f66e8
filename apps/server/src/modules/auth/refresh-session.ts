import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { digest } from '../../platform/runtime/ids.ts'
import { memberById } from '../members/index.ts'
import { writeAccessToken } from './access-token.ts'
import { auditAuth } from './audit-auth.ts'
import { REFRESH_GRACE_MS } from './auth.rules.ts'
import { isLive } from './auth.rules.ts'
import { addRefreshToken, endSession, type Origin } from './sessions.ts'

export interface Refreshed {
  accessToken: string
  /** The next refresh token; undefined when another tab has just got it. */
  refreshToken: string | undefined
}

/**
 * Gives a new access token for a refresh token and replaces the latter (API-20, ST-12). A token that was used a moment
 * ago still answers, because several tabs share one cookie (T4); one that was used earlier was stolen from one of its
 * two holders, so the session ends for both.
 * @throws AppError UNAUTHENTICATED
 */
export async function refreshSession(db: Db, deps: Deps, token: string | undefined, origin: Origin): Promise<Refreshed> {
  if (token === undefined) throw new AppError('UNAUTHENTICATED')
  // A refusal has to be committed when it ends the session, so it is thrown after the transaction.
  const refreshed = await inTransaction(db, (tx) => replace(tx, deps, digest(token), origin))
  if (refreshed === undefined) throw new AppError('UNAUTHENTICATED')
  return refreshed
}

async function replace(tx: Tx, deps: Deps, tokenDigest: string, origin: Origin): Promise<Refreshed | undefined> {
  const now = deps.clock.now()
  const found = await tx.selectFrom('refresh_token').select('session_id').where('token_digest', '=', tokenDigest).executeTakeFirst()
  if (found === undefined) return undefined
  const session = await tx.selectFrom('session').selectAll().where('id', '=', found.session_id).forUpdate().executeTakeFirstOrThrow()
  const token = await tx.selectFrom('refresh_token').selectAll().where('token_digest', '=', tokenDigest).executeTakeFirstOrThrow()
  const live = isLive(
    { endedAt: session.ended_at, expiresAt: session.expires_at, lastSeenAt: session.last_seen_at, idleSeconds: session.idle_seconds },
    now,
  )
  const member = await memberById(tx, session.member_id)
  if (!live || member === undefined || !member.is_active) return undefined
  const accessToken = writeAccessToken(deps.config, { id: session.id, memberPublicId: member.public_id }, now)
  if (token.used_at !== null) {
    if (now.getTime() - token.used_at.getTime() <= REFRESH_GRACE_MS) return { accessToken, refreshToken: undefined }
    await endSession(tx, session.id, 'reuse', now)
    await auditAuth(tx, deps, { action: 'refresh-reuse', member, origin, outcome: 'UNAUTHENTICATED' })
    return undefined
  }
  await tx.updateTable('refresh_token').set({ used_at: now }).where('id', '=', token.id).execute()
  await tx.updateTable('session').set({ last_seen_at: now }).where('id', '=', session.id).execute()
  return { accessToken, refreshToken: await addRefreshToken(tx, deps, session.id) }
}
