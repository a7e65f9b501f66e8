import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { auditStaff, type StaffActor } from './actor.ts'

/** Notes an act of staff that was refused; the act's own transaction is gone by then (invariant I17). */
export async function recordRefusal(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  actor: StaffActor,
  attempt: { action: string; subject: { type: string; id: string }; reason?: string | undefined },
  error: unknown,
): Promise<void> {
  if (!(error instanceof AppError)) return
  await inTransaction(db, (tx) => auditStaff(tx, deps, actor, { ...attempt, outcome: error.code }))
}
