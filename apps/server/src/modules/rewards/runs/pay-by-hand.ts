import type { Lease } from '../../../jobs/lease.ts'
import { AppError } from '../../../platform/app-error.ts'
import { utcDay } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database.ts'
import type { Deps } from '../../../platform/deps.ts'
import { endOfDay } from '../programme/rewards.rules.ts'
import { closeDay, openDay } from './run-days.ts'
import { countDue, type DueWindow } from './run-due.ts'
import { type KindTotal, type Run, totalsOfRun } from './run-facts.ts'
import { payRuns } from './run-payments.ts'
import { insertRun, resumeRun, RUN_SIZES, startRun, workOut } from './run-steps.ts'

/** A business day that a person pays, or only looks at. */
export interface DayByHand {
  /** `YYYY-MM-DD`. */
  day: string
  /** What a dry run printed; the day is paid only if it still comes to the same. */
  hash?: string | undefined
  /** Who asked for it, for the run's row. */
  by: string
}

/** What a day's run comes to. */
export interface DayResult {
  hash: string
  facts: number
  totals: KindTotal[]
}

class Rollback extends Error {}

/**
 * Works out what paying a day would come to, without a trace: the same statements as the paying run, rolled back.
 * @param day the day; it must be the oldest open one
 * @throws AppError INVALID_INPUT when it is not; RUN_IN_PROGRESS when a run was cut off and has to be finished first
 */
export async function dryRun(lease: Lease, deps: Deps, day: string): Promise<DayResult> {
  const box: { result?: DayResult } = {}
  try {
    await lease.inTransaction(async (tx) => {
      const cutOff = await tx.selectFrom('reward_run').select('id').where('status', '=', 'FACTS').executeTakeFirst()
      if (cutOff !== undefined) throw new AppError('RUN_IN_PROGRESS')
      const window = await windowByHand(tx, deps.clock.now(), day)
      const run = await insertRun(tx, deps, window, null)
      box.result = await tried(tx, deps, run)
      throw new Rollback()
    })
  } catch (error) {
    if (!(error instanceof Rollback)) throw error
  }
  if (box.result === undefined) throw new Error('a dry run without a result')
  return box.result
}

/**
 * Pays a day by hand, however far behind it lies; closes it when it is over.
 * @throws AppError INVALID_INPUT when it is not the oldest open day; CHANGE_OUTDATED when it comes to something else
 */
export async function payDayByHand(lease: Lease, deps: Deps, wish: DayByHand): Promise<DayResult> {
  await resumeRun(lease, deps, RUN_SIZES)
  const result = await lease.inTransaction(async (tx) => {
    const window = await windowByHand(tx, deps.clock.now(), wish.day)
    const run = await insertRun(tx, deps, window, wish.by)
    const worked = await tried(tx, deps, run)
    if (wish.hash !== undefined && wish.hash !== worked.hash) throw new AppError('CHANGE_OUTDATED')
    return { ...worked, window }
  })
  // A source that lay several days behind has more than one reward due in the day.
  for (;;) {
    const { due } = await lease.inTransaction((tx) => countDue(tx, { ...result.window, ends: true }, 1))
    if (due === 0) break
    await startRun(lease, deps, RUN_SIZES, result.window, wish.by)
  }
  await lease.inTransaction(async (tx) => {
    if (wish.day < utcDay(deps.clock.now())) await closeDay(tx, wish.day, deps.clock.now())
  })
  await payRuns(lease, deps, RUN_SIZES.slice)
  return { hash: result.hash, facts: result.facts, totals: result.totals }
}

async function windowByHand(tx: Tx, now: Date, day: string): Promise<DueWindow> {
  const today = utcDay(now)
  const open = await openDay(tx, today, now)
  if (day !== open || day > today) throw new AppError('INVALID_INPUT', {}, [{ path: 'day', message: `The next day to pay is ${open}` }])
  return { day, through: day < today ? endOfDay(day) : now, byHand: true }
}

/** The whole run in the caller's transaction, with what it comes to. */
async function tried(tx: Tx, deps: Deps, run: Run): Promise<DayResult> {
  return { ...(await workOut(tx, deps, run)), totals: await totalsOfRun(tx, run.id) }
}
