import type { JobKind } from '../../../jobs/background-job.ts'
import { startJob } from '../../../jobs/start-job.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { StaffActionName } from './describe-staff-action.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertStaff, auditStaff, type StaffActor } from './actor.ts'
import { withSearchDigest } from './search-digest.ts'
import type { StaffRight } from './rights.ts'

/**
 * Starts a staff job and writes an audit entry.
 * @param about the member's public id
 * @throws AppError STAFF_ONLY, TOO_MANY_REQUESTS
 */
export async function startStaffJob<Input extends object>(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  kind: JobKind<Input>,
  { right, action, input, about }: { right: StaffRight; action: StaffActionName; input: Input; about?: string | undefined },
): Promise<string> {
  await assertStaff(tx, deps, actor, right)
  const id = await startJob(tx, deps, kind, { ownerId: actor.memberId, input })
  const subject = about === undefined ? { type: 'job', id } : { type: 'member', id: about }
  await auditStaff(tx, deps, actor, { action, subject, detail: withSearchDigest(deps.config, input) })
  return id
}
