import type { MemberProfile } from '@tizara/contract/members'
import type { Viewer } from '../../http/calls/session-guard.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import { memberById } from './members.queries.ts'
import { maskedPhone } from './phone.ts'

/** What the profile needs from higher tiers, handed in by main. */
export interface MemberPorts {
  /** How many people stand anywhere below a member. */
  downlineCount(db: Db, memberId: bigint): Promise<number>
}

/**
 * The signed-in member as the wire shows them (API-55, EN-09, EN-10).
 * @param viewer whose session it is; blocked and unverified members too (RO-16)
 * @throws AppError UNAUTHENTICATED
 */
export async function readProfile(db: Db, ports: MemberPorts, viewer: Viewer): Promise<MemberProfile> {
  const [member, referralCount] = await Promise.all([memberById(db, viewer.memberId), ports.downlineCount(db, viewer.memberId)])
  if (member === undefined) throw new AppError('UNAUTHENTICATED')
  return {
    id: member.public_id,
    name: member.name,
    email: member.email,
    phone: viewer.viewedBy === undefined ? member.phone : maskedPhone(member.phone),
    status: member.is_active,
    isVerified: viewer.isVerified,
    isActive: member.is_active,
    profileImage: member.profile_image,
    rank: member.rank,
    isSpecialRcm: member.is_special_rcm,
    myReferralCode: member.referral_code,
    referralCount,
    createdAt: member.created_at,
    secondFactor: member.second_factor,
    isStaff: member.role !== 'MEMBER',
    live: true,
  }
}
