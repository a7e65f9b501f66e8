import { enqueueMail } from '../../../gateways/mailer/index.ts'
import { callerNetwork } from '../../../http/server/caller-network.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { setPasswordHash } from '../../members/index.ts'
import { recordEvent } from '../../notices/index.ts'
import { auditAuth } from '../audit-auth.ts'
import { type Holder, inSession } from '../sessions/in-session.ts'
import { assertOwnPassword } from './own-password.ts'
import { hashPassword } from './password-hash.ts'
import { assertPassword } from './password.rules.ts'
import { voidResetLinks } from './reset-password.ts'
import { revokeSessionsOf, type Origin } from '../sessions/sessions.ts'

/**
 * Changes the password of a signed-in member, who must enter the current password. All other sessions end (ASVS 6.2.3, 7.4.3).
 * @param db the pool: hashing runs outside the transaction
 * @throws AppError CURRENT_PASSWORD_WRONG, PASSWORD_TOO_COMMON, TOO_MANY_REQUESTS, UNAUTHENTICATED
 */
export async function changePassword(
  db: Db,
  deps: Deps,
  input: Holder & { oldPassword: string; newPassword: string },
  origin: Origin,
): Promise<void> {
  const { memberId, sessionId, oldPassword: password } = input
  const before = await assertOwnPassword(db, deps, { memberId, sessionId, password }, origin)
  assertPassword(input.newPassword, deps.config, before)
  const passwordHash = await hashPassword(input.newPassword, callerNetwork(origin.ip))
  await inSession(db, input, async (tx, member) => {
    const now = deps.clock.now()
    await setPasswordHash(tx, { id: member.id, passwordHash, at: now })
    await voidResetLinks(tx, member.id, now)
    await revokeSessionsOf(tx, member.id, 'password', now, input.sessionId)
    await enqueueMail(tx, deps, {
      to: member.email,
      language: member.language,
      template: 'passwordChanged',
      data: { name: member.name, at: now, how: 'change' },
    })
    await recordEvent(tx, deps, member.id, { event: 'password', facts: { how: 'change' } })
    await auditAuth(tx, deps, { action: 'change-password', member, origin })
  })
}
