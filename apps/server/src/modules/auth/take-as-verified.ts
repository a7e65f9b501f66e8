import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { markVerified } from '../members/index.ts'
import { voidVerification } from './codes.ts'
import { dropAttempts } from './registration-attempt.ts'
import { endUnprovedSessions } from './sessions.ts'

/**
 * Takes a member's address as theirs by the word of staff. That says nothing about who chose the password: sessions that
 * proved nothing end, and the password opens something only once its owner has shown a mailed code or link
 * (docs/decisions/0010-who-proves-the-address.md).
 */
export async function takeAsVerified(tx: Tx, deps: Deps, member: { id: bigint; email: string }): Promise<void> {
  const now = deps.clock.now()
  await voidVerification(tx, member.id, now)
  await markVerified(tx, member.id, now)
  await dropAttempts(tx, member.email)
  await endUnprovedSessions(tx, member.id, now)
}
