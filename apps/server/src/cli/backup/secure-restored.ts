import { endOpenJobs } from '../../jobs/start-job.ts'
import { auditHead, recordAudit, recordRestore, RESTORED } from '../../modules/audit/index.ts'
import { revokeAllAccess } from '../../modules/auth/index.ts'
import { endRestoredImports } from '../../modules/import/index.ts'
import { freezeAllPayouts, staffMembers } from '../../modules/members/index.ts'
import { currentSettings } from '../../modules/settings/index.ts'
import { revokeCalendarLinks } from '../../modules/staking/index.ts'
import { closeOpenRequests } from '../../modules/transfers/index.ts'
import { deletePendingMessages } from '../../modules/notices/index.ts'
import { stopAllEndpoints } from '../../modules/webhooks/index.ts'
import { expireConfirmations } from '../../modules/withdrawals/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import { HOUR_MS } from '../../platform/runtime/clock.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { applyJournal } from './apply-journal.ts'

/**
 * Ends the access that a backup revives: sessions, API keys, the sending of webhooks, mailed codes and links, and calendar addresses. Also
 * ends unconfirmed payouts, open sell requests, background jobs, approved imports, and messages that wait for sending. Freezes all payouts for
 * `payoutHoldHours`, applies the access journal, and adds an audit entry with the head of the backup's audit log.
 * @returns the report for the operator, with the facts to compare by hand, and whether the access journal was refused
 */
export async function secureRestored(tx: Tx, deps: Deps): Promise<{ report: string[]; isJournalRejected: boolean }> {
  const now = deps.clock.now()
  const head = await auditHead(tx)
  const expired = await expireConfirmations(tx, now)
  const sellRequests = await closeOpenRequests(tx, now)
  const jobs = await endOpenJobs(tx, now)
  const messages = await deletePendingMessages(tx)
  const imports = await endRestoredImports(tx, now)
  const journal = await applyJournal(tx, deps)
  const staff = await staffMembers(tx)
  const { payoutHoldHours } = await currentSettings(tx, now)
  const sessions = await revokeAllAccess(tx, now)
  await revokeCalendarLinks(tx)
  await stopAllEndpoints(tx, now)
  if (payoutHoldHours > 0) await freezeAllPayouts(tx, new Date(now.getTime() + payoutHoldHours * HOUR_MS))
  await recordRestore(tx, head?.hash ?? '')
  await recordAudit(tx, {
    at: now,
    actorId: null,
    actorRole: 'SYSTEM',
    action: RESTORED,
    outcome: 'ok',
    detail: {
      sessions,
      payoutHoldHours,
      expired,
      sellRequests,
      jobs,
      messages,
      imports,
      journal: journal.detail,
      head: head === undefined ? null : { row: String(head.id), hash: head.hash, at: head.at.toISOString() },
    },
  })
  const report = [
    `Ended ${sessions} sessions, and all API keys, mailed codes, links and calendar addresses. Payouts are frozen for ${payoutHoldHours} hours.`,
    'Switched all webhooks off and deleted their secrets. Two admins switch an endpoint on again, and one creates its secret.',
    `Expired ${expired.payouts} unconfirmed payouts and removed ${expired.addresses} unconfirmed addresses: mailed links no longer confirm them.`,
    `Withdrew ${sellRequests} open sell requests, because members may have withdrawn them after the backup.`,
    `Ended ${jobs} open background jobs and dropped ${messages} waiting messages to members, because they may have been sent after the backup.`,
    ...(imports.refused === 0
      ? []
      : [`Refused ${imports.refused} approved imports of members, which were not applied yet: propose the files again.`]),
    ...(imports.mailsStopped === 0
      ? []
      : [
          `Stopped the mails of ${imports.mailsStopped} imports, because they may have been sent after the backup. An admin starts them again.`,
        ]),
    head === undefined
      ? 'The audit log of the backup is empty.'
      : `The audit log of the backup ends with row ${head.id}, ${head.at.toISOString()}, ${head.hash}. Compare it with the newest mailed head.`,
    ...journal.lines,
    'Staff now. Compare them with the people who work for you:',
    ...staff.map(({ email, role, is_active: isActive }) => `  ${role} ${email}${isActive ? '' : ' (blocked)'}`),
  ]
  return { report, isJournalRejected: 'refused' in journal.detail }
}
