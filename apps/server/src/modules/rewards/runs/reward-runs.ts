import type { ListQuery } from '@tizara/contract'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { type Lease, underLease } from '../../../jobs/lease.ts'
import { isHeld, lastErrorOf } from '../../../jobs/job.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { utcDay } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { readPageRange } from '../../../platform/db/paging.ts'
import { type ManualDay, type DayResult, dryRun, payDayManually } from './manual-run.ts'
import { REWARD_RUN, runDueRewards } from './run-rewards.ts'

interface RewardRunRow {
  id: string
  /** RECORDING while rewards are written, OWED while not fully paid, DONE. */
  status: string
  /** Paid credits and their total. PAYING while a worker pays, OWED when the pool cannot pay everything. */
  done: number
  total: number
  phase: 'RECORDING' | 'PAYING' | 'OWED' | 'DONE'
  dueUntil: Date
  payments: number
  paid: { asset: 'coin' | 'usd'; amount: Units }[]
  owed: { asset: 'coin' | 'usd'; amount: Units }[]
  /** The largest part that the pool could not pay at any time. */
  wasOwed: { asset: 'coin' | 'usd'; amount: Units }[]
  startedBy: string | null
  error: string | null
  startedAt: Date
  finishedAt: Date | null
}

interface RunSums {
  id: bigint
  status: string
  through: Date
  payments: bigint
  credits: bigint
  coinPaid: bigint
  coinOwed: bigint
  usdPaid: bigint
  usdOwed: bigint
  coinShort: bigint
  usdShort: bigint
  startedBy: string | null
  startedAt: Date
  finishedAt: Date | null
}

/**
 * Lists the reward runs, newest first, for staff (RW-12).
 * @param before only runs before this one
 */
export async function listRewardRuns(db: Db, query: ListQuery, before?: bigint) {
  const { page, limit, offset } = readPageRange(query)
  const range = sql`r.day >= ${query.from ?? '0001-01-01'}::date and r.day <= ${query.to ?? '9999-01-01'}::date`
  const found = await sql<RunSums>`
    select r.id, case r.status when 'PAY' then 'OWED' else r.status end as status, r.through, r.started_by as "startedBy",
      r.started_at as "startedAt", r.finished_at as "finishedAt", coalesce(sum(p.paid_credits), 0)::bigint as payments, coalesce(sum(p.credits), 0)::bigint as credits,
      coalesce(sum(p.paid) filter (where p.stream < 2), 0)::bigint as "coinPaid", coalesce(sum(p.total - p.paid) filter (where p.stream < 2), 0)::bigint as "coinOwed",
      coalesce(sum(p.fell_short) filter (where p.stream < 2), 0)::bigint as "coinShort", coalesce(sum(p.fell_short) filter (where p.stream = 2), 0)::bigint as "usdShort",
      coalesce(sum(p.paid) filter (where p.stream = 2), 0)::bigint as "usdPaid", coalesce(sum(p.total - p.paid) filter (where p.stream = 2), 0)::bigint as "usdOwed"
    from (select * from reward_run r where ${range} ${before === undefined ? sql`` : sql`and r.id < ${before}`} order by id desc limit ${limit} offset ${offset}) r
    left join reward_payment p on p.run_id = r.id
    group by r.id, r.status, r.through, r.started_by, r.started_at, r.finished_at order by r.id desc`.execute(db)
  const counted = await sql<{ total: bigint }>`select count(*) as total from reward_run r where ${range}`.execute(db)
  const failed = await lastErrorOf(db, REWARD_RUN)
  const isRunning = await isHeld(db, REWARD_RUN)
  const data: RewardRunRow[] = found.rows.map((row, index) => ({
    id: String(row.id),
    status: row.status,
    done: Number(row.payments),
    total: Number(row.credits),
    phase: row.status === 'DONE' || row.status === 'RECORDING' ? row.status : isRunning ? 'PAYING' : 'OWED',
    dueUntil: row.through,
    payments: Number(row.payments),
    paid: parts(row.coinPaid, row.usdPaid),
    owed: parts(row.coinOwed, row.usdOwed),
    wasOwed: parts(row.coinShort, row.usdShort),
    startedBy: row.startedBy,
    error: page === 1 && index === 0 && row.status === 'RECORDING' ? failed : null,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
  }))
  return { data, meta: { total: Number(counted.rows[0]?.total ?? 0n), page, limit } }
}

const parts = (coin: Units, usd: Units) => [
  ...(coin > 0n ? [{ asset: 'coin' as const, amount: coin }] : []),
  ...(usd > 0n ? [{ asset: 'usd' as const, amount: usd }] : []),
]

/** Returns the oldest day that needs manual payment because runs are too far behind; null if none. */
export async function haltedSince(db: Db): Promise<string | null> {
  const halt = await db.selectFrom('reward_halt').select('behind_since').where('ended_at', 'is', null).executeTakeFirst()
  return halt?.behind_since ?? null
}

/** Returns the oldest open day, the only one that staff may pay. `YYYY-MM-DD`, UTC. */
export async function oldestOpenDay(db: Db, now: Date): Promise<string> {
  const today = utcDay(now)
  const { rows } = await sql<{ open: string | null; after: string | null }>`
    select (select min(day)::text from reward_day where status = 'OPEN') as open, (select (max(day) + 1)::text from reward_day) as after`.execute(
    db,
  )
  const day = rows[0]?.open ?? rows[0]?.after ?? today
  return day < today ? day : today
}

/**
 * Pays due rewards now instead of at the worker's next run.
 * @throws AppError RUN_IN_PROGRESS while a worker is running
 */
export function payDueRewardsNow(db: Db, deps: Deps, holder: string): Promise<number> {
  return alone(db, deps, holder, (lease) => runDueRewards(lease, deps))
}

/**
 * Simulates a day's payment and rolls it back.
 * @throws AppError RUN_IN_PROGRESS while a worker is running; INVALID_INPUT when it is not the oldest open day
 */
export function simulateDay(db: Db, deps: Deps, day: string): Promise<DayResult> {
  return alone(db, deps, 'dry-run', (lease) => dryRun(lease, deps, day))
}

/**
 * Pays a day by hand.
 * @throws AppError RUN_IN_PROGRESS while a worker is running; INVALID_INPUT when it is not the oldest open day; CHANGE_OUTDATED when the
 * hash differs
 */
export function payDay(db: Db, deps: Deps, input: ManualDay): Promise<DayResult> {
  return alone(db, deps, input.by, (lease) => payDayManually(lease, deps, input))
}

/** Runs work under the reward runs' lease. */
async function alone<T extends {}>(db: Db, deps: Deps, holder: string, work: (lease: Lease) => Promise<T>): Promise<T> {
  const result = await underLease(db, { name: REWARD_RUN, holder, clock: deps.clock }, work)
  if (result === null) throw new AppError('RUN_IN_PROGRESS')
  return result
}
