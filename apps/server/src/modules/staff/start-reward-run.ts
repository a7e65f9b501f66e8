import { AppError } from '../../platform/app-error.ts'
import { type Db, inTransaction } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { payDueNow } from '../rewards/index.ts'
import { assertStaff, auditStaff, type StaffActor } from './actor.ts'

/**
 * Pays what is due now instead of at the next hour (RW-12). What was paid is never paid again.
 * @throws AppError STAFF_ONLY, RUN_IN_PROGRESS
 */
export async function startRewardRun(db: Db, deps: Deps, actor: StaffActor): Promise<void> {
  const allowed = inTransaction(db, (tx) => assertStaff(tx, actor, 'startRewardRun'))
  const outcome = await allowed
    .then(() => payDueNow(db, deps, 'staff'))
    .then(
      () => undefined,
      (error: unknown) => error,
    )
  await inTransaction(db, (tx) =>
    auditStaff(tx, deps, actor, {
      action: 'rewards.start-run',
      subject: { type: 'reward_run', id: 'due' },
      outcome: outcome === undefined ? 'ok' : outcome instanceof AppError ? outcome.code : 'INTERNAL',
    }),
  )
  if (outcome !== undefined) throw outcome
}
