import type { Job } from '../../jobs/job.ts'
import { publishBalances } from './publish-balances.ts'
import { noReserves, type ReserveSource } from './reserve-source.ts'

/** Returns the job that publishes balances. It has a group of its own, because a day of a million members takes minutes. */
export const trustJobs = (source: ReserveSource = noReserves('no-chain')): Job[] => [
  { name: 'publish-balances', everySeconds: 30, group: 'publish', run: (lease, deps) => publishBalances(lease, deps, source) },
]
