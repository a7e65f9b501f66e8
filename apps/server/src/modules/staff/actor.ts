import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { recordAudit } from '../members/index.ts'

/** The member of staff who acts: taken from the session or from the command line, never from what a call says. */
export interface StaffActor {
  memberId: bigint
  role: 'SUPPORT' | 'ADMIN'
  ip?: string | undefined
  requestId?: string | undefined
}

/** What an act asks for: SUPPORT may read members and queues and answer tickets; money and settings are ADMIN's. */
export type StaffRight = 'SUPPORT' | 'ADMIN'

/**
 * Refuses whoever is not, or no longer, staff with the right; the row is held until the transaction ends, so that a block
 * or a change of role acts at once (invariant I14).
 * @throws AppError STAFF_ONLY
 */
export async function assertStaff(tx: Tx, actor: StaffActor, right: StaffRight): Promise<void> {
  const row = await tx
    .selectFrom('member')
    .select(['role', 'is_active', 'is_verified'])
    .where('id', '=', actor.memberId)
    .forShare()
    .executeTakeFirst()
  const has =
    row !== undefined && row.is_active && row.is_verified && (row.role === 'ADMIN' || (right === 'SUPPORT' && row.role === 'SUPPORT'))
  if (!has) throw new AppError('STAFF_ONLY')
}

/** Whether somebody is an admin now; the row is held until the transaction ends. */
export async function isAdmin(tx: Tx, memberId: bigint): Promise<boolean> {
  const row = await tx.selectFrom('member').select(['role', 'is_active']).where('id', '=', memberId).forShare().executeTakeFirst()
  return row !== undefined && row.is_active && row.role === 'ADMIN'
}

/** What staff did, for the audit trail. */
export interface StaffDeed {
  /** Name after `staff.`. */
  action: string
  subject: { type: string; id: string }
  reason?: string | undefined
  /** `ok` when left out. */
  outcome?: string | undefined
  detail?: Record<string, unknown> | undefined
}

/** Writes what staff did to the audit trail (invariant I17); call it last in the transaction. */
export async function auditStaff(tx: Tx, deps: Pick<Deps, 'clock'>, actor: StaffActor, deed: StaffDeed): Promise<void> {
  await recordAudit(tx, {
    at: deps.clock.now(),
    actorId: actor.memberId,
    actorRole: actor.role,
    action: `staff.${deed.action}`,
    subject: deed.subject,
    reason: deed.reason,
    outcome: deed.outcome ?? 'ok',
    ip: actor.ip,
    requestId: actor.requestId,
    detail: deed.detail,
  })
}
