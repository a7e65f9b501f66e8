import { CompiledQuery, Kysely, PostgresDialect, sql, Transaction } from 'kysely'
import { Pool, type PoolConfig, types } from 'pg'
import { limitConnections, type ConnectionTimeouts } from './connection.ts'
import { DEFERRED_QUERY, isUnanswered, DEFERRED } from './statement-batch.ts'
import { statementChannel } from '../embedded/statement-channel.ts'
import type { DB } from './tables.generated.ts'
import { tracing } from '../runtime/tracing.ts'

/** A connection for reads: the pool or an open transaction. */
export type Db = Kysely<DB>
/** An open transaction. Every function that writes requires one. */
export type Tx = Transaction<DB>

export interface Database {
  db: Db
  /** The driver's pool, for the few statements outside the query builder. */
  pool: Pool
  /** True for the embedded database, where all connections share one session. */
  embedded: boolean
  close(): Promise<void>
}

// 64-bit integers are amounts and ids: bigint. Dates are UTC business days: text. NUMERIC stays text.
types.setTypeParser(20, (text) => BigInt(text))
types.setTypeParser(1082, (text) => text)
// Sums of bigint columns come as NUMERIC; cast them in SQL (`sum(x)::bigint`).

/** Time-outs of calls (ASVS 13.1.3). Together with the wait for a connection they stay below the 10-second limit for a response. */
const CALLS: ConnectionTimeouts = { lock: 4_000, statement: 6_000, idle: 30_000, silent: 6_500, patient: false }
/**
 * Time-outs of long batch runs: no statement limit. A connection is given up when the database no longer works for it. The database ends a
 * transaction that sends no statement for a minute. Its client's connection may have failed silently, and its locks would stop the next
 * worker until the TCP keepalive of the database (two hours).
 */
export const BATCH_TIMEOUTS: ConnectionTimeouts = { lock: 0, statement: 0, idle: 60_000, silent: 4_000, patient: true }
/** Time in ms within which a server accepts a connection, so that a call still answers in time. */
const CONNECT_MS = 2_500
/** Time in ms for which closing waits for silent connections. */
const CLOSE_MS = 1_000

const pools = new WeakMap<Db, Pool>()

/** The present connections of an open database. */
export type Connections = Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>

/** Returns the connections of an open database, for metrics; undefined for a transaction. */
export const connectionsOf = (db: Db): Connections | undefined => pools.get(db)

/**
 * Opens a database.
 * @param where a PostgreSQL URL, or the folder with the embedded database's socket
 * @param options maximum number of connections of this process; `limits: false` removes the statement time-out (for long batch runs);
 *   `connectMs` replaces the time for a new connection
 */
export function openDatabase(
  where: { url: string } | { socketDir: string },
  options: { max: number; limits?: boolean | ConnectionTimeouts; connectMs?: number } = { max: 20 },
): Database {
  const embedded = 'socketDir' in where
  const shared: PoolConfig = { max: options.max, keepAlive: true, allowExitOnIdle: false }
  const pool = embedded
    ? new Pool({ ...shared, host: where.socketDir, user: 'postgres', database: 'postgres', connectionTimeoutMillis: 60_000 })
    : new Pool({ ...shared, connectionString: where.url, connectionTimeoutMillis: options.connectMs ?? CONNECT_MS })
  // A broken idle connection is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  // Handles the error of a connection that the server closes during use. The statement fails separately.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const connections = embedded
    ? undefined
    : limitConnections(pool, typeof options.limits === 'object' ? options.limits : options.limits === false ? BATCH_TIMEOUTS : CALLS)
  const traced = tracing()
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: connections === undefined ? pool : (connections as never) }),
    ...((traced !== undefined || statementChannel.hasSubscribers) && {
      log: ({ query, queryDurationMillis, level }) => {
        traced?.statement(query.sql, queryDurationMillis, level === 'error')
        statementChannel.publish(query.sql)
      },
    }),
  })
  pools.set(db, pool)
  const close = async () => {
    const cut = setTimeout(() => connections?.destroy(), CLOSE_MS)
    await db.destroy()
    // Closes the pool, because the query builder does not close an unused pool and the idle connection would delay exit by 10 s.
    if (!pool.ending) await pool.end()
    clearTimeout(cut)
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

/** Limits each lock and statement of a transaction, in ms. */
export async function limitTime(tx: Tx, milliseconds: number): Promise<void> {
  const limit = String(Math.max(1, Math.floor(milliseconds)))
  await sql`select set_config('lock_timeout', ${limit}, true), set_config('statement_timeout', ${limit}, true)`.execute(tx)
}

export async function executeDeferred(tx: Db, text: string, values: readonly unknown[]): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(DEFERRED + text, [...values]))
}

/**
 * Sends a query together with the next statement of the transaction, because batched statements cost little more than one.
 * @returns the rows, available after the response to that statement; an earlier read throws
 */
export async function queryDeferred<Row>(tx: Db, { sql: text, parameters }: CompiledQuery<Row>): Promise<() => readonly Row[]> {
  const { rows } = await tx.executeQuery<Row>(CompiledQuery.raw(DEFERRED_QUERY + text, [...parameters]))
  return () => {
    if (isUnanswered(rows)) throw new Error(`not answered yet: ${text.slice(0, 100)}`)
    return rows
  }
}

/** Outer transactions of nested ones, each with the first inner failure. */
const joined = new WeakMap<Db, { failure: unknown; failed: boolean }>()

/**
 * Runs work in a transaction. Repeats the work up to 5 times if the database aborts the transaction because of a deadlock or a
 * serialization failure.
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
 * Runs many small transactions as one. Calls of {@link inTransaction} with this handle join the transaction. The first failure rolls
 * everything back, even if the caller catches the error, because a part cannot be rolled back alone.
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
