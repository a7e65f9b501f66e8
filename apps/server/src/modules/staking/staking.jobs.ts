import type { Job } from '../../jobs/job.ts'
import { matureStakes } from './mature-stakes.ts'

/** The recurring jobs of staking. Runs after the reward jobs of the same worker: see `matureStakes`. */
export const stakingJobs: Job[] = [{ name: 'stake-maturity', everySeconds: 15, run: matureStakes }]
