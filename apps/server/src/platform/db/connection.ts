import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient, QueryResult } from 'pg'
import { isStatementActive } from './connection-probe.ts'
import { DEFERRED, defer, sendBatch, type Statement, type Wire } from './statement-batch.ts'

/**
 * Largest parameters in bytes that wait for the next statement of a transaction. More are sent at once: they would need memory without
 * limit, and the server ends a transaction without statements after a minute.
 */
const MAX_DEFERRED_BYTES = 1 << 20

/**
 * Failed probes in a row after which a patient connection is closed. One can fail on a busy machine: the database takes seconds to accept a
 * connection, or this process has yet to read the response.
 */
const FAILED_PROBES = 2

/** Time limits of a connection in milliseconds; 0 means no limit. */
export interface ConnectionTimeouts {
  /** Time-outs of the server in ms: wait for a lock, one statement, and an open transaction without statements. */
  lock: number
  statement: number
  idle: number
  /** Client-side limit in ms for a silent connection. */
  silent: number
  /**
   * True if statements may take long. A silent connection is then closed only after a second connection has found twice that the database
   * does not execute its statement.
   */
  patient: boolean
}

/**
 * Returns the statement that sets the time-outs, per transaction, or per statement outside of a transaction. A pooler rejects settings at
 * connect and may give the session to another client at any commit. JIT is off, because compilation (30 ms) takes longer than a whole call
 * (5 ms).
 */
const settingsOf = ({ lock, statement, idle, patient }: ConnectionTimeouts, name: string): string => {
  const settings = Object.entries({
    lock_timeout: lock,
    statement_timeout: statement,
    idle_in_transaction_session_timeout: idle,
    timezone: 'UTC',
    jit: 'off',
    // Identifies the connection's statement in the database, also behind a pooler (connection-probe.ts).
    ...(patient && { application_name: name }),
  })
  return `select ${settings.map(([key, value]) => `set_config('${key}', '${value}', true)`).join(', ')}`
}

/** Returns the approximate size of parameters: large ones are texts, buffers, and arrays of many values. */
const bytesOf = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => {
    if (Array.isArray(value)) return sum + bytesOf(value)
    return sum + (typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8)
  }, 0)

/** A pool's client as the query builder uses it: with limits on both sides. */
export class Connection {
  readonly #client: PoolClient
  readonly #limits: ConnectionTimeouts
  readonly #givenUp: () => void
  readonly #name = `connection ${randomUUID()}`
  readonly #settings: Statement
  #inTransaction = false
  #later: Statement[] = []
  #laterBytes = 0

  constructor(client: PoolClient, limits: ConnectionTimeouts, givenUp: () => void) {
    this.#client = client
    this.#limits = limits
    this.#givenUp = givenUp
    this.#settings = { text: settingsOf(limits, this.#name), values: [] }
  }

  async query(text: string, values: readonly unknown[]): Promise<QueryResult> {
    if (this.#inTransaction && text.startsWith(DEFERRED)) {
      this.#laterBytes += bytesOf(values)
      if (this.#laterBytes <= MAX_DEFERRED_BYTES) return defer(this.#later, text, values)
    }
    const watch = this.#watch()
    try {
      return await this.#send({ text, values })
    } finally {
      watch.stop()
    }
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy)
  }

  async #send(statement: Statement): Promise<QueryResult> {
    const { text, values } = statement
    if (/^(begin|start transaction)\b/.test(text)) {
      this.#inTransaction = true
      this.#later = []
      this.#laterBytes = 0
      const results: unknown = await this.#client.query(`${text}; ${this.#settings.text}`)
      return (Array.isArray(results) ? results[0] : results) as QueryResult
    }
    // Drops the deferred statements before a rollback. Deferred statements before a savepoint were sent with the savepoint. After a failed
    // commit the transaction accepts only a rollback.
    const before = text.startsWith('rollback') ? [] : this.#inTransaction ? this.#later : [this.#settings]
    this.#later = []
    this.#laterBytes = 0
    if (text === 'commit' || text === 'rollback') this.#inTransaction = false
    if (before.length === 0) return this.#client.query(text, [...values])
    return sendBatch(this.#client, before, statement)
  }

  /** Destroys a connection after too long a silence, so it never returns to the pool. */
  #watch(): { stop(): void } {
    const { silent, patient } = this.#limits
    let isSettled = false
    let timer: NodeJS.Timeout | undefined
    let failedProbes = 0
    const check = async () => {
      failedProbes = patient && (await isStatementActive(this.#client, this.#name)) ? 0 : failedProbes + 1
      if (isSettled) return
      if (failedProbes < (patient ? FAILED_PROBES : 1)) arm()
      else {
        destroyConnection(this.#client)
        this.#givenUp()
      }
    }
    const arm = () => {
      timer = setTimeout(() => void check(), silent)
    }
    arm()
    return {
      stop: () => {
        isSettled = true
        clearTimeout(timer)
      },
    }
  }
}

/** Closes a connection without notifying the other side, which may be unreachable. */
function destroyConnection(client: PoolClient): void {
  const { connection } = client as PoolClient & { connection: Wire }
  connection.stream.destroy(new Error('Connection terminated: no answer in time'))
}

/**
 * Sets the time-outs of a pool's connections. After one connection fails, the idle connections are closed too, because all lead to the same
 * silent host and would each delay the next caller.
 */
export function limitConnections(pool: Pool, limits: ConnectionTimeouts) {
  const all = new Set<PoolClient>()
  const used = new Set<PoolClient>()
  const connections = new WeakMap<PoolClient, Connection>()
  pool.on('connect', (client) => all.add(client))
  pool.on('acquire', (client) => used.add(client))
  pool.on('release', (_, client) => used.delete(client))
  pool.on('remove', (client) => {
    all.delete(client)
    used.delete(client)
  })
  const dropIdle = () => {
    for (const client of all) if (!used.has(client)) destroyConnection(client)
  }
  return {
    connect: async (): Promise<Connection> => {
      const client = await pool.connect()
      const connection = connections.get(client) ?? new Connection(client, limits, dropIdle)
      connections.set(client, connection)
      return connection
    },
    end: () => pool.end(),
    /** Cuts whatever is open. */
    destroy: () => {
      for (const client of all) destroyConnection(client)
    },
  }
}
