/**
 * Staff: what the operator's people do to members' requests and to what the house promises (tier 5, GN-04).
 * - Wire: everything below `/staff`; the same use cases serve the command `npm run staff`.
 * - Owns: `staff_change`, `staff_note`, `saved_reply`, `shared_trace*` (out of `session` and `payout_request`).
 * - Rules: `rights.ts` says which role may make which call; everybody else gets 404. Nobody decides
 *   about an own request or account. What changes prices, plans, limits or roles, money above the limit and the
 *   undoing of a purchase, takes two people (ASVS 2.3.5): maker and checker differ in the one function that executes and in the database. Every act leaves
 *   an audit row with actor and reason (invariant I17).
 */
export { auditChecks } from './audit-log/audit-checks.ts'
export { auditProposals, sealedProposals } from './proposals/kinds/maker-seal.ts'
export type { Keeper } from './audit-log/audit-anchor-file.ts'
export { lostHead, sayBad } from './audit-log/audit-heads.ts'
export { currentOffer } from './proposals/kinds/current-bound.ts'
export { readCatalogue } from './proposals/changes.queries.ts'
export { readRewardPool } from './rewards/reward-pool.queries.ts'
export { grantRole } from './people/grant-role.ts'
export { type FirstHouse, recordRefusedSetup, setUpHouse } from './operations/set-up-house.ts'
export { approveRequest, rejectRequest } from './requests/decide-request.ts'
export { approveChange } from './proposals/decide-change.ts'
export { fileReversal } from './ledger/file-reversal.ts'
export { reverseTransfer } from './proposals/kinds/reverse-transfer.ts'
export { proposeChange } from './proposals/propose-change.ts'
export { staffLive } from './operations/live-work.queries.ts'
export { staffJobs, staffRetention, staffSweeps } from './operations/staff.jobs.ts'
export type { StaffPorts } from './access/ports.ts'
export { staffRoutes } from './staff.routes.ts'
