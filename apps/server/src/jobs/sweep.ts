import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database.ts'
import type { Deps } from '../platform/deps.ts'

/**
 * A recurring job: does what is due by the house's clock and stops. It must be safe to run twice, to be cut anywhere
 * and to run on two workers: what is due is a fact in the database, and doing it marks it in the same transaction
 * (docs/decisions/0002-sweeps-instead-of-a-queue.md).
 */
export interface Sweep {
  /** Unique name, kebab-case. */
  name: string
  /** Seconds between two runs of a running worker, at most 30 so that a moved clock is noticed in time. */
  everySeconds: number
  /**
   * Does everything that is due.
   * @returns how many things it did, for the log
   */
  run(db: Db, deps: Deps, lease: Lease): Promise<number>
}

/** Proof that this worker still is the one that runs the sweep. */
export interface Lease {
  /** Grows with each holder; a transaction that checks it cannot be overtaken by a stale worker (fault F06). */
  token: bigint
  /**
   * Refuses to go on when another worker took over; call it inside each transaction of a long sweep.
   * @throws LeaseLost
   */
  assertHeld(tx: Db): Promise<void>
}

/** Thrown in a worker that was overtaken. */
export class LeaseLost extends Error {}

const LEASE_SECONDS = 60

/**
 * Runs a sweep if no other worker does.
 * @param deps the clock decides what is due; leases run on the database's own time
 * @param holder a name for this worker, for people who look into the table
 * @returns what the sweep did, or null when another worker holds it
 */
export async function runSweep(db: Db, deps: Deps, sweep: Sweep, holder: string): Promise<number | null> {
  const token = await acquire(db, sweep.name, holder)
  if (token === null) return null
  const lease: Lease = {
    token,
    assertHeld: async (tx) => {
      const held = await sql<{ held: boolean }>`
        update job_lease set held_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
        where name = ${sweep.name} and token = ${token} returning true as held`.execute(tx)
      if (held.rows.length === 0) throw new LeaseLost(`another worker took over ${sweep.name}`)
    },
  }
  try {
    const done = await sweep.run(db, deps, lease)
    await release(db, sweep.name, token, deps.clock.now(), null)
    return done
  } catch (error) {
    await release(db, sweep.name, token, deps.clock.now(), error instanceof Error ? error.message.slice(0, 500) : String(error))
    throw error
  }
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
  for (const sweep of sweeps.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const token = await acquire(tx, sweep.name, holder)
    if (token === null) throw new LeaseLost(`another worker runs ${sweep.name}`)
    await release(tx, sweep.name, token, deps.clock.now(), null)
    leases.set(sweep, { token, assertHeld: () => Promise.resolve() })
  }
  return async (some = sweeps) => {
    let done = 0
    for (const sweep of some) {
      const lease = leases.get(sweep)
      if (lease === undefined) throw new LeaseLost(`${sweep.name} is not held`)
      done += await sweep.run(tx, deps, lease)
    }
    return done
  }
}

async function acquire(db: Db, name: string, holder: string): Promise<bigint | null> {
  const result = await sql<{ token: bigint }>`
    insert into job_lease as held (name, holder, token, held_until, last_started_at)
    values (${name}, ${holder}, 1, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}), clock_timestamp())
    on conflict (name) do update set
      holder = excluded.holder, token = held.token + 1, held_until = excluded.held_until, last_started_at = excluded.last_started_at
    where held.held_until is null or held.held_until < clock_timestamp()
    returning token`.execute(db)
  return result.rows[0]?.token ?? null
}

async function release(db: Db, name: string, token: bigint, at: Date, error: string | null): Promise<void> {
  await sql`
    update job_lease set held_until = null, last_finished_at = ${at}, last_error = ${error}
    where name = ${name} and token = ${token}`.execute(db)
}
