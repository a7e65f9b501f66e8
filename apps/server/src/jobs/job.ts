import type { Db, Tx } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { isLive, type Lease, LeaseLost, leaseWithin, underLease } from './lease.ts'

/**
 * A recurring job: does the due work and stops. It must be safe to run twice, to stop anywhere and to run on two workers.
 * Rows of the database show which work is due, and the transaction that does the work also marks it as done
 * (docs/decisions/0002-jobs-instead-of-a-queue.md).
 */
export interface Job {
  /** Unique name in kebab-case, also used for its lease. */
  name: string
  /** Seconds between two runs, at most 30, so that the worker notices a changed clock in time. */
  everySeconds: number
  /**
   * Name of the job's group in a worker. Groups run in parallel, so that long runs and upstream calls delay no other due work. Jobs of one
   * group take turns.
   */
  group?: string
  /** Name of a job of another group that a worker starts at once after this job has processed items. */
  makesDue?: string
  /**
   * Does all due work.
   * @param lease the job's only access to the database
   * @returns the number of processed items, for the log
   */
  run(lease: Lease, deps: Deps): Promise<number>
}

/**
 * Runs a job unless another worker runs it.
 * @returns number of items done, or null when another worker holds the lease
 */
export function runJob(db: Db, deps: Deps, job: Job, holder: string, stopping?: () => boolean): Promise<number | null> {
  return underLease(db, { name: job.name, holder, clock: deps.clock, ...(stopping === undefined ? {} : { stopping }) }, (lease) =>
    job.run(lease, deps),
  )
}

/** Returns true while a worker runs the job. */
export async function isHeld(db: Db, job: string): Promise<boolean> {
  const lease = await db.selectFrom('job_lease').select(isLive('held_until').as('held')).where('name', '=', job).executeTakeFirst()
  return lease?.held === true
}

/** Returns the error of the job's last run, or null if it succeeded or never ran. */
export async function lastErrorOf(db: Db, job: string): Promise<string | null> {
  const lease = await db.selectFrom('job_lease').select('last_error').where('name', '=', job).executeTakeFirst()
  return lease?.last_error ?? null
}

/**
 * Takes the leases of the jobs until the end of the transaction, so that the jobs can run in this transaction.
 * @returns a function that runs all or the given jobs once, in order, and returns the number of processed items
 */
export async function holdJobs(
  tx: Tx,
  deps: Deps,
  jobs: readonly Job[],
  holder: string,
): Promise<(some?: readonly Job[]) => Promise<number>> {
  const leases = new Map<Job, Lease>()
  for (const job of jobs.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    leases.set(job, await leaseWithin(tx, { name: job.name, holder, at: deps.clock.now() }))
  return async (some = jobs) => {
    let processed = 0
    for (const job of some) {
      const lease = leases.get(job)
      if (lease === undefined) throw new LeaseLost(`the lease of ${job.name} is not held`)
      processed += await job.run(lease, deps)
    }
    return processed
  }
}
