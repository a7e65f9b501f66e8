import type { Db } from '../../../../platform/db/database.ts'
import { memberByEmail, memberByPublicId } from '../../../members/index.ts'

/** Returns the member named by id; empty for an unknown id, which `apply` rejects. */
export async function memberWithId(db: Db, { memberId }: { memberId: string }): Promise<readonly bigint[]> {
  const member = await memberByPublicId(db, memberId)
  return member === undefined ? [] : [member.id]
}

/** Returns the member named by email; empty for a new account. */
export async function memberWithEmail(db: Db, { email }: { email: string }): Promise<readonly bigint[]> {
  const member = await memberByEmail(db, email)
  return member === undefined ? [] : [member.id]
}
