import type { Asset } from '@tizara/contract/wallets'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Viewer } from '../../http/session-guard.ts'
import { jobStates } from '../../jobs/job-states.queries.ts'
import { utcDay } from '../../platform/clock.ts'
import type { Db } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { houseBalances } from '../../ledger/index.ts'
import { depositsToReview } from '../deposits/index.ts'
import { coverageOf } from '../rewards/index.ts'
import { ticketsThatWait } from '../support/index.ts'
import { waitsForStaff } from '../withdrawals/index.ts'
import { readWorkload } from './workload.queries.ts'

interface ReserveDay {
  day: string
  asset: Asset
  liabilities: Units
  reserves: Units
}

/** What crossed the border of the house: these accounts owe what came in and hold what went out. */
const BORDER: readonly string[] = ['SYS-ISSUE', 'SYS-DEPOSIT', 'SYS-WITHDRAW', 'SYS-BRIDGE', 'SYS-OPERATOR']

/** What waits for a decision, and how the house stands. */
export async function readOverview(db: Db, deps: Pick<Deps, 'clock'>, viewer: Pick<Viewer, 'memberId' | 'role'>, days: number) {
  const now = deps.clock.now()
  const [work, jobs, counts, tickets, deposits, coin, usd, reserves] = await Promise.all([
    readWorkload(db, viewer),
    jobStates(db),
    sql<{ withdrawals: number; bridges: number; changes: number; members: number }>`
      select (select count(*)::int from payout_request p where kind = 'withdrawal' and ${waitsForStaff}) as withdrawals,
        (select count(*)::int from payout_request p where kind = 'bridge' and ${waitsForStaff}) as bridges,
        (select count(*)::int from staff_change where status = 'PENDING') as changes,
        (select count(*)::int from member where role = 'MEMBER') as members`.execute(db),
    ticketsThatWait(db),
    depositsToReview(db),
    coverageOf(db, 'COIN'),
    coverageOf(db, 'USD'),
    reservesByDay(db, now, days),
  ])
  const { members = 0, withdrawals = 0, bridges = 0, changes = 0 } = counts.rows[0] ?? {}
  return {
    at: now,
    work,
    jobs,
    waiting: { withdrawals, bridges, deposits, changes, tickets },
    members,
    rewardPool: [
      { asset: 'coin' as const, balance: coin.pool, owed: coin.owed },
      { asset: 'usd' as const, balance: usd.pool, owed: usd.owed },
    ],
    reserves,
  }
}

/**
 * What members are owed (wallets and holds) against what the house took in and still has, by UTC day, oldest first; the
 * last day is now. What members hold is what the house's own accounts add up to with the opposite sign, so that a day
 * costs a few index look-ups for any number of members.
 */
async function reservesByDay(db: Db, now: Date, days: number): Promise<ReserveDay[]> {
  const first = new Date(now.getTime() - (days - 1) * 86_400_000)
  const { rows } = await sql<{ day: string; house: string; asset: string; balance: bigint }>`
    select to_char(d.day, 'YYYY-MM-DD') as day, a.kind as house, a.asset, sum(coalesce(last.balance, 0))::bigint as balance
    from wallet_day d
    cross join (select id, kind, asset from ledger_account where id < 0) a
    left join lateral (
      select side.balance from (
        (select id, debit_balance_after as balance from ledger_transfer
          where debit_account = a.id and id <= d.last_transfer_id order by id desc limit 1)
        union all
        (select id, credit_balance_after from ledger_transfer
          where credit_account = a.id and id <= d.last_transfer_id order by id desc limit 1)) side
      order by side.id desc limit 1) last on true
    where d.day >= ${utcDay(first)}::date and d.day < ${utcDay(now)}::date
    group by d.day, a.kind, a.asset order by d.day`.execute(db)
  const current = (await houseBalances(db)).map((row) => ({ ...row, day: utcDay(now) }))
  const byDay = Map.groupBy([...rows, ...current], (row) => row.day)
  return [...byDay].flatMap(([day, accounts]) =>
    (['usd', 'coin'] as const).map((asset) => {
      const own = accounts.filter((row) => row.asset === asset.toUpperCase())
      const owedBy = (fits: (house: string) => boolean) => -own.reduce((sum, row) => (fits(row.house) ? sum + row.balance : sum), 0n)
      return { day, asset, liabilities: owedBy((house) => house !== 'SYS-HOLD'), reserves: owedBy((house) => BORDER.includes(house)) }
    }),
  )
}
