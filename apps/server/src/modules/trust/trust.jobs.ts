import type { Job } from '../../jobs/job.ts'
import { publishBalances } from './publish-balances.ts'
import { type DigestChain, publishDigests } from './publish-digests.ts'
import { noReserves, type ReserveSource } from './reserve-source.ts'

/**
 * Returns the jobs that publish balances, and the digests if the operator publishes digests on a chain. The jobs have a separate group,
 * because a day with a million members takes minutes.
 */
export const trustJobs = (source: ReserveSource = noReserves('no-chain'), chain?: DigestChain): Job[] => [
  { name: 'publish-balances', everySeconds: 30, group: 'publish', run: (lease, deps) => publishBalances(lease, deps, source) },
  ...(chain === undefined
    ? []
    : [
        {
          name: 'publish-digests',
          everySeconds: 30,
          group: 'publish',
          run: (lease, deps) => publishDigests(lease, deps, chain),
        } satisfies Job,
      ]),
]
