import { sql } from 'kysely'
import type { Lease } from '../../jobs/sweep.ts'
import { AppError } from '../../platform/app-error.ts'
import { utcDay } from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { faultPoint } from '../../platform/fault-point.ts'
import { closeDay, countDue, type DueWindow, nextDay, openDay } from './run-days.ts'
import { type FactBatch, type KindTotal, type Run, sumRun, totalsOfRun, writeNftFacts, writeStakeFacts } from './run-facts.ts'
import { finishRun, payRuns } from './run-payments.ts'
import { endOfDay } from './rewards.rules.ts'

/** How a run cuts its work. */
export interface RunSizes {
  /** Stakes or purchases looked at in one transaction. */
  facts: number
  /** Members paid in one transaction. */
  slice: number
}
const RUN_SIZES: RunSizes = { facts: 50_000, slice: 50_000 }

/** Up to this many due rewards are paid at once; more of them are gathered for an hour, one transfer a member and run. */
const AT_ONCE = 500
const GATHER_MS = 3_600_000

/**
 * Pays every reward that is due by the house's clock (RW-03, RW-06, RW-12): finishes a run that was cut off, then goes
 * day by day. Safe to run twice, to be cut anywhere and to be overtaken by another worker.
 * @param db where
 * @param deps clock and log
 * @param lease proof that no other worker took over
 * @param sizes how the work is cut
 * @returns how many rewards were written down and credits paid
 */
export async function runDueRewards(db: Db, deps: Deps, lease: Lease, sizes: RunSizes = RUN_SIZES): Promise<number> {
  let done = await resumeRun(db, deps, lease, sizes)
  for (;;) {
    const step = await inTransaction(db, async (tx) => {
      await lease.assertHeld(tx)
      return nextDay(tx, deps.clock.now())
    })
    if (step.step === 'halted') deps.log.error({ behindSince: step.behindSince }, 'reward runs are too far behind: npm run rewards -- --day DAY')
    if (step.step !== 'pay') break
    const { next } = step
    const { due, lastThrough } = await countDue(db, next, AT_ONCE + 1)
    const gather = !next.ends && due > AT_ONCE && next.through.getTime() - lastThrough.getTime() < GATHER_MS
    if (due > 0 && !gather) {
      done += await startRun(db, deps, lease, sizes, { ...next, byHand: false })
      continue
    }
    if (!next.ends) break
    await inTransaction(db, async (tx) => {
      await lease.assertHeld(tx)
      await closeDay(tx, next.day, deps.clock.now())
    })
  }
  return done + (await payRuns(db, deps, lease, sizes.slice))
}

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
 * @param db where
 * @param deps clock
 * @param lease proof that no other worker runs
 * @param day the day; it must be the oldest open one
 * @throws AppError INVALID_INPUT when it is not; RUN_IN_PROGRESS when a run was cut off and has to be finished first
 */
