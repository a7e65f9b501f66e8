import type { Sweep } from '../../jobs/sweep.ts'
import { matureStakes } from './mature-stakes.ts'

/** The recurring jobs of staking. They run after the reward jobs on the same worker: see `matureStakes`. */
export const stakingSweeps: Sweep[] = [{ name: 'stake-maturity', everySeconds: 15, run: matureStakes }]
