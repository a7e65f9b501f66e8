import { sql } from 'kysely'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { jobStates } from '../../../jobs/job-states.queries.ts'
import { DAY_MS, utcDay } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { currentPause, systemBalances } from '../../../ledger/index.ts'
import { depositsToReview } from '../../deposits/index.ts'
import { countWaitingTickets } from '../../support/index.ts'
import { waitsForStaff } from '../../withdrawals/index.ts'
import { BALANCES_ON_DAYS } from '../ledger/daily-totals.ts'
import { isPendingAt } from '../proposals/proposal-status.ts'
import { poolForecast } from '../rewards/pool-forecast.queries.ts'
import { sumsOf } from './reserves.rules.ts'
import { readWorkload } from '../requests/workload.queries.ts'

/** Reads the pending decisions and the platform's state. */
export async function readOverview(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  viewer: Pick<Viewer, 'memberId' | 'publicId' | 'email' | 'role'>,
  days: number,
) {
  const now = deps.clock.now()
  const [work, jobs, counts, tickets, deposits, rewardPool, byDay, ledger, paused] = await Promise.all([
    readWorkload(db, now, viewer),
    jobStates(db),
    sql<{ withdrawals: number; bridges: number; changes: number }>`
      select (select count(*)::int from payout_request p where kind = 'withdrawal' and ${waitsForStaff}) as withdrawals,
        (select count(*)::int from payout_request p where kind = 'bridge' and ${waitsForStaff}) as bridges,
        (select count(*)::int from staff_proposal where ${isPendingAt(now)}) as changes`.execute(db),
    countWaitingTickets(db),
    depositsToReview(db),
    poolForecast(db, now),
    dailyTotals(db, now, days),
    lastSum(db),
    currentPause(db),
  ])
  const { withdrawals = 0, bridges = 0, changes = 0 } = counts.rows[0] ?? {}
  return {
    at: now,
    work,
    jobs,
    waiting: { withdrawals, bridges, deposits, changes, tickets },
    rewardPool,
    ...byDay,
    ledger,
    ...(paused === undefined ? {} : { paused }),
  }
}

/** Lists the balance sheet in USD at the end of each UTC day, and the inflow and outflow of each asset, oldest first. */
export async function dailyTotals(db: Db, now: Date, days: number) {
  const byDay = await balancesByDay(db, now, days)
  return {
    balanceSheet: byDay
      .slice(1)
      .map(({ day, sheet: { liabilities, reserves } }) => ({ day, asset: 'usd' as const, liabilities, reserves })),
    flows: byDay.slice(1).flatMap(({ day, flows }, position) =>
      flows.map((flow, index) => {
        const before = byDay[position]?.flows[index]
        return { day, asset: flow.asset, in: flow.in - (before?.in ?? 0n), out: flow.out - (before?.out ?? 0n) }
      }),
    ),
  }
}

/** Returns the last ledger balance check (watch-platform.ts), or null before the first. */
async function lastSum(db: Db) {
  const { rows } = await sql<{ at: Date; ok: boolean; detail: string; transfers: bigint }>`
    select finished_at as at, succeeded as ok, detail, coalesce((select max(id) from ledger_transfer), 0) as transfers
    from command_last_run where name = 'ledger-check'`.execute(db)
  const [row] = rows
  // Parses `0 differences in 4812 transfers`.
  return row === undefined
    ? null
    : { at: row.at, ok: row.ok, transfers: Number(row.transfers), differences: Number.parseInt(row.detail, 10) || 0 }
}

/**
 * Returns the closing balances of each UTC day per asset, oldest first, from one day before the range until now. The worker has saved the
 * past days (`writeDailyTotals`).
 */
async function balancesByDay(db: Db, now: Date, days: number) {
  const first = utcDay(new Date(now.getTime() - days * DAY_MS))
  const { rows } = await sql<{ day: string; system: string; asset: string; balance: bigint }>`
    select to_char(day, 'YYYY-MM-DD') as day, system, asset, balance from daily_total where day >= ${first}::date and day < ${utcDay(now)}::date
    union all ${BALANCES_ON_DAYS} and d.day >= ${first}::date and d.day < ${utcDay(now)}::date group by d.day, a.kind, a.asset
    order by day`.execute(db)
  const current = (await systemBalances(db)).map((row) => ({ ...row, day: utcDay(now) }))
  const found = [...Map.groupBy([...rows, ...current], (row) => row.day)].map(([day, accounts]) => ({ day, ...sumsOf(accounts) }))
  return found[0]?.day === first ? found : [{ day: first, ...sumsOf([]) }, ...found]
}
