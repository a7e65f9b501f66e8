import type { Sweep } from '../jobs/sweep.ts'
import { depositSweeps } from '../modules/deposits/index.ts'
import { stakingSweeps } from '../modules/staking/index.ts'
import type { Deps } from '../platform/deps.ts'
import type { Ports } from './ports.ts'

/**
 * Everything that the worker does, in the order in which one causes the next: payments come in, rewards are paid,
 * stakes mature, mails go out.
 * @param deps configuration of the mailer
 * @param ports the outside world
 */
export function allSweeps(deps: Deps, ports: Ports): Sweep[] {
  void deps
  return [...depositSweeps(ports.deposits), ...stakingSweeps]
}
