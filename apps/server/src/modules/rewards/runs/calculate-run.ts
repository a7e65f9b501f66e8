import { sql } from 'kysely'
import type { Batch, Lease } from '../../../jobs/lease.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { STREAM_PROPERTIES } from '../programme/rewards.rules.ts'
import { type Run, unfinishedRun } from './open-run.ts'
import { isDue, isNear, moveWatermark } from './run-due.ts'
import { finishRun } from './run-payments.ts'
import { partitionCredits, finishPartition, type RunSizes, type Partition, type PartitionResult, claimPartition } from './run-partitions.ts'

/**
 * Calculates the open run, if any, in partitions that several workers share, and sums the run after the last partition. The run may have
 * been opened and left by another worker.
 * @returns the number of written rewards
 */
export function calculateRun(lease: Lease, deps: Deps, sizes: RunSizes): Promise<number> {
  return lease.untilDone(async (tx) => {
    const run = await unfinishedRun(tx)
    if (run === undefined) return { done: 0, more: false }
    return calculateStep(tx, deps, run, sizes)
  })
}

/** Calculates partitions of the open run until none is free. */
export function assistCalculation(lease: Lease, deps: Deps): Promise<number> {
  return lease.untilDone(async (tx) => {
    const run = await unfinishedRun(tx)
    const partition = run === undefined ? undefined : await claimPartition(tx, run.id, false)
    if (run === undefined || partition === undefined) return { done: 0, more: false }
    return { done: await calculatePartition(tx, deps, run, partition), more: true }
  })
}

/**
 * Does one step as the leading worker: a partition, or the step after all partitions. A run with a single partition is calculated in one
 * step.
 */
export async function calculateStep(tx: Tx, deps: Deps, run: Run, sizes: RunSizes): Promise<Batch> {
  for (let done = 0; ;) {
    const partition = await claimPartition(tx, run.id, true)
    if (partition !== undefined) {
      done += await calculatePartition(tx, deps, run, partition)
      if (partition.shared) return { done, more: true }
      continue
    }
    const shares = await partitionCredits(tx, run.id, sizes)
    if (shares > 1) return { done, more: true }
    if (shares === 1) continue
    await closeRun(tx, run, deps.clock.now())
    return { done, more: false }
  }
}

/**
 * Calculates a partition. Accruals: counts a step of each due source and writes the owner's reward. Credits: sums the accruals with the
 * bounties of five levels and writes the worker's share.
 */
async function calculatePartition(tx: Tx, deps: Deps, run: Run, partition: Partition): Promise<number> {
  await liftLimits(tx)
  if (partition.part === 'credits') {
    await sql`select reward_sum_run(${run.id}::bigint, ${partition.low}::bigint, ${partition.high}::bigint)`.execute(tx)
    await finishPartition(tx, run.id, partition, { accruals: 0n, firstDue: null, lastDue: null })
    return 0
  }
  const written = await recordAccruals(tx, run, partition, deps.clock.now())
  await finishPartition(tx, run.id, partition, written)
  deps.log.info({ run: String(run.id), day: run.day, accruals: Number(written.accruals) }, 'reward run')
  return Number(written.accruals)
}

/**
 * Configures the long transaction of a run. The commit does not wait for the disk. A power failure loses whole partitions from the end,
 * which the next worker calculates again. A later confirmed commit is on the disk only together with all earlier ones.
 */
async function liftLimits(tx: Tx): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true), set_config('work_mem', '256MB', true), set_config('jit', 'off', true),
    set_config('synchronous_commit', 'off', true)`.execute(tx)
}

/** SQL condition: the source's owner earns. A subquery per row finds the few who do not in their own index, which a join would not. */
const earns = (source: string) =>
  sql<boolean>`(select true from member m where m.id = ${sql.ref(`${source}.member_id`)} and not (m.is_verified and m.is_active)) is null`

const OWN_KINDS = ([0, 1, 2] as const).map((stream) => STREAM_PROPERTIES[stream].own)
const BOUNTY_KINDS = ([0, 1, 2] as const).map((stream) => STREAM_PROPERTIES[stream].bounty)

/**
 * Counts steps and writes accruals in one statement, so that both always agree (RW-03, RW-06). A step of a blocked or unverified owner is
 * counted without a reward (RW-12). The liabilities of the counted steps move to the run.
 */
async function recordAccruals(tx: Tx, run: Run, { low, high }: Partition, at: Date): Promise<PartitionResult> {
  const which =
    run.isSmall && run.watermark !== undefined ? isNear(run.watermark, run.through) : sql<boolean>`s.id > ${low} and s.id <= ${high}`
  const done = await sql<PartitionResult>`
    with moved as (
      update reward_source s set processed = s.processed + 1,
        distributed = case when s.stream = 2 and ${earns('s')} then s.distributed + s.amount else s.distributed end,
        distributed_at = case when s.stream = 2 and s.amount > 0 and ${earns('s')} then ${at}::timestamptz else s.distributed_at end
      where ${which} and ${isDue(run)}
      returning s.id, s.stream, s.member_id, s.amount, s.bounty, s.programme_version, s.processed as ordinal,
        reward_step(s.stream = 2, s.starts_at, s.processed) as due_at
    ), written as (
      insert into reward_accrual (run_id, stream, source_id, member_id, ordinal, programme_version, amount, due_at)
      select ${run.id}, moved.stream, moved.id, moved.member_id, moved.ordinal, moved.programme_version, moved.amount, moved.due_at
      from moved where moved.amount > 0 and ${earns('moved')}
      returning due_at
    ), counted as (select count(*) as accruals, min(due_at) as first_due, max(due_at) as last_due from written),
    kept as (
      insert into reward_liability_pending (kind, step, starts_at, steps, amount, run_id)
      select p.kind, 'day', (k.day - 1)::timestamp at time zone 'UTC', 1, -p.amount, ${run.id}
      from (select stream, (due_at at time zone 'UTC')::date as day, reward_add(amount) as own, reward_add(bounty) as bounty from moved group by 1, 2) k
      cross join lateral (values ((${OWN_KINDS}::text[])[k.stream + 1], k.own), ((${BOUNTY_KINDS}::text[])[k.stream + 1], k.bounty)) p (kind, amount)
      where p.amount > 0
    )
    select accruals, first_due as "firstDue", last_due as "lastDue" from counted`.execute(tx)
  return done.rows[0] ?? { accruals: 0n, firstDue: null, lastDue: null }
}

/** Records a summed run's totals by stream, and its fingerprint. */
async function closeRun(tx: Tx, run: Run, at: Date): Promise<void> {
  await liftLimits(tx)
  await sql`insert into reward_payment (run_id, stream, credits, total)
    select run_id, stream, count(*), reward_add(amount) from reward_credit where run_id = ${run.id} and amount > 0 group by 1, 2`.execute(
    tx,
  )
  await sql`update reward_liability_pending set run_id = null where run_id = ${run.id}`.execute(tx)
  await sql`update reward_run set hash = reward_fingerprint(id), status = 'PAY' where id = ${run.id}`.execute(tx)
  await sql`delete from reward_partition where run_id = ${run.id}`.execute(tx)
  await moveWatermark(tx, run.through, run.watermark)
  await finishRun(tx, run.id, at)
}
