import type { Units } from '@tizara/money'
import { claimRunOf } from '../../../jobs/command-runs.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { daysBetween, utcDay } from '../../../platform/runtime/clock.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { grouped } from '../access/figures.ts'
import { mailAdmins } from '../access/mail-admins.ts'
import { lastClosedDay, readBusiness } from '../business/business.queries.ts'
import { periodsOf } from '../business/period.rules.ts'
import { dailyTotals } from './overview.queries.ts'

/** Maximum days after a week in which the report is sent. A worker that was down longer sends no old figures. */
const MAX_AGE_DAYS = 3

/**
 * Mails the figures of the last week from Monday to Sunday, and of the week before, to the admins and `WEEKLY_REPORT_TO`. The overview
 * shows the same figures as `Week`. Sends each week once, and no report with `WEEKLY_REPORT=off`.
 * @returns the number of reports
 */
export async function sendWeeklyReport(tx: Tx, deps: Deps): Promise<number> {
  const { config, clock } = deps
  const now = clock.now()
  if (!config.weeklyReport) return 0
  const closed = await lastClosedDay(tx, now)
  if (closed === undefined) return 0
  const { through } = periodsOf('week', closed).period
  if (daysBetween(through, utcDay(now)) > MAX_AGE_DAYS || !(await claimRunOf(tx, 'weekly-report', through))) return 0
  const lines = await reportLines(tx, { config }, now)
  if (lines === undefined) return 0
  const link = `${config.publicUrl}/staff?days=week`
  await mailAdmins(tx, deps, `week to ${through}`, [...lines, `All figures, charts and files: ${link}`], config.weeklyReportTo)
  return 1
}

/** Returns the report as sentences; undefined for a week before the platform began. */
async function reportLines(tx: Tx, deps: Pick<Deps, 'config'>, now: Date): Promise<string[] | undefined> {
  const { period, before, days, sums, sumsBefore, totals, totalsBefore, openPayouts, capacity } = await readBusiness(tx, deps, now, 'week')
  if (period === null || before === null || days.length === 0) return undefined
  const { balanceSheet } = await dailyTotals(tx, now, daysBetween(before.through, utcDay(now)) + 1)
  const owedOn = (day: string) => balanceSheet.find((row) => row.day === day)?.liabilities ?? 0n
  const open = openPayouts.filter(({ asset, state }) => asset === 'usd' && state === 'pending')
  const sum = (value: (row: (typeof open)[number]) => number) => open.reduce((total, row) => total + value(row), 0)
  return [
    `These are the figures from ${period.from} through ${period.through} (UTC). The week before is in brackets.`,
    `New members: ${compared(sums.registered, sumsBefore.registered)}. All members: ${compared(totals.totalRegistered, totalsBefore.totalRegistered)}.`,
    `For the first time: verified ${compared(sums.verified, sumsBefore.verified)}, deposited ${compared(sums.deposited, sumsBefore.deposited)}, bought ${compared(sums.bought, sumsBefore.bought)}, staked ${compared(sums.staked, sumsBefore.staked)}.`,
    `Deposits: ${comparedAmount(sums.usdDeposited, sumsBefore.usdDeposited, 'USD')}.`,
    `Coin sold: ${comparedAmount(sums.coinSold, sumsBefore.coinSold, 'coin')}, for ${comparedAmount(sums.usdForCoin, sumsBefore.usdForCoin, 'USD')}.`,
    `Fees: ${comparedAmount(sums.usdFees, sumsBefore.usdFees, 'USD')}, and ${comparedAmount(sums.coinFees, sumsBefore.coinFees, 'coin')}.`,
    `Active stakes: ${compared(totals.stakesActive, totalsBefore.stakesActive)}, with ${comparedAmount(totals.coinInStakes, totalsBefore.coinInStakes, 'coin')}.`,
    `Liabilities at the end of the week: ${comparedAmount(owedOn(period.through), owedOn(before.through), 'USD')}. Reserves now: ${amount(capacity.usdHeld, 'USD')}.`,
    `Withdrawals paid: ${compared(sums.withdrawalsPaid, sumsBefore.withdrawalsPaid)}, ${comparedAmount(sums.usdPaid, sumsBefore.usdPaid, 'USD')}. Rejected: ${compared(sums.withdrawalsRejected, sumsBefore.withdrawalsRejected)}.`,
    `Withdrawals that wait for a decision now: ${sum((row) => row.upToOneDay + row.upToThreeDays + row.older)}, of them ${sum((row) => row.older)} for more than three days.`,
  ]
}

const amount = (units: Units, unit: string) => `${grouped(units)} ${unit}`
const compared = (now: number, before: number) => `${now.toLocaleString('en-US')} (${before.toLocaleString('en-US')})`
const comparedAmount = (now: Units, before: Units, unit: string) => `${grouped(now)} ${unit} (${grouped(before)})`
