import { enqueueMails } from '../../gateways/mailer/index.ts'
import type { Lease } from '../../jobs/lease.ts'
import { utcDay } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { auditHead, recordAudit } from '../members/index.ts'
import { keepAnchor } from './audit-anchor-file.ts'

/**
 * Keeps the head of the audit log outside the database, once a UTC day: whoever rewrites the log or cuts its end cannot
 * change what lies in the data folder and in the admins' mailboxes (ASVS 16.4.3).
 */
export async function anchorAudit(lease: Lease, deps: Deps): Promise<number> {
  const taken = await lease.inTransaction((tx) => takeHead(tx, deps))
  const waiting = await lease.read((db) => db.selectFrom('audit_anchor').selectAll().where('kept_at', 'is', null).orderBy('day').execute())
  for (const { day, event_id: row, hash, at } of waiting) {
    keepAnchor(deps.config, { day, row, hash, at })
    await lease.inTransaction((tx) => tx.updateTable('audit_anchor').set({ kept_at: deps.clock.now() }).where('day', '=', day).execute())
  }
  return taken + waiting.length
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
  const admins = await tx
    .selectFrom('member')
    .select(['email', 'name'])
    .where('role', '=', 'ADMIN')
    .where('is_active', '=', true)
    .where('is_verified', '=', true)
    .execute()
  const lines = [`The audit log ended with row ${head.id} when ${day} began. The hash of that row is ${head.hash}. Please keep this mail.`]
  const mails = admins.map(({ email, name }) => ({
    to: email,
    template: 'notice' as const,
    data: { name, title: `audit log of ${day}`, lines },
  }))
  if (mails.length > 0) await enqueueMails(tx, deps, mails)
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
