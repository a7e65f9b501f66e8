import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'

/** Partition sizes for a run. */
export interface RunSizes {
  /** Source ids read per transaction. */
  facts: number
  /** Members paid per transaction. */
  slice: number
  /** Workers on the run at once. */
  workers: number
  /** Least rewards for which sharing the sums pays off, as every worker adds all of them up. */
  sharedFrom: number
}
export const RUN_SIZES: RunSizes = { facts: 50_000, slice: 50_000, workers: 1, sharedFrom: 20_000 }

/** A partition in an open run, locked by its worker until the transaction ends. */
export interface Slice {
  part: 'facts' | 'credits'
  number: number
  /** Facts: sources with ids above `low`, up to `high`. Credits: share number (from 0) and share count. */
  low: bigint
  high: bigint
  /** True if its part has more partitions. */
  shared: boolean
}

export interface SliceFacts {
  facts: bigint
  firstDue: Date | null
  lastDue: Date | null
}

/** Partitions a new run by source id ranges; one partition when size is null. */
export async function cutSources(tx: Tx, run: bigint, size: number | null): Promise<void> {
  await sql`
    insert into reward_slice (run_id, part, number, low, high)
    select ${run}, 'facts', n, s.low + (n - 1) * s.size, s.low + n * s.size
    from (select e.low, e.high, coalesce(${size}::bigint, e.high - e.low) as size
      from (select coalesce(min(id), 1) - 1 as low, coalesce(max(id), 1) as high from reward_source) e) s
    cross join lateral generate_series(1, (s.high - s.low + s.size - 1) / s.size) n`.execute(tx)
}

/**
 * Claims a run's next free partition.
 * @param patient if none is free, waits for the other workers and claims an abandoned one
 */
export async function takeSlice(tx: Tx, run: bigint, patient: boolean): Promise<Slice | undefined> {
  const next = (how: string) => sql<Slice>`
    select part, number, low, high, exists (select from reward_slice o where o.run_id = s.run_id and o.part = s.part and o.number <> s.number) as shared
    from reward_slice s where run_id = ${run} and not done order by part desc, number limit 1 for update of s ${sql.raw(how)}`
  const free = (await next('skip locked').execute(tx)).rows[0]
  return free ?? (patient ? (await next('').execute(tx)).rows[0] : undefined)
}

export async function noteSlice(tx: Tx, run: bigint, slice: Slice, { facts, firstDue, lastDue }: SliceFacts): Promise<void> {
  await sql`
    update reward_slice set done = true, facts = ${facts}, first_due = ${firstDue}, last_due = ${lastDue}
    where run_id = ${run} and part = ${slice.part} and number = ${slice.number}`.execute(tx)
}

/**
 * Records the fact count after all are written, and partitions the credits.
 * @returns the share count; 0 when done before
 */
export async function cutCredits(tx: Tx, run: bigint, { workers, sharedFrom }: Pick<RunSizes, 'workers' | 'sharedFrom'>): Promise<number> {
  const cut = await sql`
    with counted as (
      update reward_run r set facts = s.facts, first_due = s.first_due, last_due = s.last_due
      from (select sum(facts)::bigint as facts, min(first_due) as first_due, max(last_due) as last_due
        from reward_slice where run_id = ${run} and part = 'facts') s
      where r.id = ${run} and not exists (select from reward_slice where run_id = ${run} and part = 'credits')
      returning case when r.facts >= ${sharedFrom} then ${workers}::int else 1 end as shares
    )
    insert into reward_slice (run_id, part, number, low, high)
    select ${run}, 'credits', n, n - 1, shares from counted cross join lateral generate_series(1, shares) n`.execute(tx)
  return Number(cut.numAffectedRows ?? 0n)
}
