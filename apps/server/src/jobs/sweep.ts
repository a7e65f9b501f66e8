import type { Db, Tx } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { isLive, type Lease, LeaseLost, leaseWithin, underLease } from './lease.ts'

/**
 * A recurring job: does what is due by the house's clock and stops. It must be safe to run twice, to be cut anywhere
 * and to run on two workers: what is due is a fact in the database, and doing it marks it in the same transaction.
 * (docs/decisions/0002-sweeps-instead-of-a-queue.md).
 */
export interface Sweep {
  /** Unique name, kebab-case; also that of its lease. */
  name: string
  /** Seconds between two runs of a running worker, at most 30 so that a moved clock is noticed in time. */
  everySeconds: number
  /**
   * Name of the lane in which a worker runs it, beside the others: its turns are long, or wait for somebody outside, and what is due must not
   * wait for them. Sweeps of one lane take turns.
   */
  lane?: string
  /**
   * Does everything that is due.
   * @param lease the way to the database; a sweep is given no other
   * @returns how many things it did, for the log
   */
  run(lease: Lease, deps: Deps): Promise<number>
}

/**
 * Runs a sweep if no other worker does.
 * @returns what the sweep did, or null when another worker holds it
 */
export function runSweep(db: Db, deps: Deps, sweep: Sweep, holder: string, stopping?: () => boolean): Promise<number | null> {
  return underLease(db, { name: sweep.name, holder, clock: deps.clock, ...(stopping === undefined ? {} : { stopping }) }, (lease) =>
    sweep.run(lease, deps),
  )
}

/** Whether a worker is at a sweep now. */
export async function isHeld(db: Db, sweep: string): Promise<boolean> {
  const lease = await db.selectFrom('job_lease').select(isLive('held_until').as('held')).where('name', '=', sweep).executeTakeFirst()
  return lease?.held === true
}

/** Why the last run of a sweep failed; null when it did not, or never ran. */
export async function lastErrorOf(db: Db, sweep: string): Promise<string | null> {
  const lease = await db.selectFrom('job_lease').select('last_error').where('name', '=', sweep).executeTakeFirst()
  return lease?.last_error ?? null
}

/**
 * Keeps other workers off sweeps until a transaction ends, by locks on their leases, and runs them inside it.
 * @returns runs some of them once, in order; answers how many things were done
 */
export async function holdSweeps(
  tx: Tx,
  deps: Deps,
  sweeps: readonly Sweep[],
  holder: string,
): Promise<(some?: readonly Sweep[]) => Promise<number>> {
  const leases = new Map<Sweep, Lease>()
  for (const sweep of sweeps.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    leases.set(sweep, await leaseWithin(tx, { name: sweep.name, holder, at: deps.clock.now() }))
  return async (some = sweeps) => {
    let done = 0
    for (const sweep of some) {
      const lease = leases.get(sweep)
      if (lease === undefined) throw new LeaseLost(`${sweep.name} is not held`)
      done += await sweep.run(lease, deps)
    }
    return done
  }
}
