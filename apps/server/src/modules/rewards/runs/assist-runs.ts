import { setTimeout as pause } from 'node:timers/promises'
import type { Lease } from '../../../jobs/lease.ts'
import type { Job } from '../../../jobs/job.ts'
import { currentPause } from '../../../ledger/index.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { unfinishedRun } from './open-run.ts'
import { RUN_SIZES, type RunSizes } from './run-partitions.ts'
import { payRuns } from './run-payments.ts'
import { assistCalculation } from './calculate-run.ts'

/** Poll interval in ms while another worker finishes the last partition. Later work can be shared again. */
const POLL_MS = 100
/** Polls without work before this worker stops. The leader may have crashed. */
const MAX_IDLE_POLLS = 100

/**
 * Does the part of an additional worker in a run that another worker leads, in any process.
 * @returns the number of written rewards and paid credits
 */
export async function assistRuns(lease: Lease, deps: Deps, sizes: RunSizes = RUN_SIZES): Promise<number> {
  if ((await lease.read(currentPause)) !== undefined) return 0
  let done = await assistCalculation(lease, deps)
  for (
    let idlePolls = 0;
    idlePolls < MAX_IDLE_POLLS && !lease.stopping() && (await lease.read(unfinishedRun)) !== undefined;
    idlePolls += 1
  ) {
    await pause(POLL_MS)
    const found = await assistCalculation(lease, deps)
    done += found
    if (found > 0) idlePolls = 0
  }
  return done + (await payRuns(lease, deps, sizes.partition))
}

/** The jobs for all workers but the first, each under its own lease. */
export const assistantJobs = (workers: number): Job[] =>
  Array.from({ length: workers - 1 }, (_, index) => ({
    name: `reward-helper-${index + 2}`,
    everySeconds: 2,
    group: `reward-helper-${index + 2}`,
    run: (lease, deps) => assistRuns(lease, deps),
  }))
