/**
 * Staff: decisions of the operator's staff about members' requests and the offer (tier 5) [GN-04].
 * - Wire: all routes below `/staff`; the command `npm run staff` uses the same use cases.
 * - Owns: `staff_proposal` (proposals), `staff_note`, `saved_reply`, `saved_segment`, `staff_case`, `linked_account*` (from `session` and `payout_request`).
 * - Rules: each call declares its role; other callers get 404. Staff cannot decide about their own or a linked account. Prices,
 *   plans, limits, roles, money above the limit and reversals take two people [ASVS 2.3.5]. One function and the database
 *   enforce different proposers and approvers. Every action leaves an audit entry with actor and reason [I17].
 */
export { closedMonth, declarations, finishMonth, readChart, startOf, sumNextPart } from './accounting/export-month.ts'
export { fileNameOf } from './accounting/render-journal.rules.ts'
export { auditChecks } from './audit-log/audit-checks.ts'
export { eraseProposals } from './proposals/erase-proposals.ts'
export { auditProposals, proposalMacs } from './proposals/proposal-mac.ts'
export type { AnchorConfig } from './audit-log/audit-anchor-file.ts'
export { digestLines, exportError, exportKeyOf, signatureLine } from './audit-log/signed-export.ts'
export { firstHeadMismatch, describeFault } from './audit-log/audit-heads.ts'
export { currentOffer } from './proposals/shared/max-gain.ts'
export { readCatalogue } from './catalogue/catalogue.queries.ts'
export { readRewardPool } from './rewards/reward-pool.queries.ts'
export { confirmPeopleAsOperator } from './people/confirm-people.ts'
export { confirmRestoredStaff, suspendRestoredStaff, removeLostRoles } from './people/restored-staff.ts'
export { grantRole } from './people/grant-role.ts'
export { recordRejectedCommand } from './operations/record-rejected-command.ts'
export { type InitialSetup, setUpPlatform } from './operations/set-up-platform.ts'
export { approveRequest, rejectRequest } from './requests/decide-request.ts'
export { approveProposal } from './proposals/decide-proposal.ts'
export { proposeTransferReversal } from './ledger/propose-transfer-reversal.ts'
export { submitProposal } from './proposals/submit-proposal.ts'
export { staffLive } from './operations/live-work.queries.ts'
export { type AlertKind, alertMeaning, alertsSince } from './operations/platform-alerts.ts'
export { rebuildBusinessDays } from './business/close-business-days.ts'
export { staffJobs, staffRetention, staffRecurringJobs } from './operations/staff.jobs.ts'
export type { StaffPorts } from './access/ports.ts'
export { allTransfers } from './access/transfer-kinds.ts'
export { staffRoutes } from './staff.routes.ts'
