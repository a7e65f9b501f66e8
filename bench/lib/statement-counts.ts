import type { Pool } from 'pg'

/** Settings of a server whose statements and WAL records are counted. Autovacuum would add rows to a short measurement. */
export const COUNTING = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '10000',
  autovacuum: 'off',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
}

/** Work of the database in a period. The numbers do not depend on the load of the machine. */
export interface Counts {
  /** Number of statements of clients, and of all statements including those in functions. */
  statements: number
  nested: number
  /** Number of pages of 8 kB that statements read or wrote. */
  buffers: number
  /** Bytes of WAL without page images, because the number of page images depends on the last checkpoint. */
  wal: number
  indexWrites: number
  /** Number of rows inserted, updated and deleted. */
  rowWrites: number
  commits: number
}

/** Cost of one statement, or of one statement in a function. */
export interface StatementShare {
  text: string
  calls: number
  /** Time in ms, including statements inside. */
  time: number
  buffers: number
}

/** WAL records of one kind for one table or index. Without a relation: commits, sequences and records without a page. */
export interface WalShare {
  relation: string
  record: string
  count: number
  /** Bytes without page images. */
  bytes: number
}

/** Creates the extensions of PostgreSQL's contrib modules, with tracking off. */
export async function prepareCounts(pool: Pool): Promise<void> {
  await pool.query('create extension if not exists pg_stat_statements; create extension if not exists pg_walinspect')
  await track(pool, false)
}

/** Turns the tracking of statements on or off for all sessions, because tracking costs processor time. */
export async function track(pool: Pool, on: boolean): Promise<void> {
  await pool.query(`alter system set pg_stat_statements.track = '${on ? 'all' : 'none'}'`)
  await pool.query('select pg_reload_conf()')
}

/**
 * Counts the work from now on, without the statements of the count itself.
 * @returns a function that returns the counts and the statements by time
 */
export async function startCounts(pool: Pool): Promise<() => Promise<{ counts: Counts; shares: StatementShare[]; records: WalShare[] }>> {
  await pool.query('select pg_stat_statements_reset()')
  const start = await position(pool)
  return async () => {
    const end = await position(pool)
    const counted = await pool.query<{ text: string; toplevel: boolean; calls: bigint; time: number; buffers: bigint }>(
      `select query as text, toplevel, calls, total_exec_time + total_plan_time as time, shared_blks_hit + shared_blks_read as buffers
       from pg_stat_statements where query !~ 'pg_stat_statements|pg_current_wal_insert_lsn' order by time desc`,
    )
    const wal = await pool.query<{ kind: string; count: bigint; bytes: bigint }>(
      `select "resource_manager/record_type" as kind, count, record_size as bytes from pg_get_wal_stats($1, $2, true) where count > 0`,
      [start, end],
    )
    const written = await pool.query<{ relation: string; record: string; count: bigint; bytes: bigint }>(
      `select coalesce(c.relname, '-') as relation, r.record_type as record, count(*) as count, sum(r.record_length - r.fpi_length)::bigint as bytes
       from pg_get_wal_records_info($1, $2) r left join pg_class c
         on c.relfilenode = substring(r.block_ref from 'rel \\d+/\\d+/(\\d+)')::oid and c.relfilenode > 0
       group by 1, 2 order by bytes desc`,
      [start, end],
    )
    const records = (kind: RegExp) => sum(wal.rows.filter((row) => kind.test(row.kind)).map((row) => Number(row.count)))
    const top = counted.rows.filter(({ toplevel }) => toplevel)
    return {
      counts: {
        statements: sum(top.map(({ calls }) => Number(calls))),
        nested: sum(counted.rows.map(({ calls }) => Number(calls))),
        buffers: sum(top.map(({ buffers }) => Number(buffers))),
        wal: sum(wal.rows.map(({ bytes }) => Number(bytes))),
        indexWrites: records(/^Btree\/(?:INSERT_(?:LEAF|POST)|SPLIT_)/),
        rowWrites: records(/^Heap2?\/(?:INSERT|MULTI_INSERT|UPDATE|HOT_UPDATE|DELETE)/),
        commits: records(/^Transaction\/COMMIT/),
      },
      shares: counted.rows.map(({ text, calls, time, buffers }) => ({ text, calls: Number(calls), time, buffers: Number(buffers) })),
      records: written.rows.map(({ relation, record, count, bytes }) => ({ relation, record, count: Number(count), bytes: Number(bytes) })),
    }
  }
}

const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0)

async function position(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ at: string }>('select pg_current_wal_insert_lsn()::text as at')
  return rows[0]?.at ?? '0/0'
}

/** Formats the statements with the most time. */
export const topStatements = (shares: readonly StatementShare[], count: number): string[] => {
  const most = shares[0]?.time ?? 0
  return shares
    .filter(({ time }) => time > most / 200)
    .slice(0, count)
    .map(({ text, calls, time, buffers }) => {
      const figures = `${(time / calls).toFixed(3).padStart(9)} ms × ${String(calls).padStart(6)}  ${Math.round(buffers / calls)} buffers`
      return `${figures.padEnd(40)} ${text.replaceAll(/\s+/g, ' ').slice(0, 130)}`
    })
}

/** Formats the WAL records with the most bytes, per call. */
export const topRecords = (records: readonly WalShare[], calls: number, count: number): string[] =>
  records
    .slice(0, count)
    .map(
      ({ relation, record, count: all, bytes }) =>
        `${(bytes / calls).toFixed(1).padStart(9)} bytes  ${(all / calls).toFixed(3).padStart(7)} records  ${record.padEnd(14)} ${relation}`,
    )
