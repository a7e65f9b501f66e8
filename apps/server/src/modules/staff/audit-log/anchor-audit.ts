import { recordCommandRun, ranWithin } from '../../../jobs/command-log.ts'
import type { Lease } from '../../../jobs/lease.ts'
import { utcDay } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { auditHead, recordAudit } from '../../audit/index.ts'
import { keepAnchor } from './audit-anchor-file.ts'
import { lostHead, sayBad } from './audit-heads.ts'
import { mailAdmins } from '../access/mail-admins.ts'

/** How often the log is compared with the heads that are kept. */
const COMPARE_SECONDS = 600

/**
 * Keeps the head of the audit log outside the database, once a UTC day: whoever rewrites the log or cuts its end cannot
 * change what lies in the data folder and in the admins' mailboxes (ASVS 16.4.3).
 */
export async function anchorAudit(lease: Lease, deps: Deps): Promise<number> {
  const taken = await lease.inTransaction((tx) => takeHead(tx, deps))
  // First, as a data folder that takes no file is no reason to say nothing of a log that was cut.
  await lease.inTransaction((tx) => compareHeads(tx, deps))
  const waiting = await lease.read((db) => db.selectFrom('audit_anchor').selectAll().where('kept_at', 'is', null).orderBy('day').execute())
  for (const { day, event_id: row, hash, at } of waiting) {
    keepAnchor(deps.config, { day, row, hash, at })
    await lease.inTransaction((tx) => tx.updateTable('audit_anchor').set({ kept_at: deps.clock.now() }).where('day', '=', day).execute())
  }
  return taken + waiting.length
}

/** What was cut off or written anew is told of within minutes, without anybody asking (house-alarms.ts). */
async function compareHeads(tx: Tx, deps: Deps): Promise<void> {
  if (await ranWithin(tx, 'audit-heads', COMPARE_SECONDS)) return
  const bad = await lostHead(tx, deps.config)
  await recordCommandRun(tx, 'audit-heads', bad === undefined, bad === undefined ? 'all kept heads stand' : sayBad(bad))
}

async function takeHead(tx: Tx, deps: Deps): Promise<number> {
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
  await mailAdmins(tx, deps, `audit log of ${day}`, [
    `The audit log ended with row ${head.id} when ${day} began. The hash of that row is ${head.hash}. Please keep this mail.`,
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
