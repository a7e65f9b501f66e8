/**
 * Audit log: actor, action, time, origin and outcome.
 * - Wire: `GET /profile/staff-actions`.
 * - Owns `audit_event`, append-only and chained by hash (invariant I17), and `access_journal` with its file.
 */
export {
  auditChecks,
  auditHead,
  type AuditEntry,
  type ChainPosition,
  chainStart,
  followChain,
  hashesOf,
  lastRestore,
  listRestores,
  recordAudit,
  RESTORED,
  auditLogLength,
} from './audit.ts'
export { closeLogCheck } from './audit-checks.ts'
export { closeMonthsJob } from './close-months.ts'
export { eraseAuditValues } from './erase-values.ts'
export { accessJournalJob, importLines, journalHead, journalName, matchJournal, recordRestore } from './access-journal.ts'
export { type JournalLine, readJournal, setJournalAside } from './access-journal-file.ts'
export { recordHourly } from './record-hourly.ts'
export { recordSuspendedCall } from './record-suspended-call.ts'
export { auditRoutes } from './audit.routes.ts'
export { CONFIDENTIAL_ACTIONS } from './staff-actions.queries.ts'
export {
  type AuditSearch,
  listActionsByOrOn,
  listStaffActionsOn,
  listStaffActionsOnMany,
  listActionsBy,
  latestActions,
  countActionsBy,
  estimateAudit,
  listAudit,
  lastActionTime,
  listActors,
  listActionTimes,
  latestActionOn,
  latestReason,
  wasEverAudited,
} from './audit.queries.ts'
