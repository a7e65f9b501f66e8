import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../../platform/db/database.ts'

/**
 * Adds metrics of replicas and log archiving. Replicas are visible only to roles that may read statistics
 * (`deploy/postgresql.sql`). Archiving is reported where it is configured.
 */
export function addReplicaMetrics(registry: Registry, db: Db): (() => Promise<void>)[] {
  const registers = [registry]
  const count = new Gauge({ name: 'tizara_database_replicas', help: 'Replicas that stream from the primary', registers })
  const lag = new Gauge({
    name: 'tizara_database_replica_lag_seconds',
    help: 'Replication lag of a replica in seconds',
    labelNames: ['replica'],
    registers,
  })
  const failing = new Gauge({
    name: 'tizara_database_archive_failing',
    help: '1 while WAL archiving fails',
    registers,
  })
  const timeline = new Gauge({ name: 'tizara_database_timeline', help: 'Timeline of the database; rises with each failover', registers })
  // Unknown before the first reading: a change from 0 to 1 would look like a failover.
  timeline.remove()
  return [
    async () => {
      const { rows } = await sql<{ timeline: number }>`
        select ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline`.execute(db)
      timeline.set(rows[0]?.timeline ?? 0)
    },
    async () => {
      const { rows } = await sql<{ replica: string; seconds: number }>`
        select coalesce(nullif(application_name, ''), 'replica') || coalesce(' ' || host(client_addr), '') as replica,
          coalesce(extract(epoch from max(replay_lag)), 0)::float8 as seconds
        from pg_stat_replication where state = 'streaming' group by 1`.execute(db)
      lag.reset()
      count.set(rows.length)
      for (const { replica, seconds } of rows) lag.set({ replica }, seconds)
    },
    async () => {
      const { rows } = await sql<{ failing: number }>`
        select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)::int as failing
        from pg_stat_archiver`.execute(db)
      failing.set(rows[0]?.failing ?? 0)
    },
  ]
}
