import { type BusinessFigures, type BusinessPeriod, type BusinessTotals, TOP_TEAMS } from '@tizara/contract/staff-business'
import { type RawBuilder, sql } from 'kysely'
import { balanceSheetOf, systemBalances } from '../../../ledger/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { addDays, DAY_MS, startOfDay, utcDay } from '../../../platform/runtime/clock.ts'
import { readProceeds } from '../../transfers/index.ts'
import { countOpenPayouts } from '../../withdrawals/index.ts'
import { FIGURE_COLUMNS, figuresByDay, isAmount, newSteps, TOTAL_COLUMNS } from './business-figures.ts'
import { type DayRange, periodsOf } from './period.rules.ts'

/** A closed day with all figures and totals. */
export type BusinessDay = { day: string } & BusinessFigures & BusinessTotals

const FIGURES = Object.keys(FIGURE_COLUMNS) as (keyof BusinessFigures)[]
const COLUMNS = [
  ...Object.entries(FIGURE_COLUMNS),
  ...Object.entries(TOTAL_COLUMNS).map(([name, { column }]): [string, string] => [name, column]),
]

/** Converts a count to a number for the API; amounts stay units. */
const toWire = (name: string, value: bigint): bigint | number => (isAmount(name) ? value : Number(value))

/** Renames a row's columns to the names in the API. Missing columns are zero. */
const readRow = (row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    COLUMNS.map(([name, column]) => [name, toWire(name, (row[column] as bigint | undefined) ?? 0n)]),
  ) as unknown as BusinessFigures & BusinessTotals

/** Returns the totals at the end of a day; zeros if there is no day. */
const totalsOf = (day: BusinessDay | undefined): BusinessTotals =>
  Object.fromEntries(
    Object.keys(TOTAL_COLUMNS).map((name) => [name, day?.[name as keyof BusinessTotals] ?? toWire(name, 0n)]),
  ) as unknown as BusinessTotals

/** Lists closed days, oldest first. */
async function closedDays(db: Db, { from, through }: DayRange): Promise<BusinessDay[]> {
  const { rows } = await sql<Record<string, unknown> & { name: string }>`
    select to_char(day, 'YYYY-MM-DD') as name, business_day.* from business_day
    where day >= ${from}::date and day <= ${through}::date order by day`.execute(db)
  return rows.map((row) => ({ ...readRow(row), day: row.name }))
}

/** Lists closed days for a file, newest first. */
export async function exportDays(db: Db, before: string | undefined, limit: number): Promise<BusinessDay[]> {
  const { rows } = await sql<Record<string, unknown> & { name: string }>`
    select to_char(day, 'YYYY-MM-DD') as name, business_day.* from business_day
    where day < ${before ?? 'infinity'}::date order by business_day.day desc limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...readRow(row), day: row.name }))
}

/** Returns the newest closed day before today; undefined before the first. A clock that was set back hides later days. */
export async function lastClosedDay(db: Db, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select to_char(max(day), 'YYYY-MM-DD') as day from business_day where day < ${utcDay(now)}::date`.execute(db)
  return rows[0]?.day ?? undefined
}

/** Sums the figures of several days. The sum of no days is zero. */
function sumFigures(days: readonly BusinessFigures[]): BusinessFigures {
  const sumOf = (name: keyof BusinessFigures) =>
    toWire(
      name,
      days.reduce((sum, day) => sum + BigInt(day[name]), 0n),
    )
  return Object.fromEntries(FIGURES.map((name) => [name, sumOf(name)])) as unknown as BusinessFigures
}

/** Reads the business figures of a period and of the period before, today's figures so far, open payouts and capacity. */
export async function readBusiness(db: Db, deps: Pick<Deps, 'config'>, now: Date, period: BusinessPeriod) {
  const through = await lastClosedDay(db, now)
  const periods = through === undefined ? undefined : periodsOf(period, through)
  const [days, today, openPayouts, accounts, proceeds] = await Promise.all([
    periods === undefined ? [] : closedDays(db, { from: periods.before.from, through: periods.period.through }),
    readToday(db, now, through),
    countOpenPayouts(db, now),
    systemBalances(db),
    readProceeds(db, deps, now),
  ])
  const own = days.filter(({ day }) => periods !== undefined && day >= periods.period.from)
  const before = days.filter(({ day }) => periods !== undefined && day <= periods.before.through)
  const balance = (system: string, asset: string) => accounts.find((row) => row.system === system && row.asset === asset)?.balance ?? 0n
  const sheet = balanceSheetOf(accounts)
  return {
    at: now,
    period: periods?.period ?? null,
    before: periods?.before ?? null,
    days: own,
    sums: sumFigures(own),
    sumsBefore: sumFigures(before),
    totals: totalsOf(own.at(-1)),
    totalsBefore: totalsOf(before.at(-1)),
    today,
    openPayouts,
    capacity: {
      usdHeld: sheet.reserves,
      usdOwed: sheet.liabilities,
      coinForSale: balance('SYS-COIN', 'COIN'),
      usdForBuyingBack: balance('SYS-SALES', 'USD'),
      usdForProceeds: proceeds.available,
      rewardPool: { usd: balance('SYS-REWARD', 'USD'), coin: balance('SYS-REWARD', 'COIN') },
    },
  }
}

/** Reads the figures since the start of the UTC day. Reads rows of at most two days. */
async function readToday(db: Db, now: Date, through: string | undefined): Promise<BusinessFigures> {
  const today = utcDay(now)
  const yesterday = addDays(today, -1)
  const until = new Date(now.getTime() + DAY_MS)
  // Yesterday is still open for some minutes after midnight, and its first steps are not steps of today.
  const steps: RawBuilder<unknown> = newSteps({ from: startOfDay(through === yesterday ? today : yesterday), until })
  const { rows } = await sql<Record<string, unknown>>`
    select * from (${figuresByDay({ from: startOfDay(today), until }, sql`select step, day from (${steps}) s where day = ${today}::date`)}) f
    where day = ${today}::date`.execute(db)
  return sumFigures(rows.map(readRow))
}

/** Lists the teams with the most USD in a period. Teams of one level have no common members. */
export async function readTopTeams(db: Db, now: Date, period: BusinessPeriod, level: 0 | 1, limit = TOP_TEAMS) {
  const through = await lastClosedDay(db, now)
  if (through === undefined) return { period: null, before: null, teams: [] }
  const periods = periodsOf(period, through)
  const { rows } = await sql<{ id: string; name: string; verified: number; usd: bigint; before: bigint; staked: bigint }>`
    select m.public_id as id, m.name, t.verified, t.usd, t.staked,
      coalesce((select sum(b.usd_taken) from business_team_day b where b.leader_id = t.leader_id and b.level = ${level}
        and b.day >= ${periods.before.from}::date and b.day <= ${periods.before.through}::date), 0)::bigint as before
    from (select leader_id, sum(verified)::int as verified, sum(usd_taken)::bigint as usd, sum(coin_staked)::bigint as staked
      from business_team_day where level = ${level} and day >= ${periods.period.from}::date and day <= ${periods.period.through}::date
      group by leader_id order by usd desc, staked desc, leader_id limit ${limit}) t
    join member m on m.id = t.leader_id order by t.usd desc, t.staked desc, t.leader_id`.execute(db)
  return {
    ...periods,
    teams: rows.map((row) => ({
      leader: { id: row.id, name: row.name },
      verified: row.verified,
      usdTaken: row.usd,
      usdTakenBefore: row.before,
      coinStaked: row.staked,
    })),
  }
}
