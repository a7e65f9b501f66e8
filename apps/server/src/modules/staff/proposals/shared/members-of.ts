import type { Db } from '../../../../platform/db/database.ts'
import { memberByEmail, memberByPublicId } from '../../../members/index.ts'

/** The member whom a value names by id; empty for an unknown id, which `apply` rejects. */
export async function memberWithId(db: Db, { memberId }: { memberId: string }): Promise<readonly bigint[]> {
  const member = await memberByPublicId(db, memberId)
  return member === undefined ? [] : [member.id]
}

/** The member whom a value names by email; empty for an account that does not exist yet. */
export async function memberWithEmail(db: Db, { email }: { email: string }): Promise<readonly bigint[]> {
  const member = await memberByEmail(db, email)
  return member === undefined ? [] : [member.id]
}
