import { SIMULATED_DAYS } from '@tizara/contract/staff-programme'
import { startJob } from '../../../jobs/start-job.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { simulatedDays } from '../../rewards/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { asJson } from '../proposals/shared/as-json.ts'
import { draftAt, type ProgrammeValue } from '../proposals/shared/programme-simulation.ts'
import { assertStart } from '../proposals/submit-proposal.ts'
import { simulationJob } from './simulate-programme.ts'

/**
 * Starts a simulation.
 * @returns the job's id
 * @throws AppError STAFF_ONLY, START_IN_PAST, INVALID_INPUT for an invalid programme, TOO_MANY_REQUESTS if two are running
 */
export async function startSimulation(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  value: ProgrammeValue,
  startsAt: Date | null,
): Promise<string> {
  await assertStaff(tx, deps, actor, 'simulateProgramme')
  const now = deps.clock.now()
  assertStart(startsAt, now)
  const rules = await draftAt(tx, value, startsAt ?? now)
  const days = await simulatedDays(tx, now, SIMULATED_DAYS)
  const input = { rules: asJson(rules), days }
  const id = await startJob(tx, deps, simulationJob, { ownerId: actor.memberId, input })
  await auditStaff(tx, deps, actor, { action: 'programme.simulate', subject: { type: 'job', id }, detail: input })
  return id
}
