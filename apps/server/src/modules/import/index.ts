/**
 * Import: members, balances and stakes of another platform, from files that its operator exports (docs/import.md).
 * - Owns `import_*`. Wire: `GET /movements/earlier`, the movements before the move.
 * - A check reports every fault with file, line and column, and compares all sums with the control sums of the old platform.
 * - Two admins approve the hash of the files. One transaction of the worker then adds all members and balances, or nothing.
 * - Reasons: docs/decisions/0056-imported-members.md.
 */
export { approveImport, endRestoredImports, type ImportBatch, readImport } from './apply-import.ts'
export { importChecks } from './audit-checks.ts'
export { checkImport, type CheckedImport, sumOf } from './check-import.ts'
export { type ImportProgress, readProgress } from './import-progress.ts'
export { formatFault, ImportRejected, MAX_LISTED_FAULTS } from './faults.ts'
export { importHistories } from './history.ts'
export { setImportMails } from './import-mails.ts'
export { listImports } from './list-imports.ts'
export { importRoutes } from './import.routes.ts'
export { importJobs, importRetention } from './import.jobs.ts'
export { auditImports, importMacs } from './import-mac.ts'
export { importReportJob, readReport, type ReportPorts } from './import-report.ts'
export { importTransfers } from './import.transfers.ts'
export { stageImport, type StagedImport } from './stage-import.ts'
