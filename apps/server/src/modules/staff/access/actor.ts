import { type StaffRole, staffRoles } from '@tizara/contract/staff'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordAudit } from '../../audit/index.ts'
import type { StaffActionName } from './describe-staff-action.ts'
import { mayRole, type StaffRight } from './rights.ts'
import { assertNotSuspended, isSuspended } from './suspension.rules.ts'

/** The acting staff member, from the session or the command line. The input of a call cannot set the actor. */
export interface StaffActor {
  memberId: bigint
  role: StaffRole
  ip?: string | undefined
  requestId?: string | undefined
}

/**
 * Rejects a person who does not have the right now. Locks the person's row until the end of the transaction, so that a block, a suspension
 * or a role change takes effect at once [I14].
 * @throws AppError STAFF_ONLY, STAFF_SUSPENDED, SUSPENDER_WAITS
 */
export async function assertStaff(tx: Tx, deps: Pick<Deps, 'clock'>, actor: StaffActor, right: StaffRight): Promise<void> {
  const row = await tx
    .selectFrom('member')
    .select(['role', 'is_active', 'is_verified', 'suspended_until', 'suspended_colleague_at'])
    .where('id', '=', actor.memberId)
    .forShare()
    .executeTakeFirst()
  if (row === undefined || !row.is_active || !row.is_verified || !mayRole(roleOf(row.role), right)) throw new AppError('STAFF_ONLY')
  assertNotSuspended(row, right, deps.clock.now())
}

const roleOf = (text: string): StaffRole | 'MEMBER' => staffRoles.find((role) => role === text) ?? 'MEMBER'

/** Returns the role that gives a person a right now; undefined if none does. Locks their row until the transaction ends. */
export async function roleWith(tx: Tx, deps: Pick<Deps, 'clock'>, memberId: bigint, right: StaffRight): Promise<StaffRole | undefined> {
  const row = await tx
    .selectFrom('member')
    .select(['role', 'is_active', 'suspended_until'])
    .where('id', '=', memberId)
    .forShare()
    .executeTakeFirst()
  const role = roleOf(row?.role ?? '')
  const mayAct = row?.is_active === true && !isSuspended(row, deps.clock.now())
  return mayAct && role !== 'MEMBER' && mayRole(role, right) ? role : undefined
}

/** A staff action for the audit log. */
export interface StaffAction {
  action: StaffActionName
  subject: { type: string; id: string }
  reason?: string | undefined
  /** Default `ok`. */
  outcome?: string | undefined
  detail?: Record<string, unknown> | undefined
}

/** Writes a staff action to the audit log [I17]. Call it last in the transaction. */
export async function auditStaff(tx: Tx, deps: Pick<Deps, 'clock'>, actor: StaffActor, entry: StaffAction): Promise<void> {
  await recordAudit(tx, {
    at: deps.clock.now(),
    actorId: actor.memberId,
    actorRole: actor.role,
    action: `staff.${entry.action}`,
    subject: entry.subject,
    reason: entry.reason,
    outcome: entry.outcome ?? 'ok',
    ip: actor.ip,
    requestId: actor.requestId,
    detail: entry.detail,
  })
}
