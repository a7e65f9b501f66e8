import type { AnyJobKind } from '../../../jobs/background-job.ts'
import type { Retention } from '../../../jobs/retention.ts'
import type { Job } from '../../../jobs/job.ts'
import { accountingJob } from '../accounting/accounting.job.ts'
import { anchorAudit } from '../audit-log/anchor-audit.ts'
import { applyPayoutRules } from '../requests/apply-payout-rules.ts'
import { auditCheckJob } from '../audit-log/check-audit-chain.ts'
import { exportJob } from './export-list.ts'
import { messageJob } from '../segments/send-message.ts'
import { recordLinkedAccounts } from '../duties/linked-accounts.ts'
import { accessJournalJob } from '../../audit/index.ts'
import { screenMembers } from '../members/screen-members.ts'
import { simulationJob } from '../rewards/simulate-programme.ts'
import { businessDaysJob } from '../business/business.job.ts'
import { watchPlatform } from './watch-platform.ts'
import { sendWeeklyReport } from './weekly-report.ts'

export const staffRecurringJobs: Job[] = [
  { name: 'linked-accounts', everySeconds: 30, run: recordLinkedAccounts },
  { name: 'payout-rules', everySeconds: 5, run: applyPayoutRules },
  { name: 'screening', everySeconds: 5, run: screenMembers },
  { name: 'watch-platform', everySeconds: 10, run: watchPlatform },
  { name: 'audit-anchor', everySeconds: 30, run: anchorAudit },
  businessDaysJob,
  { name: 'weekly-report', everySeconds: 30, run: (lease, deps) => lease.inTransaction((tx) => sendWeeklyReport(tx, deps)) },
  accessJournalJob,
]

/** Job kinds that staff may start. */
export const staffJobs: readonly AnyJobKind[] = [auditCheckJob, exportJob, accountingJob, messageJob, simulationJob]

/**
 * Retention of staff data. A simulation allows a proposal for a day, and its rows stay 90 days for later review. Views of personal data
 * count for an hour.
 */
export const staffRetention: readonly Retention[] = [
  { table: 'programme_simulation', moment: 'made_at', days: 90 },
  { table: 'staff_view', moment: 'at', days: 1 },
]
