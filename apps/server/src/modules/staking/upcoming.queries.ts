import type { upcomingItem } from '@tizara/contract/staking'
import { type RawBuilder, sql } from 'kysely'
import type { InferOutput } from 'valibot'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { type UpcomingReward, upcomingRewards } from '../rewards/index.ts'
import type { DueDay } from './calendar.rules.ts'

/** Maximum items per response; the soonest take precedence. */
const MAX_ITEMS = 1000

type DueRow = Omit<UpcomingReward, 'kind'> & { kind: DueDay['kind'] }

/** SQL: a member's payments after now and until a moment: rewards, and the principal of maturing stakes (RW-11). */
const dueRows = (memberId: bigint, now: Date, end: Date): RawBuilder<DueRow> => sql<DueRow>`
  ${upcomingRewards(memberId, now, end)}
  union all
  select matures_at, 'maturity', plan_name, 'coin', amount, public_id, 1
  from stake
  where member_id = ${memberId} and status = 'ACTIVE' and matures_at >= ${now}::timestamptz and matures_at <= ${end}::timestamptz`

const until = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS)

/** Lists the payments of the next days, soonest first. */
export async function upcomingItems(db: Db, memberId: bigint, now: Date, days: number): Promise<InferOutput<typeof upcomingItem>[]> {
  const due = await sql<DueRow>`
    select * from (${dueRows(memberId, now, until(now, days))}) as due order by at, kind, source_id, label limit ${MAX_ITEMS}`.execute(db)
  return due.rows.map((row) => ({
    at: row.at,
    kind: row.kind,
    label: row.label,
    asset: row.asset,
    amount: row.amount,
    ...(row.source_id === null ? {} : { sourceId: row.source_id }),
  }))
}

/** Sums the same payments per UTC day and kind. */
export async function upcomingByDay(db: Db, memberId: bigint, now: Date, days: number): Promise<DueDay[]> {
  const due = await sql<DueDay>`
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, kind, asset, sum(amount)::bigint as amount, sum(sources)::int as sources
    from (${dueRows(memberId, now, until(now, days))}) as due group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return due.rows
}
