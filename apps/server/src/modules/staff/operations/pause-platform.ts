import { currentPause, stopLedger } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'

/**
 * Starts an emergency pause of payouts, credits and reward runs (staff.md 4). One person may do so, because a pause moves no money. Members
 * can still make requests, which wait.
 * @throws AppError STAFF_ONLY, STOPPED if it is paused already
 */
export async function pausePlatform(tx: Tx, deps: Deps, actor: StaffActor, reason: string): Promise<void> {
  await assertStaff(tx, deps, actor, 'pausePlatform')
  if (!(await stopLedger(tx, deps.clock.now(), reason))) throw new AppError('STOPPED', { why: (await currentPause(tx))?.why ?? '' })
  await auditStaff(tx, deps, actor, { action: 'stop', subject: { type: 'platform', id: 'stop' }, reason })
}
