import type { Lease } from '../../../jobs/lease.ts'
import type { Deps } from '../../../platform/deps.ts'
import { closeDay, nextDay } from './run-days.ts'
import { countDue } from './run-due.ts'
import { payRuns } from './run-payments.ts'
import { resumeRun, RUN_SIZES, type RunSizes, startRun } from './run-steps.ts'

/** Name of the sweep, and of the lease, that pays daily and monthly rewards. */
export const REWARD_RUN = 'reward-run'

/** Up to this many due rewards are paid at once; more of them are gathered for an hour, one transfer a member and run. */
const AT_ONCE = 500
const GATHER_MS = 3_600_000

/**
 * Pays every reward that is due by the house's clock (RW-03, RW-06, RW-12): finishes a run that was cut off, then goes
 * day by day. Safe to run twice, to be cut anywhere and to be overtaken by another worker.
 * @returns how many rewards were written down and credits paid
 */
export async function runDueRewards(lease: Lease, deps: Deps, sizes: RunSizes = RUN_SIZES): Promise<number> {
  let done = await resumeRun(lease, deps, sizes)
  for (;;) {
    const step = await lease.inTransaction((tx) => nextDay(tx, deps.clock.now()))
    if (step.step === 'halted')
      deps.log.error({ behindSince: step.behindSince }, 'reward runs are too far behind: npm run rewards -- --day DAY')
    if (step.step !== 'pay') break
    const { next } = step
    const { due, lastThrough, watch } = await lease.inTransaction((tx) => countDue(tx, next, AT_ONCE + 1))
    const gather = !next.ends && due > AT_ONCE && next.through.getTime() - lastThrough.getTime() < GATHER_MS
    if (due > 0 && !gather) {
      done += await startRun(lease, deps, sizes, { ...next, byHand: false, watch, few: due <= Math.min(AT_ONCE, sizes.facts) })
      continue
    }
    if (!next.ends) break
    await lease.inTransaction((tx) => closeDay(tx, next.day, deps.clock.now()))
  }
  return done + (await payRuns(lease, deps, sizes.slice))
}
