import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Lease } from '../../../jobs/lease.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { endOfDay, utcDay } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { closeDay, openDay } from './run-days.ts'
import { countDue, type DueWindow } from './run-due.ts'
import { payRuns } from './run-payments.ts'
import { openRun, unfinishedRun } from './open-run.ts'
import { RUN_SIZES } from './run-partitions.ts'
import { calculateRun, calculateStep } from './calculate-run.ts'
import { assertNotStopped } from '../../../ledger/index.ts'

/** A business day that staff pay by hand or only simulate. */
export interface ManualDay {
  /** `YYYY-MM-DD`. */
  day: string
  /** A dry run's hash. The server pays the day only if the hash is unchanged. */
  hash?: string | undefined
  /** The person who requested it, for the run's row. */
  by: string
}

/** A run's total by reward kind. */
interface KindTotal {
  kind: string
  asset: 'COIN' | 'USD'
  rows: bigint
  amount: Units
}

/** A day's run in figures. */
export interface DayResult {
  hash: string
  accruals: number
  totals: KindTotal[]
}

/** Rolls a dry run back, and carries its result. */
class DryRun extends Error {
  readonly result: DayResult

  constructor(result: DayResult) {
    super('a dry run')
    this.result = result
  }
}

/**
 * Calculates a day's payment with the paying run's statements, and rolls them back.
 * @throws AppError INVALID_INPUT when it is not the oldest open day; RUN_IN_PROGRESS when an interrupted run has to be finished first
 */
export async function dryRun(lease: Lease, deps: Deps, day: string): Promise<DayResult> {
  try {
    return await lease.inTransaction(async (tx) => {
      if ((await unfinishedRun(tx)) !== undefined) throw new AppError('RUN_IN_PROGRESS')
      throw new DryRun(await workOutDay(tx, deps, await windowByHand(tx, deps.clock.now(), day), null))
    })
  } catch (error) {
    if (error instanceof DryRun) return error.result
    throw error
  }
}

/**
 * Pays a day started by staff, however old, and closes the day if it is over.
 * @throws AppError STOPPED; INVALID_INPUT when it is not the oldest open day; CHANGE_OUTDATED when the hash differs
 */
export async function payDayManually(lease: Lease, deps: Deps, input: ManualDay): Promise<DayResult> {
  await lease.inTransaction(assertNotStopped)
  await calculateRun(lease, deps, { ...RUN_SIZES, workers: deps.config.rewardWorkers })
  const { window, result } = await lease.inTransaction(async (tx) => {
    const runWindow = await windowByHand(tx, deps.clock.now(), input.day)
    const worked = await workOutDay(tx, deps, runWindow, input.by)
    if (input.hash !== undefined && input.hash !== worked.hash) throw new AppError('CHANGE_OUTDATED')
    return { window: runWindow, result: worked }
  })
  while (await lease.inTransaction((tx) => openAgain(tx, deps, window, input.by)))
    await calculateRun(lease, deps, { ...RUN_SIZES, workers: deps.config.rewardWorkers })
  await payRuns(lease, deps, RUN_SIZES.partition)
  return result
}

async function windowByHand(tx: Tx, now: Date, day: string): Promise<DueWindow> {
  const today = utcDay(now)
  const open = await openDay(tx, today, now)
  if (day !== open || day > today) throw new AppError('INVALID_INPUT', {}, [{ path: 'day', message: `The next day to pay is ${open}` }])
  return { day, through: day < today ? endOfDay(day) : now, byHand: true }
}

/** More source ids than exist, for a single partition. */
const ALL_SOURCES = 1_000_000_000_000

/** Calculates a whole run in one transaction, so that an unwanted result rolls back completely. */
async function workOutDay(tx: Tx, deps: Deps, window: DueWindow, by: string | null): Promise<DayResult> {
  const run = await openRun(tx, deps, { ...window, watermark: undefined, isSmall: false }, by, ALL_SOURCES)
  const { done } = await calculateStep(tx, deps, run, RUN_SIZES)
  const { hash } = await tx.selectFrom('reward_run').select('hash').where('id', '=', run.id).executeTakeFirstOrThrow()
  return { hash: hash ?? '', accruals: done, totals: await totalsOfRun(tx, run.id) }
}

/** Opens another run for sources that are several days behind and have more than one due reward. Closes the day when none are left. */
async function openAgain(tx: Tx, deps: Deps, window: DueWindow, by: string): Promise<boolean> {
  const { due } = await countDue(tx, window, true, 1)
  if (due > 0) await openRun(tx, deps, { ...window, watermark: undefined, isSmall: false }, by, RUN_SIZES.accruals)
  else if (window.day < utcDay(deps.clock.now())) await closeDay(tx, window.day, deps.clock.now())
  return due > 0
}

async function totalsOfRun(tx: Tx, runId: bigint): Promise<KindTotal[]> {
  const found = await sql<KindTotal>`
    select k.kind, k.asset, k.rows::bigint as rows, k.amount::bigint as amount
    from (select stream, sum(n0) as n0, sum(daily) as daily, sum((n1 + n2 + n3 + n4 + n5)) filter (where eligible) as n, sum(b1 + b2 + b3 + b4 + b5) as bounty
      from reward_credit where run_id = ${runId} group by stream) s
    cross join lateral (values
      (case stream when 0 then 'daily' when 1 then 'stake-log' else 'nft-monthly' end, case stream when 2 then 'USD' else 'COIN' end, n0, daily),
      (case stream when 0 then 'profit-bounty' when 1 then 'stake-log-bounty' else 'nft-profit-bounty' end, case stream when 2 then 'USD' else 'COIN' end, coalesce(n, 0), bounty)
    ) k (kind, asset, rows, amount) order by stream, k.kind`.execute(tx)
  return found.rows
}
