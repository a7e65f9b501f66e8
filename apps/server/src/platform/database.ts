import { Kysely, PostgresDialect, Transaction } from 'kysely'
import { Pool, type PoolConfig, types } from 'pg'
import type { DB } from './tables.generated.ts'

/** A connection that reads: the pool or an open transaction. */
export type Db = Kysely<DB>
/** An open transaction. Everything that writes takes one. */
export type Tx = Transaction<DB>

/** An open database. */
export interface Database {
  db: Db
  /** The driver's pool, for the few statements that must not pass through the query builder. */
  pool: Pool
  /** Whether it is the embedded database, which has one session behind all connections. */
  embedded: boolean
  close(): Promise<void>
}

// 64-bit integers are amounts and ids: bigint. Dates are UTC business days: text. NUMERIC stays text.
types.setTypeParser(20, (text) => BigInt(text))
types.setTypeParser(1082, (text) => text)
// Sums of bigint columns come as NUMERIC; cast them in SQL (`sum(x)::bigint`).

/**
 * What the database server does on its own when a client stalls (ASVS 13.1.3). Compiling a statement takes 30 ms, where
 * one that answers a call takes 5: never.
 */
const SERVER_LIMITS =
  '-c lock_timeout=5000 -c statement_timeout=20000 -c idle_in_transaction_session_timeout=30000 -c timezone=UTC -c jit=off'

/**
 * Opens a database.
 * @param where a PostgreSQL URL, or the folder with the embedded database's socket
 * @param options most connections of this process; `limits: false` lifts the statement time-out (long batch runs)
 */
export function openDatabase(
  where: { url: string } | { socketDir: string },
  options: { max: number; limits?: boolean } = { max: 20 },
): Database {
  const embedded = 'socketDir' in where
  const shared: PoolConfig = { max: options.max, connectionTimeoutMillis: 5000, keepAlive: true, allowExitOnIdle: false }
  const pool = embedded
    ? new Pool({ ...shared, host: where.socketDir, user: 'postgres', database: 'postgres', connectionTimeoutMillis: 60_000 })
    : new Pool({
        ...shared,
        connectionString: where.url,
        ...(options.limits === false ? { options: '-c timezone=UTC' } : { options: SERVER_LIMITS }),
      })
  // A broken idle connection is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  // The same for one that the server ends while it is in use; the statement that runs on it fails by itself.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  const close = async () => {
    await db.destroy()
    // The query builder leaves a pool open that it never used; its idle connection would keep the process for 10 s.
    if (!pool.ending) await pool.end()
  }
  return { db, pool, embedded, close }
}

const RETRIED = new Set(['40001', '40P01'])

/** The SQLSTATE of an error from the database, or undefined. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined
}

/** Transactions that smaller ones join, each with the first failure inside it. */
const joined = new WeakMap<Db, { failure: unknown; failed: boolean }>()

/**
 * Runs work in one transaction, again from the start when the database chose it as the victim of a deadlock or a
 * serialisation conflict (at most 5 times).
 * @param work everything that has to happen together; throwing rolls all of it back
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const outer = joined.get(db)
  if (outer !== undefined && db instanceof Transaction) return join(db, outer, work)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt >= 5 || !RETRIED.has(sqlState(error) ?? '')) throw error
    }
  }
}

async function join<T>(tx: Tx, outer: { failure: unknown; failed: boolean }, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await work(tx)
  } catch (error) {
    if (!outer.failed) Object.assign(outer, { failed: true, failure: error })
    throw error
  }
}

/**
 * Runs a long story of many small transactions as one: whatever calls {@link inTransaction} with the handle joins it.
 * The first failure inside rolls back everything, also when somebody caught it, as its own part cannot be taken back alone.
 * @param story everything that is kept together or not at all
 */
export function asOneTransaction<T>(db: Db, story: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const state = { failure: undefined as unknown, failed: false }
    joined.set(tx, state)
    const result = await story(tx)
    if (state.failed) throw state.failure
    return result
  })
}
