import type { Job } from '../../jobs/job.ts'
import { matureStakes } from './mature-stakes.ts'

/** The recurring job of staking. It runs after the reward jobs of the same worker, as `matureStakes` requires. */
export const stakingJobs: Job[] = [{ name: 'stake-maturity', everySeconds: 15, run: matureStakes }]
