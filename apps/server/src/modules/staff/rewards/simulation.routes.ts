import { simulateProgramme } from '@tizara/contract/staff-programme'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { bindStaffActions } from '../access/bind-staff-actions.ts'
import { startSimulation } from './start-simulation.ts'

/** Binds the route that simulates a draft of the programme. */
export function simulationRoutes(bind: Bind): void {
  const action = bindStaffActions(bind)
  action.write(simulateProgramme, 'programme.simulate', 'programme', async ({ tx, deps, actor, body }) => {
    const jobId = await startSimulation(tx, deps, actor, body.rules, body.startsAt ?? null)
    return answer({ jobId }, 'The simulation has started')
  })
}
