import type { Lease } from '../../../jobs/lease.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { shellCommand } from '../../../platform/runtime/release.ts'
import { closeDay, nextDay } from './run-days.ts'
import { countDue } from './run-due.ts'
import { payRuns } from './run-payments.ts'
import { openRun } from './open-run.ts'
import { RUN_SIZES, type RunSizes } from './run-partitions.ts'
import { calculateRun } from './calculate-run.ts'
import { currentPause } from '../../../ledger/index.ts'

/** Name of the job, and of the lease, that pays daily and monthly rewards. */
export const REWARD_RUN = 'reward-run'

/**
 * Maximum number of due rewards that are paid at once. More are collected for an hour (GATHER_MS), with one transfer per member and run.
 */
const IMMEDIATE_REWARD_LIMIT = 500
const GATHER_MS = 3_600_000

/**
 * Pays all rewards due by the server's clock (RW-03, RW-06, RW-12): finishes an interrupted run, then continues day by day. The job may run
 * twice, stop anywhere or lose its lease to another worker. It does nothing during an emergency pause.
 * @returns the number of written rewards and paid credits
 */
export async function runDueRewards(lease: Lease, deps: Deps, sizes: RunSizes = RUN_SIZES): Promise<number> {
  if ((await lease.read(currentPause)) !== undefined) return 0
  let done = await calculateRun(lease, deps, sizes)
  while (await lease.inTransaction((tx) => openDueRun(tx, deps, sizes))) done += await calculateRun(lease, deps, sizes)
  return done + (await payRuns(lease, deps, sizes.partition))
}

/**
 * Opens a run for due rewards, or closes a finished day.
 * @returns false when there is neither
 */
async function openDueRun(tx: Tx, deps: Deps, sizes: RunSizes): Promise<boolean> {
  const now = deps.clock.now()
  const step = await nextDay(tx, now)
  if (step.step === 'halted')
    deps.log.error(
      { behindSince: step.behindSince },
      `reward runs are too far behind. Pay each day with ${shellCommand('rewards --day DAY')}`,
    )
  if (step.step !== 'pay') return false
  const { ends } = step
  const window = { day: step.day, through: step.through, byHand: false }
  const { due, lastThrough, watermark } = await countDue(tx, window, ends, IMMEDIATE_REWARD_LIMIT + 1)
  const gather = !ends && due > IMMEDIATE_REWARD_LIMIT && window.through.getTime() - lastThrough.getTime() < GATHER_MS
  if (due > 0 && !gather)
    await openRun(
      tx,
      deps,
      { ...window, watermark, isSmall: watermark !== undefined && due <= Math.min(IMMEDIATE_REWARD_LIMIT, sizes.accruals) },
      null,
      sizes.accruals,
    )
  else if (ends) await closeDay(tx, window.day, now)
  else return false
  return true
}
