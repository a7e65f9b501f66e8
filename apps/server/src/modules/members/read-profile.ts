import type { MemberProfile } from '@tizara/contract/members'
import type { Viewer } from '../../http/calls/session-guard.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import { activeMembers, type ActivityPorts } from './active-members.ts'
import { memberById } from './members.queries.ts'
import { maskedPhone } from './phone.ts'

/** Functions from higher tiers for the profile, injected by main. */
export interface MemberPorts extends ActivityPorts {
  /** Counts all members below a member. */
  downlineCount(db: Db, memberId: bigint): Promise<number>
}

/**
 * Reads the signed-in member in wire format (API-55, EN-09, EN-10).
 * @param viewer session owner; may be blocked or unverified (RO-16)
 * @throws AppError UNAUTHENTICATED
 */
export async function readProfile(db: Db, ports: MemberPorts, viewer: Viewer, now: Date): Promise<MemberProfile> {
  const [member, referralCount, active] = await Promise.all([
    memberById(db, viewer.memberId),
    ports.downlineCount(db, viewer.memberId),
    activeMembers(db, ports, [viewer.memberId], now),
  ])
  if (member === undefined) throw new AppError('UNAUTHENTICATED')
  return {
    id: member.public_id,
    name: member.name,
    email: member.email,
    phone: viewer.viewedBy === undefined ? member.phone : maskedPhone(member.phone),
    status: member.is_active,
    isVerified: viewer.isVerified,
    isActive: active.has(member.id),
    profileImage: member.profile_image,
    rank: member.rank,
    isSpecialRcm: member.is_special_rcm,
    myReferralCode: member.referral_code,
    referralCount,
    createdAt: member.created_at,
    secondFactor: member.second_factor,
    isStaff: member.role !== 'MEMBER',
    language: member.language,
    ...(viewer.termsDue === undefined ? {} : { termsDue: viewer.termsDue }),
    live: viewer.isVerified,
  }
}
