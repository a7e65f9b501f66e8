/**
 * Members: accounts, sponsors and referrals.
 * - Wire: `GET /profile`, `GET /profile/my-team`.
 * - Owns `member`, `member_referrals`.
 * - Rules: an email address is stored in lower case and belongs to one member; registration fixes the sponsor (invariant I11).
 */
export { activeMembers, type ActivityPorts } from './active-members.ts'
export {
  acceptsSignIn,
  beginClosing,
  endClosing,
  ERASED_NAME,
  erasedEmail,
  eraseMember,
  isClosing,
  membersToClose,
  nextToErase,
  postponeClosing,
  postponeErasure,
  repeatErasure,
} from './closing.ts'
export { addMember, type NewMember } from './add-member.ts'
export {
  addImportedMembers,
  anyImportedHash,
  type ImportedMember,
  reserveMemberIds,
  unreachableAddress,
  withoutAddress,
} from './imported-members.ts'
export {
  markPasswordsUnproved,
  freezeAllPayouts,
  type FreezeCause,
  setContact,
  freezePayouts,
  markPasswordProved,
  markVerified,
  releaseRegistrations,
  renewPasswordHash,
  replacePasswords,
  setPasswordHash,
  setSecondFactor,
  storeProfileImage,
  setPayoutStop,
} from './change-member.ts'
export {
  hasOwner,
  isUnfinished,
  lockMember,
  lockMembers,
  lockMembersByEmail,
  lockUnfinished,
  ownedAddresses,
  mayReceiveTransfers,
  type Member,
  memberByEmail,
  hadMembers,
  memberById,
  memberByPublicId,
  requireMember,
  memberByReferralCode,
  membersByEmail,
} from './members.queries.ts'
export { initialsOf } from './initials.ts'
export { directCount } from './list-my-team.ts'
export { memberRoutes } from './members.routes.ts'
export { memberChecks } from './audit-checks.ts'
export { maskedPhone } from './phone.ts'
export { inMemberState, type MemberSearch, membersById, pageOfReferrals, searchMembers, staffMembers } from './search-members.ts'
export { recordSuspender, setActive, setRanks, setRole, setSpecialRcm, setStaffRank, setSuspension } from './staff-flags.ts'
export type { MemberPorts } from './read-profile.ts'
