import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'

/** Partition sizes for a run. */
export interface RunSizes {
  /** Source ids read per transaction. */
  accruals: number
  /** Members paid per transaction. */
  partition: number
  /** Workers on the run at once. */
  workers: number
  /** Minimum number of accruals for a run with several workers. Each worker computes all sums, so one worker is faster for smaller runs. */
  sharedFrom: number
}
export const RUN_SIZES: RunSizes = { accruals: 50_000, partition: 50_000, workers: 1, sharedFrom: 20_000 }

/** A partition in an open run, locked by its worker until the transaction ends. */
export interface Partition {
  part: 'accruals' | 'credits'
  number: number
  /** Accruals: sources with ids above `low`, up to `high`. Credits: share number (from 0) and share count. */
  low: bigint
  high: bigint
  /** True if the run has several partitions of this part. */
  shared: boolean
}

export interface PartitionResult {
  accruals: bigint
  firstDue: Date | null
  lastDue: Date | null
}

/** Partitions a new run by source id ranges; one partition when size is null. */
export async function partitionSources(tx: Tx, run: bigint, size: number | null): Promise<void> {
  await sql`
    insert into reward_partition (run_id, part, number, low, high)
    select ${run}, 'accruals', n, s.low + (n - 1) * s.size, s.low + n * s.size
    from (select e.low, e.high, coalesce(${size}::bigint, e.high - e.low) as size
      from (select coalesce(min(id), 1) - 1 as low, coalesce(max(id), 1) as high from reward_source) e) s
    cross join lateral generate_series(1, (s.high - s.low + s.size - 1) / s.size) n`.execute(tx)
}

/**
 * Claims the next free partition of a run.
 * @param patient if none is free, waits for the other workers and claims a partition that a worker has left
 */
export async function claimPartition(tx: Tx, run: bigint, patient: boolean): Promise<Partition | undefined> {
  const next = (how: string) => sql<Partition>`
    select part, number, low, high, exists (select from reward_partition o where o.run_id = s.run_id and o.part = s.part and o.number <> s.number) as shared
    from reward_partition s where run_id = ${run} and not done order by part desc, number limit 1 for update of s ${sql.raw(how)}`
  const free = (await next('skip locked').execute(tx)).rows[0]
  return free ?? (patient ? (await next('').execute(tx)).rows[0] : undefined)
}

/** Marks a partition as done and stores its result. */
export async function finishPartition(
  tx: Tx,
  run: bigint,
  partition: Partition,
  { accruals, firstDue, lastDue }: PartitionResult,
): Promise<void> {
  await sql`
    update reward_partition set done = true, accruals = ${accruals}, first_due = ${firstDue}, last_due = ${lastDue}
    where run_id = ${run} and part = ${partition.part} and number = ${partition.number}`.execute(tx)
}

/**
 * Saves the number of accruals after the last one is written, and partitions the credits.
 * @returns the number of shares; 0 if done before
 */
export async function partitionCredits(
  tx: Tx,
  run: bigint,
  { workers, sharedFrom }: Pick<RunSizes, 'workers' | 'sharedFrom'>,
): Promise<number> {
  const cut = await sql`
    with counted as (
      update reward_run r set accruals = s.accruals, first_due = s.first_due, last_due = s.last_due
      from (select sum(accruals)::bigint as accruals, min(first_due) as first_due, max(last_due) as last_due
        from reward_partition where run_id = ${run} and part = 'accruals') s
      where r.id = ${run} and not exists (select from reward_partition where run_id = ${run} and part = 'credits')
      returning case when r.accruals >= ${sharedFrom} then ${workers}::int else 1 end as shares
    )
    insert into reward_partition (run_id, part, number, low, high)
    select ${run}, 'credits', n, n - 1, shares from counted cross join lateral generate_series(1, shares) n`.execute(tx)
  return Number(cut.numAffectedRows ?? 0n)
}
