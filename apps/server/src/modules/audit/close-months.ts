import { setTimeout as pause } from 'node:timers/promises'
import type { Lease } from '../../jobs/lease.ts'
import type { Job } from '../../jobs/job.ts'
import { type DueClose, dueClose, isSettled, closeMonth } from '../../ledger/index.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { recordAudit } from './audit.ts'

/** Number of checks, 100 ms apart, that earlier transactions have ended. */
const CHECKS = 50
/** Action of the audit entry of a period close. */
export const CLOSE_ACTION = 'ledger.close'

/**
 * Closes past months of the ledger, and writes each close to the audit log. The newest hash of this log is stored outside the database. An
 * attacker who rewrites a month and its close would therefore have to rewrite the log as well.
 */
export const closeMonthsJob: Job = { name: 'close-months', everySeconds: 30, group: 'close-months', run: closeMonths }

async function closeMonths(lease: Lease, deps: Deps): Promise<number> {
  for (let closed = 0; ; closed += 1) {
    const due = await lease.read((db) => dueClose(db, deps.clock.now()))
    if (due === undefined || !(await waitUntilSettled(lease, due.mark))) return closed
    await lease.inTransaction((tx) => closeAndAudit(tx, deps, due))
  }
}

/** Closes a month and writes it to the audit log. No older transaction may be open by then. */
export async function closeAndAudit(tx: Tx, deps: Pick<Deps, 'clock'>, due: DueClose): Promise<void> {
  const close = await closeMonth(tx, due, deps.clock.now())
  await recordAudit(tx, {
    at: deps.clock.now(),
    actorId: null,
    actorRole: 'SYSTEM',
    action: CLOSE_ACTION,
    subject: { type: 'month', id: due.month },
    outcome: 'ok',
    detail: { close },
  })
}

async function waitUntilSettled(lease: Lease, mark: bigint): Promise<boolean> {
  for (let check = 0; check < CHECKS && !lease.stopping(); check += 1) {
    if (await lease.read((db) => isSettled(db, mark))) return true
    await pause(100)
  }
  return false
}
