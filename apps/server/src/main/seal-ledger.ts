import { setTimeout as pause } from 'node:timers/promises'
import type { Lease } from '../jobs/lease.ts'
import type { Job } from '../jobs/job.ts'
import { type AuditCheck, type DueSeal, dueSeal, isSettled, sealMonth } from '../ledger/index.ts'
import { recordAudit } from '../modules/audit/index.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'

/** Number of checks, 100 ms apart, that earlier transactions have ended. */
const LOOKS = 50
const ACTION = 'ledger.seal'

/**
 * Closes past months of the ledger. Each seal is written to the audit log, whose heads are stored outside the database. An
 * attacker who rewrites a month and its seal must rewrite the log as well.
 */
export const sealJob: Job = { name: 'ledger-seals', everySeconds: 30, lane: 'seals', run: sealMonths }

async function sealMonths(lease: Lease, deps: Deps): Promise<number> {
  for (let sealed = 0; ; sealed += 1) {
    const due = await lease.read((db) => dueSeal(db, deps.clock.now()))
    if (due === undefined || !(await settles(lease, due.mark))) return sealed
    await lease.inTransaction((tx) => sealAndTell(tx, deps, due))
  }
}

/** Closes a month and writes it to the audit log. No older transaction may be open by then. */
export async function sealAndTell(tx: Tx, deps: Pick<Deps, 'clock'>, due: DueSeal): Promise<void> {
  const seal = await sealMonth(tx, due, deps.clock.now())
  await recordAudit(tx, {
    at: deps.clock.now(),
    actorId: null,
    actorRole: 'SYSTEM',
    action: ACTION,
    subject: { type: 'month', id: due.month },
    outcome: 'ok',
    detail: { seal },
  })
}

async function settles(lease: Lease, mark: bigint): Promise<boolean> {
  for (let look = 0; look < LOOKS && !lease.stopping(); look += 1) {
    if (await lease.read((db) => isSettled(db, mark))) return true
    await pause(100)
  }
  return false
}

/** Audit check for the seals in the log. */
export const sealLogCheck: AuditCheck = {
  invariant: 'I17',
  title: 'every seal of a month stands in the audit log as it was made',
  sql: `select s.month, s.seal, e.detail ->> 'seal' as logged from ledger_seal s
    full join (select subject_id::date as month, detail from audit_event where subject_type = 'month' and action = '${ACTION}') e on e.month = s.month
    where s.seal is distinct from e.detail ->> 'seal'`,
}
