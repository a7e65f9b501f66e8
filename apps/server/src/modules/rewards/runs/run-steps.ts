import { sql } from 'kysely'
import type { Batch, Lease } from '../../../jobs/lease.ts'
import type { Tx } from '../../../platform/database.ts'
import type { Deps } from '../../../platform/deps.ts'
import type { DueWindow } from './run-due.ts'
import { type Run, sumRun, writeNftFacts, writeStakeFacts } from './run-facts.ts'
import { finishRun } from './run-payments.ts'

/** How a run cuts its work. */
export interface RunSizes {
  /** Stakes or purchases looked at in one transaction. */
  facts: number
  /** Members paid in one transaction. */
  slice: number
}
export const RUN_SIZES: RunSizes = { facts: 50_000, slice: 50_000 }

/**
 * Opens a run.
 * @param tx a transaction that holds the lease
 * @param by who asked for it; null for the worker
 */
export async function insertRun(tx: Tx, deps: Deps, window: DueWindow, by: string | null): Promise<Run> {
  await liftLimits(tx)
  const row = await tx
    .insertInto('reward_run')
    .values({
      day: window.day,
      through: window.through,
      status: 'FACTS',
      by_hand: window.byHand === true,
      started_by: by,
      started_at: deps.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...window, id: row.id, byHand: window.byHand === true }
}

/**
 * Settings of a long transaction of a run. It does not wait for the disk at its end: what a power cut takes back is whole
 * batches from the end, which the next worker does again, and whatever is confirmed to anybody afterwards is on the disk
 * together with everything before it.
 */
async function liftLimits(tx: Tx): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true), set_config('work_mem', '256MB', true), set_config('jit', 'off', true),
    set_config('synchronous_commit', 'off', true)`.execute(tx)
}

/**
 * Opens a run and writes down everything that is due in it: few rewards at once, many in batches.
 * @returns how many rewards were written down
 */
export async function startRun(lease: Lease, deps: Deps, sizes: RunSizes, window: DueWindow, by: string | null = null): Promise<number> {
  if (window.few === true) {
    const { facts } = await lease.inTransaction(async (tx) => workOut(tx, deps, await insertRun(tx, deps, window, by)))
    return facts
  }
  const run = await lease.inTransaction((tx) => insertRun(tx, deps, window, by))
  return goOn(lease, deps, sizes, run)
}

/**
 * Writes down and sums a whole run in the caller's transaction.
 * @returns its fingerprint, and how many rewards were written down
 */
export async function workOut(tx: Tx, deps: Deps, run: Run): Promise<{ hash: string; facts: number }> {
  const size = 1_000_000_000
  const stakes = await writeStakeFacts(tx, run, size)
  const nfts = await writeNftFacts(tx, run, size, deps.clock.now())
  const hash = await sumRun(tx, run)
  await finishRun(tx, run.id, deps.clock.now())
  return { hash, facts: stakes.done + nfts.done }
}

/** Goes on with the run that was cut off while its rewards were written down, if there is one. */
export async function resumeRun(lease: Lease, deps: Deps, sizes: RunSizes): Promise<number> {
  const row = await lease.read((db) =>
    db.selectFrom('reward_run').select(['id', 'day', 'through', 'by_hand']).where('status', '=', 'FACTS').executeTakeFirst(),
  )
  if (row === undefined) return 0
  deps.log.warn({ run: String(row.id), day: row.day }, 'going on with a reward run that was cut off')
  return goOn(lease, deps, sizes, { id: row.id, day: row.day, through: row.through, byHand: row.by_hand })
}

async function goOn(lease: Lease, deps: Deps, sizes: RunSizes, run: Run): Promise<number> {
  const inBatches = (write: (tx: Tx) => Promise<Batch>) =>
    lease.untilDone(async (tx) => {
      await liftLimits(tx)
      const batch = await write(tx)
      deps.log.info({ run: String(run.id), day: run.day, facts: batch.done }, 'reward run')
      return batch
    })
  const facts =
    (await inBatches((tx) => writeStakeFacts(tx, run, sizes.facts))) +
    (await inBatches((tx) => writeNftFacts(tx, run, sizes.facts, deps.clock.now())))
  await lease.inTransaction(async (tx) => {
    await liftLimits(tx)
    await sumRun(tx, run)
    await finishRun(tx, run.id, deps.clock.now())
  })
  return facts
}
