import type { RewardKind } from '@tizara/contract/rewards'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { CREDIT_PARTS } from '../instant/earned.ts'
import { readRewardCounters } from '../instant/reward-counters.ts'

/** Sums for the home call (API-59, EN-27), in coin units. */
export interface RewardTotals {
  dailyBonusCount: Units
  transactionHistoryCount: Units
  dailyStakeLogsBonus: Units
}

/** Returns a member's daily, referral and stake-log rewards, in coin units. */
export async function rewardTotals(db: Db, memberId: bigint): Promise<RewardTotals> {
  const [own, referral] = await Promise.all([
    sql<{ stakes: bigint; logs: bigint }>`
      select coalesce(sum(daily) filter (where stream = 0), 0)::bigint as stakes, coalesce(sum(daily) filter (where stream = 1), 0)::bigint as logs
      from reward_credit where member_id = ${memberId} and stream in (0, 1)`.execute(db),
    readRewardCounters(db, memberId, 'referral'),
  ])
  const { stakes, logs } = own.rows[0] ?? { stakes: 0n, logs: 0n }
  return { dailyBonusCount: stakes, transactionHistoryCount: referral.sum, dailyStakeLogsBonus: logs }
}

/** A kind's sum in an ISO week. */
interface WeekSum {
  week: string
  startsOn: string
  kind: RewardKind
  asset: 'usd' | 'coin'
  amount: Units
}

/** Sums a member's rewards by ISO week (UTC) and kind, oldest week first. Weeks without rewards have no sums. */
export async function weeklyRewards(db: Db, memberId: bigint, weeks: number, now: Date) {
  const found = await sql<WeekSum>`
    with first as (select date_trunc('week', ${now}::timestamptz at time zone 'UTC')::date - 7 * (${weeks}::int - 1) as day),
    earned as (
      select r.day, v.kind, v.amount from reward_credit c join reward_run r on r.id = c.run_id
      cross join lateral ${CREDIT_PARTS}
      where c.member_id = ${memberId} and r.day >= (select day from first)
      union all
      select starts_on, kind, amount from reward_week where member_id = ${memberId} and starts_on >= (select day from first)
      union all
      select (created_at at time zone 'UTC')::date, kind, amount - reversed from reward_instant
      where beneficiary_id = ${memberId} and not in_counters and created_at >= (select day from first)::timestamp at time zone 'UTC'
    )
    select to_char(day, 'IYYY-"W"IW') as week, date_trunc('week', day)::date as "startsOn", kind,
      case when kind like 'nft-%' then 'usd' else 'coin' end as asset, sum(amount)::bigint as amount
    from earned group by 1, 2, 3, 4 having sum(amount) > 0 order by 2, 3`.execute(db)
  const thisWeek = found.rows
  const days = Array.from({ length: weeks }, (_, index) => mondayOf(now, weeks - 1 - index))
  return {
    weeks: days.map((startsOn) => ({
      week: isoWeek(startsOn),
      startsOn,
      sums: thisWeek.filter((row) => row.startsOn === startsOn).map(({ kind, asset, amount }) => ({ kind, asset, amount })),
    })),
  }
}

const DAY = 86_400_000

/** Returns the Monday some weeks before a moment's week, as `YYYY-MM-DD`. */
function mondayOf(moment: Date, weeksBefore: number): string {
  const midnight = Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate())
  const weekday = (moment.getUTCDay() + 6) % 7
  return new Date(midnight - (weekday + 7 * weeksBefore) * DAY).toISOString().slice(0, 10)
}

/** Returns a Monday's ISO week, such as `2026-W07`. */
function isoWeek(monday: string): string {
  const thursday = new Date(Date.parse(`${monday}T00:00:00Z`) + 3 * DAY)
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  const week = Math.floor((thursday.getTime() - first) / (7 * DAY)) + 1
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`
}
