import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import { generationAt, keyIndexOf } from './deposit-address.ts'

/**
 * SQL expression that identifies this copy of the database. The value differs after a change of the server (system identifier), a failover
 * or point-in-time recovery (timeline), and the load of a dump (oid of the table).
 */
const DATABASE = sql`(select concat_ws(':', (select system_identifier from pg_control_system()),
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), 'chain_address'::regclass::oid))`

/** Name of every copy before a restore. */
const RESTORED = 'before a restore'

/**
 * Draws the next address index from the newest open hour. The worker opens each hour (`openGeneration`)
 * (docs/decisions/0032-hourly-deposit-addresses.md).
 * @returns undefined while no hour is open: the worker is down, or the database was restored within this hour
 */
export async function nextKeyIndex(tx: Tx, now: Date): Promise<number | undefined> {
  const { rows } = await sql<{ generation: number; index: number }>`
    select generation, (nextval('chain_address_key_index') - first_key_index)::int as index from chain_address_generation
    where generation = (select max(generation) from chain_address_generation) and generation >= ${generationAt(now) - 1}
      and database = ${DATABASE}`.execute(tx)
  const [drawn] = rows
  return drawn === undefined ? undefined : keyIndexOf(drawn.generation, drawn.index)
}

/**
 * Opens the hour for new addresses. If another database copy opened the newest hour, the job waits for the next hour and
 * schedules a scan of the hours between (`recoverAddresses`).
 */
export async function openGeneration(tx: Tx, now: Date): Promise<void> {
  const generation = generationAt(now)
  const { rows } = await sql<{ newest: number; same: boolean; database: string; closed: number | null }>`
    select generation as newest, database = d.name as same, d.name as database,
      (select max(last_generation) from chain_address_recovery r where r.database = d.name) as closed
    from chain_address_generation, (select ${DATABASE} as name) d order by generation desc limit 1`.execute(tx)
  const [known] = rows
  if (known !== undefined && known.newest >= generation && known.same) return
  if (known !== undefined && !known.same) {
    if (known.closed === null) return beginRecovery(tx, { from: known.newest, to: Math.max(generation, known.newest), now, of: DATABASE })
    if (generation <= known.closed) return
  }
  await sql`
    insert into chain_address_generation (generation, first_key_index, database)
    values (${generation}, nextval('chain_address_key_index'), ${DATABASE}) on conflict do nothing`.execute(tx)
}

/**
 * Schedules a scan of the hours whose addresses this database may have lost.
 * @param range `of` is the copy of the database whose restore needs the scan; a scan that staff start (`rescan`) replaces none of these
 */
export async function beginRecovery(
  tx: Tx,
  { from, to, now, of = sql`'rescan'` }: { from: number; to: number; now: Date; of?: RawBuilder<unknown> },
): Promise<void> {
  if (from > to) return
  await sql`
    insert into chain_address_recovery (database, begun_at, next_generation, last_generation)
    values (${of}, ${now}, ${from}, ${to})`.execute(tx)
}

/** Returns the newest opened hour, or undefined before the first. */
export async function newestGeneration(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ newest: number | null }>`select max(generation) as newest from chain_address_generation`.execute(db)
  return rows[0]?.newest ?? undefined
}

/**
 * Marks the database as restored from a backup, because a file copy does not show it. Earlier scans do not cover this restore.
 */
export async function markRestored(db: Db): Promise<void> {
  await sql`
    with generations as (update chain_address_generation set database = ${RESTORED})
    update chain_address_recovery set database = ${RESTORED}`.execute(db)
}

/**
 * Returns true after a change of the database copy until the watcher opens the next hour. The copy may lack transactions that the network
 * still holds.
 */
export async function isNewCopy(db: Db): Promise<boolean> {
  const { rows } = await sql<{ changed: boolean }>`
    select database <> ${DATABASE} as changed from chain_address_generation order by generation desc limit 1`.execute(db)
  return rows[0]?.changed ?? false
}
