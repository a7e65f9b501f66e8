import { type StaffRole, staffRoles } from '@tizara/contract/staff'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordAudit } from '../../audit/index.ts'
import { mayRole, type StaffRight } from './rights.ts'

/** The member of staff who acts: taken from the session or from the command line, never from what a call says. */
export interface StaffActor {
  memberId: bigint
  role: StaffRole
  ip?: string | undefined
  requestId?: string | undefined
}

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
  if (row === undefined || !row.is_active || !row.is_verified || !mayRole(roleOf(row.role), right)) throw new AppError('STAFF_ONLY')
}

const roleOf = (text: string): StaffRole | 'MEMBER' => staffRoles.find((role) => role === text) ?? 'MEMBER'

/** The role by which somebody has a right now, if anybody; the row is held until the transaction ends. */
export async function roleWith(tx: Tx, memberId: bigint, right: StaffRight): Promise<StaffRole | undefined> {
  const row = await tx.selectFrom('member').select(['role', 'is_active']).where('id', '=', memberId).forShare().executeTakeFirst()
  const role = roleOf(row?.role ?? '')
  return row?.is_active === true && role !== 'MEMBER' && mayRole(role, right) ? role : undefined
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
