import { sql } from 'kysely'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../runtime/app-error.ts'
import { type Db, type Database, type Connections, connectionsOf, openDatabase } from './database.ts'

/** Source of rows for reading calls. */
export interface Reads {
  /**
   * Runs a read on rows that include all earlier commits.
   * @param work only reads; it may run twice
   */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Number of reads by server, and the connections to the replicas. Undefined without replicas. */
  figures?: { served: Readonly<Record<'replica' | 'primary', number>>; lines: Connections | undefined }
}

/** Reads everything from the primary. */
export const readsOf = (db: Db): Reads => ({ read: (work) => work(db) })

/** Polls of a lagging replica before the primary answers, and the interval in ms. */
const MAX_ATTEMPTS = 4
const RETRY_DELAY_MS = 5
/** Time in ms without reads from replicas after a replica has failed. */
const REPLICA_COOLDOWN_MS = 1_000
/** Timeouts in ms, shorter than the primary's: a failed read is repeated there within the time of the same call. */
const LIMITS = { lock: 500, statement: 2_000, idle: 10_000, silent: 2_500, patient: false }

class Behind extends Error {}

/**
 * Reads from replicas with all commits from before the call, otherwise from the primary
 * (docs/decisions/0019-reads-from-replicas.md). A dead, silent or slow replica only costs time.
 * @param primary reports the current log position, once for all waiting calls
 * @param url leads to any replica, also through a pooler
 */
export function openReads(primary: Db, url: string, max: number): Reads & Pick<Database, 'close'> {
  const replicas = openDatabase({ url }, { max, limits: LIMITS })
  const position = shareCalls(() => positionOf(primary))
  let restsUntil = 0
  const served = { replica: 0, primary: 0 }
  const atPrimary = <T>(work: (db: Db) => Promise<T>) => {
    served.primary += 1
    return work(primary)
  }
  return {
    figures: { served, lines: connectionsOf(replicas.db) },
    close: () => replicas.close(),
    async read(work) {
      if (performance.now() < restsUntil) return atPrimary(work)
      const needed = await position()
      try {
        const found = await replicas.db
          .transaction()
          .setAccessMode('read only')
          .execute(async (tx) => {
            await hasReached(tx, needed)
            return work(tx)
          })
        served.replica += 1
        return found
      } catch (error) {
        // An AppError is a valid result. After any other error, the primary is tried.
        if (error instanceof AppError) {
          served.replica += 1
          throw error
        }
        if (!(error instanceof Behind)) restsUntil = performance.now() + REPLICA_COOLDOWN_MS
        return atPrimary(work)
      }
    },
  }
}

/** Safe log position of a database, after all its commits, and the timeline of that log. */
interface Position {
  timeline: number
  lsn: string
}

/** Position of a server outside recovery. */
const OWN_POSITION = `select ('x' || left(pg_walfile_name(p), 8))::bit(32)::int as timeline, p as lsn from pg_current_wal_flush_lsn() p`

async function positionOf(primary: Db): Promise<Position> {
  const { rows } = await sql<Position>`select timeline, lsn::text from (${sql.raw(OWN_POSITION)}) own`.execute(primary)
  if (rows[0] === undefined) throw new Error('a database without a position')
  return rows[0]
}

/**
 * SQL: timeline that a replica follows, if the role may read it (`pg_read_all_stats`), otherwise the timeline of the last checkpoint. The
 * checkpoint's timeline is outdated for some minutes after a failover; reads then go to the primary.
 */
const FOLLOWED = `coalesce((select received_tli from pg_stat_wal_receiver where status = 'streaming'),
  (select timeline_id from pg_control_checkpoint()))`

/**
 * Waits until a replica has reached a position. A replica on an old timeline may lack all new commits.
 * @throws Behind when it does not reach the position in time
 */
async function hasReached(tx: Db, { timeline, lsn }: Position): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (attempt > 0) await pause(RETRY_DELAY_MS)
    // A server that is not in recovery is a primary: a proxy connects to it if no replica runs. An isolated old primary has not
    // reached the position.
    const { rows } = await sql<{ reached: boolean | null }>`
      select case when pg_is_in_recovery() then ${sql.raw(FOLLOWED)} = ${timeline} and pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn
        else (select timeline = ${timeline} and lsn >= ${lsn}::pg_lsn from (${sql.raw(OWN_POSITION)}) own) end as reached`.execute(tx)
    if (rows[0]?.reached === true) return
  }
  throw new Behind()
}

/** Shares one query between all callers that arrive before the query starts, because the result of an earlier query could be outdated. */
function shareCalls<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= running.then(
      () => begin(),
      () => begin(),
    )
    return next
  }
  function begin(): Promise<T> {
    next = undefined
    const request = ask()
    running = request
    return request
  }
}
