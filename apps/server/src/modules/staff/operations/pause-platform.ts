import { currentPause, stopLedger } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'

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

/**
 * Proposes the end of the emergency pause. Another admin must approve.
 * @returns the proposal's public id
 * @throws AppError STAFF_ONLY, ALREADY_DECIDED if nothing is paused
 */
export async function proposeLift(tx: Tx, deps: Deps, actor: StaffActor, reason: string): Promise<string> {
  await assertStaff(tx, deps, actor, 'liftStop')
  const stop = await currentPause(tx)
  if (stop === undefined) throw new AppError('ALREADY_DECIDED')
  return submitProposal(tx, deps, actor, { subject: 'lift-stop', value: { since: stop.since.toISOString(), why: stop.why }, reason })
}
