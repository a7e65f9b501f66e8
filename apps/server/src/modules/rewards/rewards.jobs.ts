import type { Lease } from '../../jobs/lease.ts'
import type { Job } from '../../jobs/job.ts'
import { aggregateLiabilities } from './pool/liabilities.ts'
import { aggregateEarnings } from './instant/earned.ts'
import { updateTeamTotals } from './instant/rank-members.ts'
import { releaseRewards } from './instant/release-rewards.ts'
import { RUN_SIZES } from './runs/run-partitions.ts'
import { REWARD_RUN, runDueRewards } from './runs/run-rewards.ts'
import { releasableThrough } from './runs/run-days.ts'
import { updateCounters } from './instant/reward-counters.ts'

const AGGREGATE_BATCH = 5000

async function aggregateAll(lease: Lease): Promise<number> {
  let aggregated = 0
  for (const aggregate of [aggregateLiabilities, updateCounters, aggregateEarnings]) {
    aggregated += await lease.untilDone(async (tx) => {
      const done = await aggregate(tx, AGGREGATE_BATCH)
      return { done, more: done === AGGREGATE_BATCH }
    })
  }
  return aggregated
}

/** The recurring jobs of rewards. In the worker's order, `reward-run` comes before the job that ends matured stakes (main/jobs.ts). */
export const rewardJobs: Job[] = [
  { name: 'reward-totals', everySeconds: 5, run: aggregateAll },
  { name: 'team-totals', everySeconds: 5, run: updateTeamTotals },
  {
    name: REWARD_RUN,
    everySeconds: 20,
    run: (lease, deps) => runDueRewards(lease, deps, { ...RUN_SIZES, workers: deps.config.rewardWorkers }),
  },
  { name: 'reward-release', everySeconds: 20, run: (lease, deps) => releaseRewards(lease, deps, releasableThrough) },
]
