import { sql } from 'kysely'
import type { Lease } from '../../../jobs/lease.ts'
import { recordCommandRun, hasRunWithin } from '../../../jobs/command-runs.ts'
import { stopLedger } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordAudit } from '../../audit/index.ts'
import { writeDailyTotals } from '../ledger/daily-totals.ts'
import { remindCaseOwners } from '../members/remind-case-owners.ts'
import { alertMeaning, platformAlerts } from './platform-alerts.ts'
import { mailAdmins } from '../access/mail-admins.ts'

/** Seconds between checks of the ledger's balance. A check reads every account. */
const CHECK_SECONDS = 300

/**
 * Monitors the platform: opens one incident per alert, and ends incidents whose alert is over. A new incident with `stops` starts an
 * emergency pause. Two people end the pause; the same incident does not start another one.
 * @returns the number of opened and ended incidents
 */
export async function watchPlatform(lease: Lease, deps: Deps): Promise<number> {
  await lease.inTransaction(checkBalances)
  await lease.inTransaction((tx) => writeDailyTotals(tx, deps.clock.now()))
  await lease.inTransaction((tx) => remindCaseOwners(tx, deps))
  return lease.inTransaction(async (tx) => {
    const now = deps.clock.now()
    const alerts = await platformAlerts(tx, now)
    const closed = await sql`update staff_incident set ended_at = ${now}
      where ended_at is null and name <> all (${alerts.map((alert) => alert.name)}::text[])`.execute(tx)
    let opened = 0
    for (const { name, level, text, stops, mailed } of alerts) {
      const inserted = await sql`insert into staff_incident (public_id, name, level, text, since)
        values (${deps.ids.publicId()}, ${name}, ${level}, ${text}, ${now}) on conflict do nothing`.execute(tx)
      if (inserted.numAffectedRows !== 1n) continue
      opened += 1
      // Mails the admins once per incident, because staff do not watch the console at night.
      if (level === 'red' || mailed === true) await mailAdmins(tx, deps, 'an incident of the platform', linesOf(name, text, deps))
      if (stops && (await stopLedger(tx, now, text))) await recordStop(tx, now, text)
    }
    return opened + Number(closed.numAffectedRows ?? 0n)
  })
}

function linesOf(name: string, text: string, { config }: Deps): string[] {
  const { meaning, href = '/staff' } = alertMeaning(name)
  return [`${text}.`, meaning, `${config.publicUrl}${href}`]
}

const recordStop = (tx: Tx, at: Date, reason: string) =>
  recordAudit(tx, {
    at,
    actorId: null,
    actorRole: 'SYSTEM',
    action: 'staff.stop',
    subject: { type: 'platform', id: 'stop' },
    reason,
    outcome: 'ok',
  })

/** Checks periodically that account balances sum to zero per asset. */
async function checkBalances(tx: Tx): Promise<void> {
  if (await hasRunWithin(tx, 'ledger-check', CHECK_SECONDS)) return
  const { rows } = await sql<{ differences: number; transfers: bigint }>`
    select (select count(*)::int from (select from ledger_account group by asset having sum(balance) <> 0) s) as differences,
      coalesce((select max(id) from ledger_transfer), 0) as transfers`.execute(tx)
  const { differences = 0, transfers = 0n } = rows[0] ?? {}
  await recordCommandRun(tx, 'ledger-check', differences === 0, `${differences} differences in ${transfers} transfers`)
}
