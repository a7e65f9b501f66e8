import { sql } from 'kysely'
import { type Clock, systemClock } from '../platform/runtime/clock.ts'
import { type Db, inTransaction, type Tx } from '../platform/db/database.ts'
import { faultPoint } from '../platform/runtime/fault-point.ts'

/**
 * The right of one worker to run a job, and the job's only access to the database. Each transaction first checks that no other worker has
 * taken over, and prevents a takeover until its end.
 */
export interface Lease {
  /**
   * Runs work in one transaction.
   * @throws LeaseLost if another worker has taken over; the transaction then writes nothing
   */
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs work that takes minutes in one transaction. The lease is renewed meanwhile, so that no other worker waits for the transaction, and
   * is checked at the end.
   * @throws LeaseLost if another worker has taken over; the transaction then writes nothing
   */
  inLongTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs batches, each in a transaction, until no work remains.
   * @returns the total number of processed items
   * @throws LeaseLost if another worker took over, Stopping if this worker stops; earlier batches stay committed
   */
  untilDone(batch: (tx: Tx) => Promise<Batch>): Promise<number>
  /** Returns true if the worker is stopping. A job then starts no further item. */
  stopping(): boolean
  /** Runs queries on one snapshot of the database. The database rejects writes here. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
}

/** Result of one transaction of a long job. */
export interface Batch {
  done: number
  more: boolean
}

/** Thrown if another worker took over the lease. */
export class LeaseLost extends Error {}

/** Thrown between two batches when the worker stops. The next worker continues the job. */
export class Stopping extends Error {}

const LEASE_SECONDS = 60
/** Between two renewals of a lease during a long transaction: a third of its duration. */
const RENEW_MS = 20_000
/** Maximum difference between the clocks of machine and database, in seconds. With a larger difference the worker does nothing. */
const CLOCKS = 60

/**
 * SQL condition for a held lease. A lease that ends later than the maximum duration was taken before a clock was set back, and counts as
 * free.
 * @param until the column `held_until`, qualified with the table
 */
export const isLive = (until: string) => sql<boolean>`coalesce(${sql.ref(until)} > clock_timestamp()
  and ${sql.ref(until)} < clock_timestamp() + make_interval(secs => ${2 * LEASE_SECONDS}), false)`

/**
 * SQL: seconds since the start of a job's last run, from the job's row in `job_lease`; 0 during a run, because each batch renews the lease.
 * A start in the future was written before the database's clock was set back, so the absolute difference is used.
 */
export const jobLag = sql<number>`case when ${isLive('held_until')} then 0
  else coalesce(abs(extract(epoch from clock_timestamp() - last_started_at))::float8, 'Infinity') end::float8`

/**
 * Leases that this process could not release, because the database was unreachable at the end of the work. The process can take them again
 * at once.
 */
const abandoned = new WeakMap<Db, Map<string, bigint>>()

/**
 * Runs work under a lease, by the database's clock.
 * Does nothing while the machine's clock differs from the database's.
 * @returns null when another worker holds the lease
 */
export async function underLease<T extends {}>(
  db: Db,
  { name, holder, clock, stopping = () => false }: { name: string; holder: string; clock: Clock; stopping?: () => boolean },
  work: (lease: Lease) => Promise<T>,
): Promise<T | null> {
  const startedAt = systemClock.now()
  const acquired = await acquire(db, name, holder, abandoned.get(db)?.get(name))
  if (acquired === null) return null
  const { token } = acquired
  const clockError = clockDifference(acquired.clock, startedAt, systemClock.now())
  if (clockError !== undefined) {
    await release(db, name, token, acquired.clock, clockError)
    throw new Error(clockError)
  }
  abandoned.get(db)?.delete(name)
  try {
    const result = await work(
      leaseOn({
        stopping,
        read: (query) => db.transaction().setAccessMode('read only').setIsolationLevel('repeatable read').execute(query),
        inTransaction: async (write) => {
          const written = await inTransaction(db, async (tx) => {
            await assertHeld(tx, name, token)
            return write(tx)
          })
          faultPoint('sweep_batch')
          return written
        },
        inLongTransaction: async (write) => {
          // A renewal that fails shows at the end of the transaction.
          const timer = setInterval(() => void assertHeld(db, name, token).catch(() => undefined), RENEW_MS)
          try {
            return await inTransaction(db, async (tx) => {
              const written = await write(tx)
              await assertHeld(tx, name, token)
              return written
            })
          } finally {
            clearInterval(timer)
          }
        },
      }),
    )
    await release(db, name, token, clock.now(), null)
    return result
  } catch (error) {
    abandoned.set(db, (abandoned.get(db) ?? new Map<string, bigint>()).set(name, token))
    await release(
      db,
      name,
      token,
      clock.now(),
      error instanceof Stopping ? null : error instanceof Error ? error.message.slice(0, 500) : String(error),
    )
    throw error
  }
}

/**
 * Takes a lease until the end of a transaction, by a lock of the lease's row. The work joins the transaction.
 * @param tx a transaction of `asOneTransaction`
 * @throws LeaseLost if another worker holds it
 */
export async function leaseWithin(tx: Tx, { name, holder, at }: { name: string; holder: string; at: Date }): Promise<Lease> {
  const token = (await acquire(tx, name, holder))?.token
  if (token === undefined) throw new LeaseLost(`another worker is running ${name}`)
  await release(tx, name, token, at, null)
  return leaseOn({ read: (query) => query(tx), inTransaction: (write) => inTransaction(tx, write) })
}

/** Creates a lease from the given transaction functions. */
export function leaseOn(access: Pick<Lease, 'read' | 'inTransaction'> & Partial<Pick<Lease, 'stopping' | 'inLongTransaction'>>): Lease {
  const stopping = access.stopping ?? (() => false)
  return {
    inLongTransaction: access.inTransaction,
    ...access,
    stopping,
    untilDone: async (batch) => {
      for (let done = 0; ;) {
        if (stopping()) throw new Stopping()
        const step = await access.inTransaction(batch)
        done += step.done
        if (!step.more) return done
      }
    },
  }
}

async function assertHeld(db: Db, name: string, token: bigint): Promise<void> {
  const held = await sql`
    update job_lease set held_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}) where name = ${name} and fencing_token = ${token}`.execute(
    db,
  )
  if (held.numAffectedRows !== 1n) throw new LeaseLost(`another worker took over ${name}`)
}

/**
 * Takes the lease with a token that grows with each holder. A transaction that reads its own token knows that no other worker has taken
 * over.
 */
async function acquire(db: Db, name: string, holder: string, own = -1n): Promise<{ token: bigint; clock: Date } | null> {
  const result = await sql<{ token: bigint; clock: Date }>`
    insert into job_lease as existing (name, holder, fencing_token, held_until, last_started_at)
    values (${name}, ${holder}, 1, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}), clock_timestamp())
    on conflict (name) do update set
      holder = excluded.holder, fencing_token = existing.fencing_token + 1, held_until = excluded.held_until, last_started_at = excluded.last_started_at
    where not ${isLive('existing.held_until')} or existing.fencing_token = ${own}
    returning fencing_token as token, clock_timestamp() as clock`.execute(db)
  return result.rows[0] ?? null
}

/**
 * Explains why a job does not run while the clocks differ: it would pay future rewards or expire valid rows. The database
 * time was read between the two local times.
 */
function clockDifference(database: Date, before: Date, after: Date): string | undefined {
  const seconds = Math.max(before.getTime() - database.getTime(), database.getTime() - after.getTime()) / 1000
  if (seconds <= CLOCKS) return undefined
  return `the clock of this machine differs from the database by ${Math.round(seconds)} seconds. Correct it (timedatectl set-ntp true): until then this worker runs no jobs`
}

async function release(db: Db, name: string, token: bigint, at: Date, error: string | null): Promise<void> {
  await sql`
    update job_lease set held_until = null, last_finished_at = ${at}, last_error = ${error},
      failing_since = case when ${error}::text is not null then coalesce(failing_since, ${at}) end,
      failures = case when ${error}::text is null then 0 else failures + 1 end
    where name = ${name} and fencing_token = ${token}`.execute(db)
}
