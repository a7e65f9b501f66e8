import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { markVerified } from '../../members/index.ts'
import { voidVerification } from '../codes.ts'
import { deleteAttempts } from './registration-attempt.ts'
import { revokeUnprovedSessions } from '../sessions/sessions.ts'

/**
 * Marks a member's address as verified on behalf of staff. This does not prove who chose the password: unproved sessions end, and the
 * password works only after a mailed code or link (docs/decisions/0010-email-verification.md).
 */
export async function markEmailVerified(tx: Tx, deps: Deps, member: { id: bigint; email: string }): Promise<void> {
  const now = deps.clock.now()
  await voidVerification(tx, [member.id], now)
  await markVerified(tx, member.id, now)
  await deleteAttempts(tx, member.email)
  await revokeUnprovedSessions(tx, member.id, now)
}