export async function dryRun(db: Db, deps: Deps, lease: Lease, day: string): Promise<DayResult> {
  const box: { result?: DayResult } = {}
  try {
    await db.transaction().execute(async (tx) => {
      await lease.assertHeld(tx)
      const cutOff = await tx.selectFrom('reward_run').select('id').where('status', '=', 'FACTS').executeTakeFirst()
      if (cutOff !== undefined) throw new AppError('RUN_IN_PROGRESS')
      const window = await windowByHand(tx, deps.clock.now(), day)
      const run = await insertRun(tx, deps, window, null)
      box.result = await workOut(tx, deps, run)
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
 * @param db where
 * @param deps clock, log
 * @param lease proof that no other worker runs
 * @param wish the day, and what it has to come to
 * @throws AppError INVALID_INPUT when it is not the oldest open day; CHANGE_OUTDATED when it comes to something else
 */
export async function payDayByHand(db: Db, deps: Deps, lease: Lease, wish: DayByHand): Promise<DayResult> {
  await resumeRun(db, deps, lease, RUN_SIZES)
  const result = await inTransaction(db, async (tx) => {
    await lease.assertHeld(tx)
    const window = await windowByHand(tx, deps.clock.now(), wish.day)
    const run = await insertRun(tx, deps, window, wish.by)
    const worked = await workOut(tx, deps, run)
    if (wish.hash !== undefined && wish.hash !== worked.hash) throw new AppError('CHANGE_OUTDATED')
    return { ...worked, window }
  })
  // A source that lay several days behind has more than one reward due in the day.
  for (;;) {
    const { due } = await countByHand(db, result.window)
    if (due === 0) break
    await startRun(db, deps, lease, RUN_SIZES, result.window, wish.by)
  }
  await inTransaction(db, async (tx) => {
    await lease.assertHeld(tx)
    if (wish.day < utcDay(deps.clock.now())) await closeDay(tx, wish.day, deps.clock.now())
  })
  await payRuns(db, deps, lease, RUN_SIZES.slice)
  return { hash: result.hash, facts: result.facts, totals: result.totals }
}

const countByHand = (db: Db, window: DueWindow) => countDue(db, { ...window, ends: true }, 1)

async function windowByHand(tx: Tx, now: Date, day: string): Promise<DueWindow> {
  const today = utcDay(now)
  const open = await openDay(tx, today, now)
  if (day !== open || day > today) throw new AppError('INVALID_INPUT', {}, [{ path: 'day', message: `The next day to pay is ${open}` }])
  return { day, through: day < today ? endOfDay(day) : now, byHand: true }
}

/** The whole run in the caller's transaction. */
async function workOut(tx: Tx, deps: Deps, run: Run): Promise<DayResult> {
  const size = 1_000_000_000
  const stakes = await writeStakeFacts(tx, run, size)
  const nfts = await writeNftFacts(tx, run, size, deps.clock.now())
  const hash = await sumRun(tx, run)
  await finishRun(tx, run.id, deps.clock.now())
  return { hash, facts: stakes.facts + nfts.facts, totals: await totalsOfRun(tx, run.id) }
}

async function insertRun(tx: Tx, deps: Deps, window: DueWindow, by: string | null): Promise<Run> {
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

async function liftLimits(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local work_mem = '128MB'`.execute(tx)
  await sql`set local jit = off`.execute(tx)
}

async function startRun(db: Db, deps: Deps, lease: Lease, sizes: RunSizes, window: DueWindow, by: string | null = null): Promise<number> {
  const run = await inTransaction(db, async (tx) => {
    await lease.assertHeld(tx)
    return insertRun(tx, deps, window, by)
  })
  return goOn(db, deps, lease, sizes, run)
}

/** Goes on with the run that was cut off while its rewards were written down, if there is one. */
async function resumeRun(db: Db, deps: Deps, lease: Lease, sizes: RunSizes): Promise<number> {
  const row = await db.selectFrom('reward_run').select(['id', 'day', 'through', 'by_hand']).where('status', '=', 'FACTS').executeTakeFirst()
  if (row === undefined) return 0
  deps.log.warn({ run: String(row.id), day: row.day }, 'going on with a reward run that was cut off')
  return goOn(db, deps, lease, sizes, { id: row.id, day: row.day, through: row.through, byHand: row.by_hand })
}

async function goOn(db: Db, deps: Deps, lease: Lease, sizes: RunSizes, run: Run): Promise<number> {
  const inBatches = async (write: (tx: Tx) => Promise<FactBatch>) => {
    let facts = 0
    for (;;) {
      const batch = await inTransaction(db, async (tx) => {
        await lease.assertHeld(tx)
        await liftLimits(tx)
        return write(tx)
      })
      faultPoint('reward_batch')
      facts += batch.facts
      deps.log.info({ run: String(run.id), day: run.day, facts }, 'reward run')
      if (batch.finished) return facts
    }
  }
  const facts = (await inBatches((tx) => writeStakeFacts(tx, run, sizes.facts))) + (await inBatches((tx) => writeNftFacts(tx, run, sizes.facts, deps.clock.now())))
  await inTransaction(db, async (tx) => {
    await lease.assertHeld(tx)
    await liftLimits(tx)
    await sumRun(tx, run)
    await finishRun(tx, run.id, deps.clock.now())
  })
  faultPoint('reward_batch')
  return facts
}
