import type { Db } from '../../platform/db/database.ts'
import { memberByReferralCode } from '../members/index.ts'

/** Returns the first word of the name of the member with a referral code; null for an unknown code and for a blocked account. */
export async function readInviter(db: Db, code: string): Promise<string | null> {
  const member = await memberByReferralCode(db, code)
  return member?.is_active === true ? (member.name.trim().split(/\s+/)[0] ?? null) : null
}
