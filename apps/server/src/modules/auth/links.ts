import type { Db, Tx } from '../../platform/db/database.ts'
import { digest } from '../../platform/runtime/ids.ts'
import { lockMember, type Member } from '../members/index.ts'

/** Purpose of a mailed link. A link never works for another purpose (ASVS 9.2.2). */
export type LinkPurpose = 'verify' | 'reset'

/** Returns a valid link's owner. */
export async function ownerOfLink(db: Db, purpose: LinkPurpose, token: string, now: Date): Promise<bigint | undefined> {
  const link = await db
    .selectFrom('mail_link')
    .select('member_id')
    .where('token_digest', '=', digest(token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return link?.member_id
}

/**
 * Marks a link as used, and locks its member. The member is locked first, as in all callers, to prevent a deadlock.
 * @returns the member, or undefined for an unknown, used or expired link
 */
export async function useLink(tx: Tx, purpose: LinkPurpose, token: string, now: Date): Promise<Member | undefined> {
  const owner = await ownerOfLink(tx, purpose, token, now)
  if (owner === undefined) return undefined
  const member = await lockMember(tx, owner)
  const used = await tx
    .updateTable('mail_link')
    .set({ used_at: now })
    .where('token_digest', '=', digest(token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return used.numUpdatedRows === 0n ? undefined : member
}
