import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordAudit } from '../../audit/index.ts'

/** Audit actions of the operator's commands that can be refused. */
type OperatorAction =
  | 'staff.platform.set-up'
  | 'staff.first-admin.operator'
  | 'staff.separate-people.operator'
  | 'staff.confirm-restored.operator'

/** Records a refused command of the operator after its transaction has ended [I17]. Other errors are no refusals. */
export async function recordRejectedCommand(db: Db, deps: Pick<Deps, 'clock'>, action: OperatorAction, error: unknown): Promise<void> {
  if (!(error instanceof AppError)) return
  const subject = { type: 'platform', id: 'command' }
  await inTransaction(db, (tx) =>
    recordAudit(tx, { at: deps.clock.now(), actorId: null, actorRole: 'SYSTEM', action, subject, outcome: error.code }),
  )
}
