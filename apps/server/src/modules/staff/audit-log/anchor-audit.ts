import { recordCommandRun, hasRunWithin } from '../../../jobs/command-runs.ts'
import type { Lease } from '../../../jobs/lease.ts'
import { utcDay } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { auditHead, journalHead, recordAudit } from '../../audit/index.ts'
import { saveAnchor, signAnchorsAgain } from './audit-anchor-file.ts'
import { firstHeadMismatch, describeFault } from './audit-heads.ts'
import { mailAdmins } from '../access/mail-admins.ts'

/** Seconds between comparisons with the saved heads. */
const COMPARE_SECONDS = 600

/**
 * Saves the audit log's head outside the database, once per UTC day. An attacker who rewrites or cuts the log cannot also
 * change the data folder and the admins' mailboxes [ASVS 16.4.3].
 */
export async function anchorAudit(lease: Lease, deps: Deps): Promise<number> {
  const head = await lease.inTransaction((tx) => recordHead(tx, deps))
  // Compares before it saves, so that a read-only data folder cannot hide a cut log.
  await lease.inTransaction((tx) => compareHeads(tx, deps))
  signAnchorsAgain(deps.config)
  const waiting = await lease.read((db) => db.selectFrom('audit_anchor').selectAll().where('saved_at', 'is', null).orderBy('day').execute())
  for (const { day, event_id: row, hash, at } of waiting) {
    saveAnchor(deps.config, { day, row, hash, at })
    await lease.inTransaction((tx) => tx.updateTable('audit_anchor').set({ saved_at: deps.clock.now() }).where('day', '=', day).execute())
  }
  return head + waiting.length
}

/** Detects a cut or rewritten log within minutes and raises an alert (platform-alerts.ts). */
async function compareHeads(tx: Tx, deps: Deps): Promise<void> {
  if (await hasRunWithin(tx, 'audit-heads', COMPARE_SECONDS)) return
  const bad = await firstHeadMismatch(tx, deps.config)
  await recordCommandRun(tx, 'audit-heads', bad === undefined, bad === undefined ? 'all stored heads match' : describeFault(bad))
}

async function recordHead(tx: Tx, deps: Deps): Promise<number> {
  const at = deps.clock.now()
  const day = utcDay(at)
  const head = await auditHead(tx)
  if (head === undefined) return 0
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('audit_anchor')
    .values({ day, event_id: head.id, hash: head.hash, at })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) return 0
  const journal = await journalHead(tx)
  await mailAdmins(tx, deps, `audit log of ${day}`, [
    `The audit log ended with row ${head.id} when ${day} began. The hash of that row is ${head.hash}. Please keep this mail.`,
    ...(journal === undefined
      ? []
      : [
          `The access journal ended with line ${journal.line}. Its mark is ${journal.mark}. After a restore, compare both with the output of the restore.`,
        ]),
  ])
  const subject = { type: 'audit', id: String(head.id) }
  await recordAudit(tx, {
    at,
    actorId: null,
    actorRole: 'SYSTEM',
    action: 'audit.anchor',
    subject,
    outcome: 'ok',
    detail: { hash: head.hash },
  })
  return 1
}
