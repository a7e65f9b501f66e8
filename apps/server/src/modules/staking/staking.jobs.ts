import type { Sweep } from '../../jobs/sweep.ts'
import { matureStakes } from './mature-stakes.ts'

/** The recurring jobs of staking. Runs after the reward sweeps of the same worker: see `matureStakes`. */
export const stakingSweeps: Sweep[] = [{ name: 'stake-maturity', everySeconds: 15, run: matureStakes }]
