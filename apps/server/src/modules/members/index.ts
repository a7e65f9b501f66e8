/**
 * Members: who has an account, who brought them, and the trail of what was done (tier 1).
 * - Wire: `GET /profile`, `GET /profile/my-team`.
 * - Owns: `member`, `member_referrals`; writes `audit_event`.
 * - Rules: an e-mail address is kept in lower case and belongs to one member; a sponsor is fixed at registration
 *   (invariant I11); audit rows are chained by hash and never change (invariant I17).
 */
export { addMember, type NewMember } from './add-member.ts'
export {
  auditHead,
  type AuditEntry,
  type ChainPlace,
  chainStart,
  followChain,
  hashesOf,
  memberChecks,
  recordAudit,
  trailLength,
} from './audit.ts'
export { noteView } from './note-view.ts'
export {
  type AuditSearch,
  doneByOrTo,
  deedsAbout,
  deedsAboutMany,
  deedsOf,
  latestDeeds,
  listAudit,
  newestDeedTo,
  actorsOf,
  countSubjectsOf,
  timesOf,
  newestOf,
  newestReason,
  wasEverAudited,
} from './audit.queries.ts'
export {
  type HoldCause,
  holdPayouts,
  markPasswordProved,
  markVerified,
  releaseRegistration,
  renewPasswordHash,
  setPasswordHash,
  setSecondFactor,
  stopPayouts,
} from './change-member.ts'
export {
  lockMember,
  lockMembers,
  type Member,
  memberByEmail,
  hadMembers,
  memberById,
  memberByPublicId,
  memberByReferralCode,
  membersByEmail,
} from './members.queries.ts'
export { type ListTally, listTally, sumByStatus, sumOfStanding, tallyCheck, tallyMarks } from './list-tally.ts'
export { findReceipt, type History, type ReceiptFinder } from './history.ts'
export { readHistory } from './read-history.ts'
export { directCount } from './list-my-team.ts'
export { memberRoutes } from './members.routes.ts'
export { maskedPhone } from './phone.ts'
export { type MemberSearch, membersById, pageOfReferrals, searchMembers, staffMembers } from './search-members.ts'
export { setActive, setRanks, setRole, setSpecialRcm, setStaffRank } from './staff-flags.ts'
export type { MemberPorts } from './read-profile.ts'
