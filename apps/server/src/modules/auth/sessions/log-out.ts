import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import { memberById } from '../../members/index.ts'
import { readAccessToken } from './access-token.ts'
import { auditAuth } from '../audit-auth.ts'
import { revokeSession, type Origin } from './sessions.ts'

/** Signs out the sessions of a call's tokens, if any (API-23, API-24). An expired access token still identifies its session. */
export async function logOut(
  tx: Tx,
  deps: Deps,
  tokens: { access: string | undefined; refresh: string | undefined },
  origin: Origin,
): Promise<void> {
  const now = deps.clock.now()
  const ids = new Set<bigint>()
  const claims = tokens.access === undefined ? undefined : readAccessToken(deps.config, tokens.access, now)
  if (claims !== undefined) ids.add(claims.sessionId)
  if (tokens.refresh !== undefined) {
    const held = await tx
      .selectFrom('refresh_token')
      .select('session_id')
      .where('token_digest', '=', digest(tokens.refresh))
      .executeTakeFirst()
    if (held !== undefined) ids.add(held.session_id)
  }
  for (const id of [...ids].toSorted((a, b) => (a < b ? -1 : 1))) {
    const session = await tx.selectFrom('session').select('member_id').where('id', '=', id).executeTakeFirst()
    if (session === undefined || !(await revokeSession(tx, id, 'log-out', now))) continue
    const member = await memberById(tx, session.member_id)
    await auditAuth(tx, deps, { action: 'log-out', member, origin })
  }
}
