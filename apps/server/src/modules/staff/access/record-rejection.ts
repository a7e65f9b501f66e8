import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { StaffActionName } from './describe-staff-action.ts'
import { auditStaff, type StaffActor } from './actor.ts'

/** Records a rejected staff action [I17]. The action's transaction has rolled back by then. */
export async function recordRejection(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  actor: StaffActor,
  attempt: { action: StaffActionName; subject: { type: string; id: string }; reason?: string | undefined },
  error: unknown,
): Promise<void> {
  if (!(error instanceof AppError)) return
  await inTransaction(db, (tx) => auditStaff(tx, deps, actor, { ...attempt, outcome: error.code }))
}
